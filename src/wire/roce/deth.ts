/**
 * Datagram extended transport header, DETH (IBTA volume 1, section 9.3).
 *
 *   0 Q_Key (4) | 4 reserved | 5 source QP (3)
 *
 * UD and the requests of RD have one.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

/** Q_Key of the general services interface, QP 1 (as in Linux, IB_QP1_QKEY). */
export const QKEY_GSI = 0x80010000;

export const DETH = /* @__PURE__ */ defineHeader({
  title: 'DETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'deth',
  fields: (field) => ({
    /** 32 bits: Q_Key that the receiving queue pair must have. */
    qKey: field.bits(32),
    /** The byte before the source QP. */
    reserved8: field.bits(8, 0),
    /** 24 bits: source QP. */
    sourceQpn: field.bits(24),
  }),
});

/** Length of a DETH: 8 bytes. */
export const DETH_BYTES = DETH.bytes;
/** The drawing of docs/wire.md. */
export const DETH_LAYOUT = DETH.layout;

/** The datagram extended header, as a value. */
export interface Deth extends HeaderValue<typeof DETH> {}

/** Input of `buildDeth`: the reserved bits are 0 unless stated. */
export interface DethFields extends HeaderFields<typeof DETH> {}

/** Reads a DETH in place. */
export class DethView extends DETH.View {}

/** Reads a DETH; the inverse of `buildDeth`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseDeth: ParseHeader<Deth> = DETH.parse;
/** Writes a DETH. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildDeth: BuildHeader<DethFields> = DETH.build;
/** As `buildDeth`, into `target`. @returns the offset behind the header. */
export const buildDethInto: BuildHeaderInto<DethFields> = DETH.buildInto;
