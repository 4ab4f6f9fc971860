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
import type { DcqcnParameters } from '../../../config/algorithms/dcqcn/parameters.js';
import { BYTE_STAGE_MAX, STAGE_MAX } from '../../../abi/codes.js';
import type { DcqcnArithmetic } from './arithmetic.js';
import type { DcqcnState } from './state.js';

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
