/**
 * One increase step of DCQCN: its regime, and its effect on target and rate.
 *
 * Inputs: the two stage counters before the step, F = fastRecoverySteps.
 *   hi = max(T, B), lo = min(T, B); without a byte stage (`stages: 'time'`) hi = lo = T.
 *
 *   regime          when                             R_T
 *   fast-recovery   hi < F                           stays
 *   hyper           lo >= F, or lo > F ('above')     + R_HAI, or + R_HAI (lo - F + 1) ('stage')
 *   additive        else                             + R_AI
 *
 * then R_T is capped at the maximum rate, reduced by QCN's target reduction if enabled, and R_C = mean of R_C and R_T.
 *
 * Source: Zhu et al., SIGCOMM 2015, section 3.1 and figure 7; the authors' ns-3 simulator for the stage factor,
 * the halved periods and the target reduction; NVIDIA "DCQCN CC parameters" for the constant R_HAI.
 */
import { ALPHA_FLOOR, BYTE_STAGE_MAX, STAGE_MAX } from '../../../abi/codes.js';
import type { DcqcnRecordState } from '../../../abi/state/dcqcn.js';
import type { DcqcnParameters } from '../../../config/algorithms/dcqcn.js';

/** The state of one QP: pure data, so that it can be copied, compared and printed. */
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

/**
 * The three numeric policies of DCQCN: three kinds of rounding for one state machine.
 *
 * float64    alpha and rates are doubles.
 *              alpha up    (1 - g) alpha + g          alpha down  (1 - g) alpha, 0 below 2^-64
 *              cut         max(R (1 - alpha s), m R)  average     (R + T) / 2
 * whole-bps  as float64, but each new rate is truncated to whole bits per second; the two terms of an average are
 *            truncated separately (as in the ns-3 reference simulator, whose rates are 64-bit integers).
 *              cut         max(trunc(R (1 - alpha s)), trunc(m R))
 *              average     floor(R / 2) + floor(T / 2)
 * alpha-q10  alpha is an integer of 2^-10, 0..1023, with floor division; G = 1024 (1 - g).
 *              alpha up    min(1023, floor(G alpha / 1024) + 1024 - G)    alpha down  floor(G alpha / 1024)
 *              cut         R - min(floor(R alpha s / 1024), floor((1 - m) R))
 *              average     floor((R + T) / 2)
 *
 * s = cutScale, m = minDecreaseFactor. Sources: Zhu et al., SIGCOMM 2015, equation 1; NVIDIA "DCQCN CC parameters".
 * Known deviations: alpha is set to 0 below 2^-64, which bounds the decay and never affects a later state.
 *
 * Rates in bits per second, alpha as the policy stores it.
 */
export interface DcqcnArithmetic {
  /** Stored value of alpha 1: 1, or 1024 under `alpha-q10`. */
  readonly alphaUnit: number;
  /** The stored form of the parameter initialAlpha. */
  readonly initialAlpha: number;
  alphaUp(alpha: number): number;
  alphaDown(alpha: number): number;
  /** R_C after a cut, before the floor minRateBps. */
  cut(rateBps: number, alpha: number): number;
  /** The mean of R_C and R_T. */
  average(rateBps: number, targetBps: number): number;
  /** Rounds a computed rate to the precision of the policy. */
  round(rateBps: number): number;
}

/** Makes the arithmetic of the policy `parameters.numbers`. */
export function createArithmetic(parameters: DcqcnParameters): DcqcnArithmetic {
  switch (parameters.numbers) {
    case 'float64':
      return createFloat64(parameters);
    case 'whole-bps':
      return createWholeBps(parameters);
    case 'alpha-q10':
      return createAlphaQ10(parameters);
  }
}

function createFloat64(parameters: DcqcnParameters): DcqcnArithmetic {
  const { alphaGain, cutScale, minDecreaseFactor } = parameters;
  const retention = 1 - alphaGain;
  return {
    alphaUnit: 1,
    initialAlpha: parameters.initialAlpha,
    alphaUp: (alpha) => retention * alpha + alphaGain,
    alphaDown(alpha) {
      const lower = retention * alpha;
      return lower < ALPHA_FLOOR ? 0 : lower;
    },
    cut(rateBps, alpha) {
      const cutRate = rateBps * (1 - alpha * cutScale);
      const floorRate = rateBps * minDecreaseFactor;
      return cutRate < floorRate ? floorRate : cutRate;
    },
    average: (rateBps, targetBps) => (rateBps + targetBps) * 0.5,
    round: (rateBps) => rateBps,
  };
}

function createWholeBps(parameters: DcqcnParameters): DcqcnArithmetic {
  const { cutScale, minDecreaseFactor } = parameters;
  return {
    ...createFloat64(parameters),
    cut(rateBps, alpha) {
      const cutRate = Math.floor(rateBps * (1 - alpha * cutScale));
      const floorRate = Math.floor(rateBps * minDecreaseFactor);
      return cutRate < floorRate ? floorRate : cutRate;
    },
    average: (rateBps, targetBps) => Math.floor(rateBps * 0.5) + Math.floor(targetBps * 0.5),
    round: Math.floor,
  };
}

function createAlphaQ10(parameters: DcqcnParameters): DcqcnArithmetic {
  const { cutScale, minDecreaseFactor } = parameters;
  const retention = (1 - parameters.alphaGain) * 1024;
  const gain = 1024 - retention;
  return {
    alphaUnit: 1024,
    initialAlpha: parameters.initialAlpha * 1024,
    alphaUp: (alpha) => Math.min(1023, Math.floor((retention * alpha) / 1024) + gain),
    alphaDown: (alpha) => Math.floor((retention * alpha) / 1024),
    cut(rateBps, alpha) {
      const byAlpha = Math.floor(rateBps * alpha * (cutScale / 1024));
      const atMost = Math.floor(rateBps * (1 - minDecreaseFactor));
      return rateBps - (byAlpha < atMost ? byAlpha : atMost);
    },
    average: (rateBps, targetBps) => Math.floor((rateBps + targetBps) * 0.5),
    round: Math.floor,
  };
}

export type IncreaseRegime = 'fast-recovery' | 'additive' | 'hyper';
export type IncreaseCounter = 'timeStage' | 'byteStage';

/** Maximum of each stage counter. */
export const LAST_STAGE: Readonly<Record<IncreaseCounter, number>> = {
  timeStage: STAGE_MAX,
  byteStage: BYTE_STAGE_MAX,
};

/** The regime of the next step. */
export function increaseRegime(parameters: DcqcnParameters, state: Readonly<DcqcnState>): IncreaseRegime {
  const steps = parameters.fastRecoverySteps;
  const lo = lowerStage(parameters, state);
  if (higherStage(parameters, state) < steps) return 'fast-recovery';
  const hyper = parameters.hyperThreshold === 'at' ? lo >= steps : lo > steps;
  return hyper ? 'hyper' : 'additive';
}

/** Increment of R_T in the next step, bits per second. */
export function targetIncrementBps(parameters: DcqcnParameters, state: Readonly<DcqcnState>): number {
  switch (increaseRegime(parameters, state)) {
    case 'fast-recovery':
      return 0;
    case 'additive':
      return parameters.aiRateBps;
    case 'hyper':
      if (parameters.hyperFactor === 'constant') return parameters.haiRateBps;
      return parameters.haiRateBps * (lowerStage(parameters, state) - parameters.fastRecoverySteps + 1);
  }
}

/** Applies one step to target and rate; the caller updates the stage counters. */
export function increaseRate(parameters: DcqcnParameters, arithmetic: DcqcnArithmetic, state: DcqcnState,
  counter: IncreaseCounter): void {
  const raised = state.targetBps + targetIncrementBps(parameters, state);
  state.targetBps = raised > parameters.maxRateBps ? parameters.maxRateBps : raised;
  if (parameters.targetReduction && state[counter] === 0 && state.targetBps > 10 * state.rateBps) {
    state.targetBps = arithmetic.round(state.targetBps / 8);
  }
  state.rateBps = arithmetic.average(state.rateBps, state.targetBps);
}

/** Whether an increase step that ends in this state removes the limiter. */
export function canRelease(parameters: DcqcnParameters, state: Readonly<DcqcnState>): boolean {
  if (parameters.limiterRelease === 'never' || state.cutPending) return false;
  return state.rateBps >= parameters.maxRateBps - parameters.releaseGapBps;
}

/** The increase timer's next period after a step of that regime, picoseconds. */
export function increasePeriodPs(parameters: DcqcnParameters, regime: IncreaseRegime): number {
  return periodIn(parameters, regime, parameters.increasePeriodPs);
}

/** Bytes until the next step after one of that regime; 0 = no byte counter. */
export function byteLimitBytes(parameters: DcqcnParameters, regime: IncreaseRegime): number {
  if (parameters.byteCounterBytes === 0) return 0;
  return periodIn(parameters, regime, parameters.byteCounterBytes);
}

/** The period, halved in hyper increase if so configured; at least 1, as a period of 0 would loop forever. */
function periodIn(parameters: DcqcnParameters, regime: IncreaseRegime, period: number): number {
  const halved = parameters.hyperHalvesPeriods && regime === 'hyper';
  return halved ? Math.max(1, Math.floor(period / 2)) : period;
}

function higherStage(parameters: DcqcnParameters, state: Readonly<DcqcnState>): number {
  return parameters.stages === 'time' ? state.timeStage : Math.max(state.timeStage, state.byteStage);
}

function lowerStage(parameters: DcqcnParameters, state: Readonly<DcqcnState>): number {
  return parameters.stages === 'time' ? state.timeStage : Math.min(state.timeStage, state.byteStage);
}
