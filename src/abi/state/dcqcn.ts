/** DCQCN's state in a QP's record and flags, as in assembly/algorithms/dcqcn/record.ts. */
import { QP_ALPHA_CNP, QP_CUT_PENDING, QP_LIMITED } from '../codes.js';
import * as layout from '../layout.js';

/** Times are picoseconds. The next cut check is stored elsewhere. */
export interface DcqcnRecordState {
  /** A rate limiter is active: a CNP arrived since the QP was at line rate. */
  limited: boolean;
  /** A CNP arrived in the current alpha period (`alphaUpdate: 'per-period'`). */
  alphaCnp: boolean;
  /** A CNP arrived since the last cut check (`cutTrigger: 'per-period'`). */
  cutPending: boolean;
  /** R_C, bits per second. */
  rateBps: number;
  /** R_T, bits per second. */
  targetBps: number;
  /** Alpha, 0..1 as a double; under `alpha-q10` an integer 0..1023. */
  alpha: number;
  /** Next expiry of the alpha timer, picoseconds; Infinity = stopped. */
  nextAlphaPs: number;
  /** Next expiry of the increase timer, picoseconds; Infinity = stopped. */
  nextIncreasePs: number;
  /** Time of the last event in event order, picoseconds. */
  lastEventPs: number;
  /** Earliest time at which the limiter lets the next packet go, picoseconds; 0 = immediately. */
  nextSendPs: number;
  /** Bytes sent since the last cut or byte-counter step. */
  bytesCounted: number;
  /** T, number of timer increase steps since the last cut; at most 65535. */
  timeStage: number;
  /** B, number of byte-counter increase steps since the last cut; at most 255. */
  byteStage: number;
}

/** Reads the state from the record at an address; `flags` are the QP's. */
export function readDcqcnState(view: DataView, at: number, flags: number): DcqcnRecordState {
  return {
    limited: (flags & QP_LIMITED) !== 0,
    alphaCnp: (flags & QP_ALPHA_CNP) !== 0,
    cutPending: (flags & QP_CUT_PENDING) !== 0,
    rateBps: view.getFloat64(at + layout.QP_RATE, true),
    targetBps: view.getFloat64(at + layout.QP_TARGET, true),
    alpha: view.getFloat64(at + layout.QP_ALPHA, true),
    nextAlphaPs: view.getFloat64(at + layout.QP_NEXT_ALPHA, true),
    nextIncreasePs: view.getFloat64(at + layout.QP_NEXT_INCREASE, true),
    lastEventPs: view.getFloat64(at + layout.QP_LAST_EVENT, true),
    nextSendPs: view.getFloat64(at + layout.QP_NEXT_SEND, true),
    bytesCounted: view.getUint32(at + layout.QP_BYTES_COUNTED, true),
    timeStage: view.getUint16(at + layout.QP_TIME_STAGE, true),
    byteStage: view.getUint8(at + layout.QP_BYTE_STAGE),
  };
}
