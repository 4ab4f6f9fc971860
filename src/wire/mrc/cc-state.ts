/**
 * State of congestion control behind the SETH of a SACK, for `ccType` 0 (OCP MRC 1.0; docs/specs/mrc-formats.md, section 2.7).
 *
 *   0 timestamp (2) | 2 reserved 1, packets out of order 15 | 4 restore 1, penalty 7 | 5 received bytes / 256 (3)
 *
 * Any other `ccType` has 8 bytes of unknown form.
 */
import { type BuildHeader, type BuildHeaderInto, type HeaderFields, type HeaderValue, type ParseHeader,
  defineHeader } from '../header/define-header.js';

/** `rcvdBytes256` counts units of this many bytes. */
export const MRC_RCVD_UNIT_BYTES = 256;

export const MRC_CC_STATE = /* @__PURE__ */ defineHeader({
  title: 'CC_STATE',
  source: 'OCP MRC 1.0, as docs/specs/mrc-formats.md, section 2.7',
  layer: 'mrc cc state',
  where: 'mrcCcState',
  fields: (field) => ({
    /** Timestamp of the TSETH of the packet that caused the SACK; 0 without one. */
    timestamp: field.bits(16, 0),
    /** The bit before `outOfOrder`. */
    reserved1: field.bits(1, 0),
    /** Packets held above the cumulative PSN, 0..32,767. */
    outOfOrder: field.bits(15, 0),
    /** Whether the sender restores the window it had before a penalty. */
    restoreWindow: field.flag(false),
    /** 0..127: share of the received bytes, in 128ths, that the receiver takes off the sender's window. */
    windowPenalty: field.bits(7, 0),
    /** 24 bits: bytes received, in units of 256, rounded up, modulo 2^24. */
    rcvdBytes256: field.bits(24, 0),
  }),
});

/** Length of the state: 8 bytes. */
export const MRC_CC_STATE_BYTES = MRC_CC_STATE.bytes;
/** The drawing of docs/wire.md. */
export const MRC_CC_STATE_LAYOUT = MRC_CC_STATE.layout;

/** The state, as a value. */
export interface MrcCcState extends HeaderValue<typeof MRC_CC_STATE> {}
/** Input of `buildMrcCcState`: everything is 0 unless stated. */
export interface MrcCcStateFields extends HeaderFields<typeof MRC_CC_STATE> {}

/** Reads the state in place. */
export class MrcCcStateView extends MRC_CC_STATE.View {}

/** Reads the state; the inverse of `buildMrcCcState`. @throws RoceError `invalid-packet` when the bytes end inside it. */
export const parseMrcCcState: ParseHeader<MrcCcState> = MRC_CC_STATE.parse;
/** Writes the state. @throws RoceError `invalid-argument` naming a field out of range. */
export const buildMrcCcState: BuildHeader<MrcCcStateFields> = MRC_CC_STATE.build;
/** As `buildMrcCcState`, into `target`. @returns the offset behind the header. */
export const buildMrcCcStateInto: BuildHeaderInto<MrcCcStateFields> = MRC_CC_STATE.buildInto;
