/** DCQCN's state in a QP's record and flags: assembly/algorithms/dcqcn/record.ts. */
import { QP_ALPHA_CNP, QP_CUT_PENDING, QP_LIMITED } from '../codes.js';
import * as layout from '../layout.js';

/** The times are picoseconds. The next cut check is elsewhere. */
export interface DcqcnRecordState {
  /** A rate limiter is in place: some CNP came since the QP was at line rate. */
  limited: boolean;
  /** A CNP came in the running alpha period (`alphaUpdate: 'per-period'`). */
  alphaCnp: boolean;
  /** A CNP came since the last cut check (`cutTrigger: 'per-period'`). */
  cutPending: boolean;
  /** R_C, bits per second. */
  rateBps: number;
  /** R_T, bits per second. */
  targetBps: number;
  /** 0..1 as a double; under `alpha-q10` the integer 0..1023. */
  alpha: number;
  /** Next expiry of the alpha timer, picoseconds; Infinity = stopped. */
  nextAlphaPs: number;
  /** Next expiry of the increase timer, picoseconds; Infinity = stopped. */
  nextIncreasePs: number;
  /** Time of the last event that counted for the order of events, picoseconds. */
  lastEventPs: number;
  /** The limiter lets the next packet go at this time, picoseconds; 0 = at once. */
  nextSendPs: number;
  /** Bytes sent since the last cut or byte-counter step. */
  bytesCounted: number;
  /** T, increase steps of the timer since the last cut; stops at 65535. */
  timeStage: number;
  /** B, increase steps of the byte counter since the last cut; stops at 255. */
  byteStage: number;
}

/** The state in the record at an address; `flags` are the QP's. */
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
