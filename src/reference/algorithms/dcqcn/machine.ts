/**
 * DCQCN's state machine: the effect of CNPs, sent bytes and the three timers on one QP. `model.ts` decides which events
 * reach it, and which timers expire before each.
 *
 *   unlimited --first CNP: start the timers--> limited --an increase step ends at the maximum rate--> unlimited
 *
 * Three timers run while the QP is limited. They expire in a total order: by time; at the same instant alpha comes
 * first; then, of cut and increase, the one with the longer nominal period, cut if they are equal (the order in
 * which a simulator would have scheduled them).
 *
 *   alpha     alpha = (1 - g) alpha [+ g if a CNP came in the period]
 *   cut       [R_T = R_C, by the clamp rules]; R_C = R_C (1 - alpha cutScale); T = B = 0; increase timer restarts
 *   increase  R_T raised by regime; R_C = (R_C + R_T) / 2; T or B + 1 (`increase.ts`)
 *
 * Citation: Zhu et al., SIGCOMM 2015, section 3; every variant is a setting in `DcqcnParameters`.
 * Known deviations: T stops at 65535, B at 255; the shortcuts below skip expiries that change nothing (an option
 * disables that, for tests).
 */
import { CAUSE_BYTES, CAUSE_TIME } from '../../../abi/codes.js';
import * as trace from '../../../abi/trace-layout.js';
import type { DcqcnParameters } from '../../../config/algorithms/dcqcn.js';
import type { RateTracer } from '../ack.js';
import { createArithmetic, type DcqcnArithmetic, byteLimitBytes, canRelease, increasePeriodPs, increaseRate,
  increaseRegime, LAST_STAGE, type IncreaseCounter, type IncreaseRegime, unlimitedState, type DcqcnState,
  targetIncrementBps } from './increase.js';

/** The transitions of the machine, with the names used in golden traces. */
export type DcqcnTransition = 'CNP1' | 'CNP' | 'ALPHA_UP' | 'ALPHA_DOWN' | 'DEC' | 'DEC_CLAMP' | 'INC_FR' | 'INC_AI'
  | 'INC_HAI' | 'RELEASE';

/** The timers of a limited QP. */
export type DcqcnTimer = 'alpha' | 'cut' | 'increase';

/** Called after each transition with the live state, which the listener must not keep. */
export type DcqcnListener = (timePs: number, transition: DcqcnTransition, state: Readonly<DcqcnState>) => void;

/** Listeners to a machine's steps. */
export interface DcqcnObservers {
  readonly listener?: DcqcnListener | undefined;
  readonly tracer?: RateTracer | undefined;
}

/** Cause of a transition: CAUSE_TIME, CAUSE_BYTES, or a notification. */
type Cause = typeof CAUSE_TIME | typeof CAUSE_BYTES | 'notification';

/** TRACE_* code of each transition that can change a rate. */
const REASONS: Partial<Record<DcqcnTransition, number>> = {
  CNP1: trace.TRACE_FIRST_CNP,
  DEC: trace.TRACE_CUT,
  DEC_CLAMP: trace.TRACE_CUT,
  INC_FR: trace.TRACE_FAST_RECOVERY,
  INC_AI: trace.TRACE_ADDITIVE,
  INC_HAI: trace.TRACE_HYPER,
  RELEASE: trace.TRACE_RELEASE,
};

const INCREASE_TRANSITION: Readonly<Record<IncreaseRegime, DcqcnTransition>> = {
  'fast-recovery': 'INC_FR',
  additive: 'INC_AI',
  hyper: 'INC_HAI',
};

/** The machine of one QP. It does not check times: `model.ts` does. */
export class DcqcnMachine {
  readonly arithmetic: DcqcnArithmetic;
  readonly state: DcqcnState;
  /** Number of timer expiries and byte-counter steps executed, not counting skipped ones. */
  timerSteps = 0;
  readonly #parameters: DcqcnParameters;
  readonly #useShortcuts: boolean;
  readonly #observers: DcqcnObservers;

  constructor(parameters: DcqcnParameters, shortcuts: 'on' | 'off', observers: DcqcnObservers) {
    this.arithmetic = createArithmetic(parameters);
    this.state = unlimitedState(parameters.maxRateBps, this.arithmetic.initialAlpha);
    this.#parameters = parameters;
    this.#useShortcuts = shortcuts === 'on';
    this.#observers = observers;
    observers.tracer?.start(this.state.rateBps);
  }

  /** Resumes from the state of another machine with the same parameters. */
  resume(state: Readonly<DcqcnState>): void {
    Object.assign(this.state, state);
    this.#observers.tracer?.start(state.rateBps);
  }

  /** Expires all timers that are due up to and including the horizon. */
  expireUntil(horizonPs: number): void {
    while (this.state.limited) {
      if (this.#useShortcuts) skipFrozenTimers(this.#parameters, this.arithmetic, this.state, horizonPs);
      const { nextAlphaPs, nextCutPs, nextIncreasePs } = this.state;
      const earliestPs = Math.min(nextAlphaPs, nextCutPs, nextIncreasePs);
      if (earliestPs > horizonPs) return;
      this.timerSteps += 1;
      if (nextAlphaPs === earliestPs) this.#expireAlpha(earliestPs);
      else if (nextCutPs === earliestPs && this.#cutGoesFirst()) this.#expireCut(earliestPs);
      else this.#expireIncrease(earliestPs);
    }
  }

  /** Expires one timer at its time, for a caller that orders the timers in its own event queue. */
  expire(timer: DcqcnTimer, timePs: number): void {
    this.timerSteps += 1;
    if (timer === 'alpha') this.#expireAlpha(timePs);
    else if (timer === 'cut') this.#expireCut(timePs);
    else this.#expireIncrease(timePs);
  }

  /** Counts sent bytes, and executes the increase steps that become due. */
  countBytes(timePs: number, lenBytes: number): void {
    if (this.#parameters.byteCounterBytes === 0) return;
    this.state.bytesCounted += lenBytes;
    while (this.state.limited) {
      if (this.#useShortcuts) skipFrozenBytes(this.#parameters, this.arithmetic, this.state);
      const limitBytes = byteLimitBytes(this.#parameters, increaseRegime(this.#parameters, this.state));
      if (this.state.bytesCounted < limitBytes) return;
      this.state.bytesCounted -= limitBytes;
      this.timerSteps += 1;
      this.#increase(timePs, 'byteStage');
    }
  }

  /** Handles the first CNP of an unlimited QP: starts the limiter and the timers. */
  takeFirstCnp(timePs: number): void {
    const parameters = this.#parameters;
    const state = this.state;
    const cutsPerPeriod = parameters.cutTrigger === 'per-period';
    const increaseRuns = parameters.increaseTimerStart === 'first-cnp';
    state.limited = true;
    state.alpha = this.arithmetic.initialAlpha;
    state.nextAlphaPs = timePs + parameters.alphaPeriodPs;
    state.nextCutPs = cutsPerPeriod ? timePs + parameters.cutOffsetPs + parameters.cutPeriodPs : Infinity;
    state.nextIncreasePs = increaseRuns ? timePs + parameters.increasePeriodPs : Infinity;
    state.rateBps = this.#rateOnFirstCnp();
    state.targetBps = state.rateBps;
    state.cutPending = cutsPerPeriod && parameters.firstCnpCuts;
    this.#report(timePs, 'CNP1', 'notification');
    if (parameters.firstCnpCuts) this.#reactAtOnce(timePs);
  }

  /** Handles a CNP for a limited QP. */
  takeLaterCnp(timePs: number): void {
    if (this.#parameters.alphaUpdate === 'per-period') this.state.alphaCnp = true;
    if (this.#parameters.cutTrigger === 'per-period') this.state.cutPending = true;
    this.#report(timePs, 'CNP', 'notification');
    this.#reactAtOnce(timePs);
  }

  /** Whether a due cut check comes before the increase timer. */
  #cutGoesFirst(): boolean {
    const { nextCutPs, nextIncreasePs } = this.state;
    return nextCutPs < nextIncreasePs || this.#parameters.cutPeriodPs >= this.#parameters.increasePeriodPs;
  }

  #expireAlpha(timePs: number): void {
    const state = this.state;
    state.nextAlphaPs = timePs + this.#parameters.alphaPeriodPs;
    const up = this.#parameters.alphaUpdate === 'per-period' && state.alphaCnp;
    state.alphaCnp = false;
    state.alpha = up ? this.arithmetic.alphaUp(state.alpha) : this.arithmetic.alphaDown(state.alpha);
    this.#report(timePs, up ? 'ALPHA_UP' : 'ALPHA_DOWN', CAUSE_TIME);
  }

  #expireCut(timePs: number): void {
    const state = this.state;
    state.nextCutPs = timePs + this.#parameters.cutPeriodPs;
    if (!state.cutPending) return;
    state.cutPending = false;
    this.#cut(timePs, CAUSE_TIME);
  }

  #expireIncrease(timePs: number): void {
    const regime = increaseRegime(this.#parameters, this.state);
    this.state.nextIncreasePs = timePs + increasePeriodPs(this.#parameters, regime);
    this.#increase(timePs, 'timeStage');
  }

  #cut(timePs: number, cause: Cause): void {
    const state = this.state;
    const clamp = this.#cutClampsTarget();
    if (clamp) state.targetBps = state.rateBps;
    const cutBps = this.arithmetic.cut(state.rateBps, state.alpha);
    state.rateBps = Math.max(this.#parameters.minRateBps, cutBps);
    state.timeStage = 0;
    state.byteStage = 0;
    state.bytesCounted = 0;
    state.nextIncreasePs = timePs + this.#parameters.increasePeriodPs;
    this.#report(timePs, clamp ? 'DEC_CLAMP' : 'DEC', cause);
  }

  #cutClampsTarget(): boolean {
    const { clampTargetRate, clampTargetRateAfterTimeIncrease } = this.#parameters;
    const { byteStage, timeStage } = this.state;
    return clampTargetRate || byteStage !== 0 || (clampTargetRateAfterTimeIncrease && timeStage !== 0);
  }

  #increase(timePs: number, counter: IncreaseCounter): void {
    const state = this.state;
    const regime = increaseRegime(this.#parameters, state);
    increaseRate(this.#parameters, this.arithmetic, state, counter);
    state[counter] = Math.min(state[counter] + 1, LAST_STAGE[counter]);
    const cause = counter === 'timeStage' ? CAUSE_TIME : CAUSE_BYTES;
    this.#report(timePs, INCREASE_TRANSITION[regime], cause);
    if (canRelease(this.#parameters, state)) this.#release(timePs, cause);
  }

  #release(timePs: number, cause: Cause): void {
    const { lastEventPs } = this.state;
    const unlimited = unlimitedState(this.#parameters.maxRateBps, this.arithmetic.initialAlpha);
    Object.assign(this.state, unlimited, { lastEventPs });
    this.#report(timePs, 'RELEASE', cause);
  }

  #rateOnFirstCnp(): number {
    const { rateOnFirstCnpBps, rateOnFirstCnpFraction, minRateBps, maxRateBps } = this.#parameters;
    const { rateBps } = this.state;
    const part = rateOnFirstCnpFraction === 1 ? rateBps : this.arithmetic.round(rateBps * rateOnFirstCnpFraction);
    const wanted = rateOnFirstCnpBps > 0 ? rateOnFirstCnpBps : part;
    return Math.min(maxRateBps, Math.max(minRateBps, wanted));
  }

  /** The immediate effects of a CNP; others wait for the end of a period. */
  #reactAtOnce(timePs: number): void {
    const { cutTrigger, alphaUpdate, cutAlphaOrder } = this.#parameters;
    if (alphaUpdate === 'on-cnp' && cutAlphaOrder === 'alpha-first') this.#raiseAlpha(timePs);
    if (cutTrigger === 'on-cnp') this.#cut(timePs, 'notification');
    if (alphaUpdate === 'on-cnp' && cutAlphaOrder === 'cut-first') this.#raiseAlpha(timePs);
  }

  #raiseAlpha(timePs: number): void {
    this.state.alpha = this.arithmetic.alphaUp(this.state.alpha);
    this.state.nextAlphaPs = timePs + this.#parameters.alphaPeriodPs;
    this.#report(timePs, 'ALPHA_UP', 'notification');
  }

  #report(timePs: number, transition: DcqcnTransition, cause: Cause): void {
    const { listener, tracer } = this.#observers;
    listener?.(timePs, transition, this.state);
    const reason = REASONS[transition];
    if (!tracer || reason === undefined) return;
    const { rateBps, targetBps, timeStage, byteStage } = this.state;
    const usesAlpha = reason === trace.TRACE_FIRST_CNP || reason === trace.TRACE_CUT;
    const alpha = usesAlpha ? this.state.alpha / this.arithmetic.alphaUnit : 0;
    tracer.describe(reason, [alpha, targetBps, timeStage, byteStage]);
    tracer.changed(timePs, cause, rateBps);
  }
}

/*
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

/** Whether, without further events, increase steps of this counter can no longer change rate or limiter. */
export function increaseIsFrozen(parameters: DcqcnParameters, arithmetic: DcqcnArithmetic, state: Readonly<DcqcnState>,
  counter: IncreaseCounter): boolean {
  if (state[counter] <= parameters.fastRecoverySteps + 1) return false;
  const capped = state.targetBps === parameters.maxRateBps;
  if (!capped && targetIncrementBps(parameters, state) !== 0) return false;
  return arithmetic.average(state.rateBps, state.targetBps) === state.rateBps;
}

/** Moves each timer past the horizon if its expiries up to the horizon change nothing. */
function skipFrozenTimers(parameters: DcqcnParameters, arithmetic: DcqcnArithmetic, state: DcqcnState,
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
function skipFrozenBytes(parameters: DcqcnParameters, arithmetic: DcqcnArithmetic, state: DcqcnState): void {
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
