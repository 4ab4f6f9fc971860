/**
 * The state of one QP at DCQCN's reaction point: pure data, so that it can be copied, compared and printed.
 */
import type { DcqcnRecordState } from '../../../abi/state/dcqcn.js';

export interface DcqcnState extends DcqcnRecordState {
  /** Next cut check, picoseconds; Infinity = stopped. */
  nextCutPs: number;
}

/** The state of a QP without a limiter, at line rate. `initialAlpha` is in the numeric policy's form. */
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
