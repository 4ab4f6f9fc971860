/**
 * Congestion control state after the SETH of a SACK, for `ccType` 0 (OCP MRC 1.0; docs/specs/mrc-formats.md, section
 * 2.7).
 *
 *   0 timestamp (2) | 2 reserved 1, packets out of order 15 | 4 restore 1, penalty 7 | 5 received bytes / 256 (3)
 *
 * Any other `ccType` has 8 bytes of unknown format.
 */
import { type ValueOf, defineHeader } from '../header/define-header.js';
import { extendHeader } from '../header/extend-header.js';

const MRC_CC_STATE = /* @__PURE__ */ defineHeader({
  title: 'CC_STATE',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.7',
  layer: 'mrc cc state',
  where: 'mrcCcState',
  fields: (field) => ({
    /** Timestamp of the TSETH of the packet that caused the SACK; 0 without one. */
    timestamp: field.bits(16, 0),
    /** The bit before `outOfOrder`. */
    reserved1: field.bits(1, 0),
    /** Number of packets held above the cumulative PSN, 0..32,767. */
    outOfOrder: field.bits(15, 0),
    /** Whether the sender restores the window it had before a penalty. */
    restoreWindow: field.flag(false),
    /** 0..127: fraction of the received bytes, in 128ths, by which the sender's window is reduced. */
    windowPenalty: field.bits(7, 0),
    /** 24 bits: bytes received, in units of 256, rounded up, modulo 2^24. */
    rcvdBytes256: field.bits(24, 0),
  }),
});

/** The congestion control state, as a value. */
export interface MrcCcState extends ValueOf<typeof MRC_CC_STATE> {}

/** The congestion control state: 8 bytes, written as 0 by default. */
export const MrcCcState = /* @__PURE__ */ extendHeader(MRC_CC_STATE, {
  /** `rcvdBytes256` counts units of this many bytes. */
  RCVD_UNIT_BYTES: 256,
});
