/**
 * The state of one QP at DCQCN's reaction point: pure data, so that it can be copied, compared and printed.
 */

export interface DcqcnState {
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
  /** Next cut check, picoseconds; Infinity = stopped. */
  nextCutPs: number;
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

/** The state of a QP without a limiter, at line rate. `initialAlpha` in the form that the numeric policy stores. */
export function unlimitedState(maxRateBps: number, initialAlpha: number): DcqcnState {
  return {
    limited: false,
    alphaCnp: false,
    cutPending: false,
    rateBps: maxRateBps,
    targetBps: maxRateBps,
    alpha: initialAlpha,
    nextAlphaPs: Infinity,
    nextIncreasePs: Infinity,
    nextCutPs: Infinity,
    lastEventPs: 0,
    nextSendPs: 0,
    bytesCounted: 0,
    timeStage: 0,
    byteStage: 0,
  };
}
