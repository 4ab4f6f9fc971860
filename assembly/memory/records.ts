/**
 * The records that the engine keeps, as unmanaged classes over linear memory.
 *
 * Field order is the layout; `src/abi/layout.ts` says the same to the host, and the checks at the end
 * make the build fail when the two disagree.
 */
import { QP_BYTE_STAGE, QP_BYTES, QP_LAST_EVENT, QP_NEXT_SEND } from '../../src/abi/layout';

/** The reaction point of one QP: one cache line. */
@unmanaged
export class QpState {
  /** R_C, bits per second. */
  rateBps: f64;
  /** R_T, bits per second. */
  targetBps: f64;
  /** 0..1, or 0..1023 under alpha-q10. */
  alpha: f64;
  /** Next expiry of the alpha timer; Infinity = stopped. */
  nextAlphaPs: f64;
  /** Next expiry of the increase timer; Infinity = stopped. */
  nextIncreasePs: f64;
  /** Time of the last event that touched this record. */
  lastEventPs: f64;
  /** Pacing: the next packet may leave from here on. */
  nextSendPs: f64;
  /** Bytes since the last byte-counter step or cut. */
  bytesCounted: u32;
  /** T, saturating. */
  timeStage: u16;
  /** B, saturating. */
  byteStage: u8;
  /** Nothing reads it: batch/read-ahead.ts writes it. */
  touched: u8;
}

/** The head of every parameter set; each algorithm's class continues behind it. */
@unmanaged
export class ParameterSet {
  /** ALGORITHM_* */
  algorithm: u32;
  /** Bits of the algorithm's own; DCQCN_FAST_PATH is no other's. */
  switches: u32;
  maxRateBps: f64;
  minRateBps: f64;
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkRecordLayouts(): void {
  if (offsetof<QpState>() != QP_BYTES) ERROR('QpState is not QP_BYTES long');
  if (offsetof<QpState>('lastEventPs') != QP_LAST_EVENT) ERROR('QpState.lastEventPs');
  if (offsetof<QpState>('nextSendPs') != QP_NEXT_SEND) ERROR('QpState.nextSendPs');
  if (offsetof<QpState>('byteStage') != QP_BYTE_STAGE) ERROR('QpState.byteStage');
}
