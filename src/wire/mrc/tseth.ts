/**
 * Timestamp extended header of MRC, TSETH: behind the METH when the BTH's `ts` is set (OCP MRC 1.0; docs/specs/mrc-formats.md,
 * section 2.6). Probes and endpoint operations end in the same four bytes.
 *
 *   0 timestamp (2) | 2 tsr 1, reserved 11, ftype 4
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

/** `ftype` of the only form of timestamps. */
export const TSETH_FORM_TYPE = 1;
/** Nanoseconds per tick with `tsr` 0; with `tsr` 1 the unit is not known, and ticks remain ticks (docs/sources.md). */
export const TSETH_TICK_NS = 128;

export const TSETH = /* @__PURE__ */ defineHeader({
  title: 'TSETH',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.6',
  layer: 'tseth',
  fields: (field) => ({
    /** Time of sending in ticks, modulo 2^16. */
    timestamp: field.bits(16),
    /** `tsr`: 0 = ticks of 128 ns; 1 = defined by the implementation. */
    resolution: field.bits(1, 0),
    /** The eleven bits before `ftype`. */
    reserved11: field.bits(11, 0),
    /** `ftype`, 4 bits: 1. */
    formType: field.bits(4, TSETH_FORM_TYPE),
  }),
});

/** Length of a TSETH: 4 bytes. */
export const TSETH_BYTES = TSETH.bytes;
/** The drawing of docs/wire.md. */
export const TSETH_LAYOUT = TSETH.layout;

/** The timestamp extended header, as a value. */
export interface Tseth extends HeaderValue<typeof TSETH> {}
/** Input of `buildTseth`: ticks of 128 ns, form type 1, reserved bits 0 unless stated. */
export interface TsethFields extends HeaderFields<typeof TSETH> {}

/** Reads a TSETH in place. */
export class TsethView extends TSETH.View {}

/** Reads a TSETH; the inverse of `buildTseth`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseTseth: ParseHeader<Tseth> = TSETH.parse;
/** Writes a TSETH. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildTseth: BuildHeader<TsethFields> = TSETH.build;
/** As `buildTseth`, into `target`. @returns the offset behind the header. */
export const buildTsethInto: BuildHeaderInto<TsethFields> = TSETH.buildInto;
