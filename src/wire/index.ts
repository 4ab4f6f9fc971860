/**
 * `roce-cc/wire`: all headers relevant to RoCEv2 congestion control, one object and one file per header. Each object
 * has the same shape: `Bth.lenBytes`, `Bth.fields` (the layout as data), `Bth.read(bytes, offset)`,
 * `Bth.write(fields)`, its inverse, `Bth.writeInto(target, offset, fields)`, which allocates nothing, and
 * `new Bth.View(bytes, offset)`, which reads in place; plus constants and functions of the format. The type `Bth` is
 * the value. Whole packets are in `roce-cc/packet`.
 *
 * @packageDocumentation
 */
export type { FieldsOf, Header, ValueOf, ViewOf, FieldLayout, HeaderLayout } from './header/define-header.js';
export { LAYOUT_CHAPTERS, type LayoutChapter } from './layouts.js';
export * from './link/index.js';
export * from './ip/index.js';
export * from './roce/index.js';
export * from './mrc/index.js';
export * from './uet/index.js';
export * from './telemetry/index.js';
export * from './arn/index.js';
export * from './discovery/index.js';
export type { EthernetLink, LinkKind, LinkLayer } from './roce/roce-frame.js';
