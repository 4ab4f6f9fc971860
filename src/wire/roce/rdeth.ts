/**
 * Reliable datagram extended transport header, RDETH (IBTA volume 1, section 9.3).
 *
 *   0 reserved | 1 EE context (3)
 *
 * All packets of RD have one, right behind the BTH.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

export const RDETH = /* @__PURE__ */ defineHeader({
  title: 'RDETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'rdeth',
  fields: (field) => ({
    /** The first byte. */
    reserved8: field.bits(8, 0),
    /** 24 bits: end-to-end context of the receiver. */
    eeContext: field.bits(24),
  }),
});

/** Length of an RDETH: 4 bytes. */
export const RDETH_BYTES = RDETH.bytes;
/** The drawing of docs/wire.md. */
export const RDETH_LAYOUT = RDETH.layout;

/** The reliable datagram extended header, as a value. */
export interface Rdeth extends HeaderValue<typeof RDETH> {}

/** Input of `buildRdeth`: the reserved bits are 0 unless stated. */
export interface RdethFields extends HeaderFields<typeof RDETH> {}

/** Reads an RDETH in place. */
export class RdethView extends RDETH.View {}

/** Reads an RDETH; the inverse of `buildRdeth`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseRdeth: ParseHeader<Rdeth> = RDETH.parse;
/** Writes an RDETH. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildRdeth: BuildHeader<RdethFields> = RDETH.build;
/** As `buildRdeth`, into `target`. @returns the offset behind the header. */
export const buildRdethInto: BuildHeaderInto<RdethFields> = RDETH.buildInto;
