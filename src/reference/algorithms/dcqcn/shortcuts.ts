/**
 * Shortcuts that skip timer expiries without effect, so that an event after a long idle time costs bounded work.
 *
 * Role: the model in `model.ts` executes expiries one by one; with these shortcuts it must reach the same state bit for
 * bit. Each shortcut relies on a proof that, up to the horizon and without an event, further expiries of one timer
 * change nothing:
 *
 * alpha     no CNP in the running period, and `down` leaves alpha unchanged (0, or g = 0): so do all later ones.
 * cut       no cut pending: a check only advances the check time; only events make a cut pending.
 * increase  T > F + 1, so the regime of timer steps is fixed: with T >= B, lo = B from now on; else lo = T > F, hyper
 *           from now on. The target is at its cap, or the increment is exactly 0; and the average leaves the rate
 *           unchanged. No step releases the limiter, or the one that led to this rate would have. Only T changes. A
 *           pending cut before the horizon resets T, B and the timer in any case, and finds T > 0 with or without
 *           the skipped steps.
 * bytes     the same with B > F + 1 instead of T.
 *
 * Times: the last skipped expiry is exact (at most the horizon, below 2^53); the next one is that plus one period,
 * the same single rounding as in the eager machine when it lies beyond 2^53.
 */
import type { DcqcnParameters } from '../../../config/algorithms/dcqcn/parameters.js';
import type { DcqcnArithmetic } from './arithmetic.js';
import { byteLimitBytes, increasePeriodPs, increaseRegime, LAST_STAGE, targetIncrementBps,
  type IncreaseCounter } from './increase.js';
import type { DcqcnState } from './state.js';

/** Whether, without further events, increase steps of this counter can no longer change rate or limiter. */
export function increaseIsFrozen(parameters: DcqcnParameters, arithmetic: DcqcnArithmetic, state: Readonly<DcqcnState>,
  counter: IncreaseCounter): boolean {
  if (state[counter] <= parameters.fastRecoverySteps + 1) return false;
  const capped = state.targetBps === parameters.maxRateBps;
  if (!capped && targetIncrementBps(parameters, state) !== 0) return false;
  return arithmetic.average(state.rateBps, state.targetBps) === state.rateBps;
}

/** Moves each timer past the horizon if its expiries up to the horizon change nothing. */
export function skipFrozenTimers(parameters: DcqcnParameters, arithmetic: DcqcnArithmetic, state: DcqcnState,
  horizonPs: number): void {
  if (state.nextAlphaPs <= horizonPs && !state.alphaCnp && arithmetic.alphaDown(state.alpha) === state.alpha) {
    state.nextAlphaPs = firstBeyond(horizonPs, state.nextAlphaPs, parameters.alphaPeriodPs);
  }
  if (state.nextCutPs <= horizonPs && !state.cutPending) {
    state.nextCutPs = firstBeyond(horizonPs, state.nextCutPs, parameters.cutPeriodPs);
  }
  if (state.nextIncreasePs <= horizonPs && increaseIsFrozen(parameters, arithmetic, state, 'timeStage')) {
    const periodPs = increasePeriodPs(parameters, increaseRegime(parameters, state));
    const skipped = expiriesUntil(horizonPs, state.nextIncreasePs, periodPs);
    state.nextIncreasePs = firstBeyond(horizonPs, state.nextIncreasePs, periodPs);
    state.timeStage = Math.min(state.timeStage + skipped, LAST_STAGE.timeStage);
  }
}

/** Executes all due byte-counter steps in one go, if they change only the byte stage. */
export function skipFrozenBytes(parameters: DcqcnParameters, arithmetic: DcqcnArithmetic, state: DcqcnState): void {
  if (!increaseIsFrozen(parameters, arithmetic, state, 'byteStage')) return;
  const limit = byteLimitBytes(parameters, increaseRegime(parameters, state));
  const skipped = Math.floor(state.bytesCounted / limit);
  state.bytesCounted -= skipped * limit;
  state.byteStage = Math.min(state.byteStage + skipped, LAST_STAGE.byteStage);
}

/** Number of expiries at duePs, duePs + periodPs, … up to and including the horizon. */
function expiriesUntil(horizonPs: number, duePs: number, periodPs: number): number {
  return Math.floor((horizonPs - duePs) / periodPs) + 1;
}

/** Time of the first of these expiries after the horizon. */
function firstBeyond(horizonPs: number, duePs: number, periodPs: number): number {
  const lastPs = duePs + (expiriesUntil(horizonPs, duePs, periodPs) - 1) * periodPs;
  return lastPs + periodPs;
}
