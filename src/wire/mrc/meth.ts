/**
 * Message extended header of MRC, METH: behind the BTH of every request (OCP MRC 1.0; docs/specs/mrc-formats.md, section 2.6).
 *
 *   0 RQMSN (2) | 2 MSN (2)
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

export const METH = /* @__PURE__ */ defineHeader({
  title: 'METH',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.6',
  layer: 'meth',
  fields: (field) => ({
    /** Counts messages of WRITE with immediate, modulo 2^16; without meaning, and 0, in a plain WRITE. */
    rqmsn: field.bits(16, 0),
    /** Counts messages, modulo 2^16; the same in every packet of one. */
    msn: field.bits(16),
  }),
});

/** Length of a METH: 4 bytes. */
export const METH_BYTES = METH.bytes;
/** The drawing of docs/wire.md. */
export const METH_LAYOUT = METH.layout;

/** The message extended header, as a value. */
export interface Meth extends HeaderValue<typeof METH> {}
/** Input of `buildMeth`: RQMSN 0 unless stated. */
export interface MethFields extends HeaderFields<typeof METH> {}

/** Reads a METH in place. */
export class MethView extends METH.View {}

/** Reads a METH; the inverse of `buildMeth`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseMeth: ParseHeader<Meth> = METH.parse;
/** Writes a METH. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildMeth: BuildHeader<MethFields> = METH.build;
/** As `buildMeth`, into `target`. @returns the offset behind the header. */
export const buildMethInto: BuildHeaderInto<MethFields> = METH.buildInto;
