/**
 * Extended reliable connection transport header, XRCETH (IBTA volume 1, section 9.3; Annex A14).
 *
 *   0 reserved | 1 XRC shared receive queue (3)
 *
 * The requests of XRC have one, right behind the BTH; its responses and acknowledgements have none.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

export const XRCETH = /* @__PURE__ */ defineHeader({
  title: 'XRCETH',
  source: 'IBTA volume 1, section 9.3; Annex A14',
  layer: 'xrceth',
  fields: (field) => ({
    /** The first byte. */
    reserved8: field.bits(8, 0),
    /** 24 bits: number of the shared receive queue that the request is for. */
    sharedReceiveQueue: field.bits(24),
  }),
});

/** Length of an XRCETH: 4 bytes. */
export const XRCETH_BYTES = XRCETH.bytes;
/** The drawing of docs/wire.md. */
export const XRCETH_LAYOUT = XRCETH.layout;

/** The XRC extended header, as a value. */
export interface Xrceth extends HeaderValue<typeof XRCETH> {}

/** Input of `buildXrceth`: the reserved bits are 0 unless stated. */
export interface XrcethFields extends HeaderFields<typeof XRCETH> {}

/** Reads an XRCETH in place. */
export class XrcethView extends XRCETH.View {}

/** Reads an XRCETH; the inverse of `buildXrceth`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseXrceth: ParseHeader<Xrceth> = XRCETH.parse;
/** Writes an XRCETH. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildXrceth: BuildHeader<XrcethFields> = XRCETH.build;
/** As `buildXrceth`, into `target`. @returns the offset behind the header. */
export const buildXrcethInto: BuildHeaderInto<XrcethFields> = XRCETH.buildInto;
