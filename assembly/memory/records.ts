/**
 * The engine's records in linear memory, as unmanaged classes.
 *
 * The order of fields is the layout. `src/abi/layout.ts` has the same layout for the host; the checks at the end
 * fail the build if the two differ.
 */
import { QP_BYTE_STAGE, QP_BYTES, QP_LAST_EVENT, QP_NEXT_SEND } from '../../src/abi/layout';

/** The reaction point of one QP: one cache line. */
@unmanaged
export class QpState {
  /** R_C, bits per second. */
  rateBps: f64;
  /** R_T, bits per second. */
  targetBps: f64;
  /** Alpha, 0..1, or 0..1023 under alpha-q10. */
  alpha: f64;
  /** Next expiry of the alpha timer; Infinity = stopped. */
  nextAlphaPs: f64;
  /** Next expiry of the increase timer; Infinity = stopped. */
  nextIncreasePs: f64;
  /** Time of the last event that touched this record. */
  lastEventPs: f64;
  /** Pacing: earliest time of the next packet. */
  nextSendPs: f64;
  /** Bytes since the last byte-counter step or cut. */
  bytesCounted: u32;
  /** Time stage T, saturating. */
  timeStage: u16;
  /** Byte stage B, saturating. */
  byteStage: u8;
  /** Never read; batch/read-ahead.ts writes it to prefetch the record. */
  touched: u8;
}

/** The first fields of every parameter set; each algorithm's class adds its own after them. */
@unmanaged
export class ParameterSet {
  /** One of the ALGORITHM_* codes. */
  algorithm: u32;
  /** Algorithm-specific bits; no other algorithm may use the bit DCQCN_FAST_PATH. */
  switches: u32;
  maxRateBps: f64;
  minRateBps: f64;
}

/** Fails the build if a layout does not match. */
export function checkRecordLayouts(): void {
  if (offsetof<QpState>() != QP_BYTES) ERROR('QpState is not QP_BYTES long');
  if (offsetof<QpState>('lastEventPs') != QP_LAST_EVENT) ERROR('QpState.lastEventPs');
  if (offsetof<QpState>('nextSendPs') != QP_NEXT_SEND) ERROR('QpState.nextSendPs');
  if (offsetof<QpState>('byteStage') != QP_BYTE_STAGE) ERROR('QpState.byteStage');
}
