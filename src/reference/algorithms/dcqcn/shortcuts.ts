/**
 * Shortcuts past timer expiries that change nothing, so that an event after hours of silence costs bounded work.
 *
 * Role: the model in `model.ts` takes expiries one by one; without these shortcuts it is the plain eager machine,
 * with them it must reach the same state bit for bit. Each shortcut is a proof that, until the horizon and without
 * an event, further expiries of one timer are the identity:
 *
 * alpha     no CNP in the running period, and `down` leaves alpha as it is (0, or g = 0): so do all later ones.
 * cut       no cut pending: a check only moves the check time; only events make a cut pending.
 * increase  T > F + 1, so the regime of timer steps is fixed: with T >= B, lo = B for good; else lo = T > F, hyper
 *           for good. The target is at its cap, or the increment is exactly 0; and the average leaves the rate as it
 *           is. No step releases the limiter, or the one that brought the rate here would have. Only T moves. A
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

/** Would increase steps of this counter, without an event from now on, never again change rate or limiter? */
export function increaseIsFrozen(parameters: DcqcnParameters, arithmetic: DcqcnArithmetic, state: Readonly<DcqcnState>,
  counter: IncreaseCounter): boolean {
  if (state[counter] <= parameters.fastRecoverySteps + 1) return false;
  const capped = state.targetBps === parameters.maxRateBps;
  if (!capped && targetIncrementBps(parameters, state) !== 0) return false;
  return arithmetic.average(state.rateBps, state.targetBps) === state.rateBps;
}

/** Moves every timer whose expiries up to the horizon change nothing past the horizon. */
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

/** Takes all byte-counter steps that are due at once, if they change nothing but the byte stage. */
export function skipFrozenBytes(parameters: DcqcnParameters, arithmetic: DcqcnArithmetic, state: DcqcnState): void {
  if (!increaseIsFrozen(parameters, arithmetic, state, 'byteStage')) return;
  const limit = byteLimitBytes(parameters, increaseRegime(parameters, state));
  const skipped = Math.floor(state.bytesCounted / limit);
  state.bytesCounted -= skipped * limit;
  state.byteStage = Math.min(state.byteStage + skipped, LAST_STAGE.byteStage);
}

/** Expiries at duePs, duePs + periodPs, … that are not after the horizon. */
function expiriesUntil(horizonPs: number, duePs: number, periodPs: number): number {
  return Math.floor((horizonPs - duePs) / periodPs) + 1;
}

/** The first of them that is after the horizon. */
function firstBeyond(horizonPs: number, duePs: number, periodPs: number): number {
  const lastPs = duePs + (expiriesUntil(horizonPs, duePs, periodPs) - 1) * periodPs;
  return lastPs + periodPs;
}
