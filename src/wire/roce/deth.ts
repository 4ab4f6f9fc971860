/**
 * Datagram extended transport header, DETH (IBTA volume 1, section 9.3).
 *
 *   0 Q_Key (4) | 4 reserved | 5 source QP (3)
 *
 * Present in UD packets and in requests of RD.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { extendHeader } from '../header/extend-header.js';

const DETH = /* @__PURE__ */ defineHeader({
  title: 'DETH',
  source: 'IBTA volume 1, section 9.3',
  layer: 'deth',
  fields: (field) => ({
    /** 32 bits: must equal the Q_Key of the receiving queue pair. */
    qKey: field.bits(32),
    /** The byte before the source QP. */
    reserved8: field.bits(8, 0),
    /** 24 bits: source QP. */
    sourceQpn: field.bits(24),
  }),
});

/** The datagram extended header, as a value. */
export interface Deth extends ValueOf<typeof DETH> {}

/** The datagram extended header: 8 bytes. Reserved bits are written as 0 by default. */
export const Deth = /* @__PURE__ */ extendHeader(DETH, {
  /** Q_Key of the general services interface, QP 1 (as in Linux, IB_QP1_QKEY). */
  QKEY_GSI: 0x80010000,
});
