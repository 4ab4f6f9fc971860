/** DCQCN's parameters and state as dcqcn.json declares them. */
import { Qp } from 'roce-cc/algorithm/as';

// Words of dcqcn.json by their place there; the others are 0.
export const WHOLE_BPS: f64 = 1;
export const ALPHA_Q10: f64 = 2;
export const PER_PERIOD: f64 = 1;
export const ALPHA_FIRST: f64 = 1;
export const FROM_FIRST_CUT: f64 = 1;
export const TIME_ONLY: f64 = 1;
export const HYPER_ABOVE: f64 = 1;
export const HYPER_STAGE: f64 = 1;
export const NEVER_RELEASED: f64 = 1;

/** As in dcqcn.json. */
@unmanaged
export class Parameters {
  numbers: f64;
  minRateBps: f64;
  alphaGain: f64;
  initialAlpha: f64;
  alphaUpdate: f64;
  alphaPeriodPs: f64;
  cutTrigger: f64;
  cutPeriodPs: f64;
  cutOffsetPs: f64;
  cutAlphaOrder: f64;
  cutScale: f64;
  minDecreaseFactor: f64;
  rateOnFirstCnpBps: f64;
  rateOnFirstCnpFraction: f64;
  firstCnpCuts: f64;
  clampTargetRate: f64;
  clampTargetRateAfterTimeIncrease: f64;
  increasePeriodPs: f64;
  increaseTimerStart: f64;
  byteCounterBytes: f64;
  fastRecoverySteps: f64;
  stages: f64;
  aiRateBps: f64;
  haiRateBps: f64;
  hyperThreshold: f64;
  hyperFactor: f64;
  hyperHalvesPeriods: f64;
  targetReduction: f64;
  limiterRelease: f64;
  releaseGapBps: f64;
  simultaneous: f64;
}

@unmanaged
export class State {
  targetBps: f64;
  /** An integer of 2^-10 under alpha-q10. */
  alpha: f64;
  timeStage: f64;
  byteStage: f64;
  bytesCounted: f64;
  alphaCnp: f64;
  cutPending: f64;
}

@inline export function parametersAt(address: usize): Parameters {
  return changetype<Parameters>(address);
}

@inline export function stateOf(qp: Qp): State {
  return changetype<State>(qp.state);
}
