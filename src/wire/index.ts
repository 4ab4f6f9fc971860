/**
 * `roce-cc/wire`: builders and readers of every header that RoCEv2 congestion control meets, one file per header. Each
 * has its layout as data, a view that reads in place, and `parse` and `build`, which are inverses; `build…Into`
 * writes without allocating. Whole packets are in `roce-cc/packet`.
 *
 * @packageDocumentation
 */
export type { FieldLayout, HeaderLayout } from './header/layout.js';
export { LAYOUT_CHAPTERS, type LayoutChapter } from './layouts.js';
export * from './link/index.js';
export * from './ip/index.js';
export * from './roce/index.js';
export * from './mrc/index.js';
export * from './telemetry/index.js';
export * from './arn/index.js';
export * from './discovery/index.js';
export type { EthernetLink, LinkKind, LinkLayer } from './roce/roce-frame.js';
