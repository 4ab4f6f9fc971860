/** A parameter set of DCQCN as a record over linear memory; the QP's own record is QpState (memory/records.ts). */
import { PARAMETER_SET_BYTES } from '../../../src/abi/layout';
import { ParameterSet } from '../../memory/records';

/** One parameter set of DCQCN, as src/config/algorithms/dcqcn/record.ts writes it. */
@unmanaged
export class DcqcnParameterSet extends ParameterSet {
  /** g; under alpha-q10 g * 1024. */
  alphaGain: f64;
  /** 1 - g; under alpha-q10 (1 - g) * 1024. */
  alphaRetention: f64;
  initialAlpha: f64;
  alphaPeriodPs: f64;
  increasePeriodPs: f64;
  cutPeriodPs: f64;
  cutOffsetPs: f64;
  aiRateBps: f64;
  haiRateBps: f64;
  /** 0 = keep the fraction below. */
  rateOnFirstCnpBps: f64;
  rateOnFirstCnpFraction: f64;
  /** A cut leaves at least this part of the rate, 0 to 1. */
  minDecreaseFactor: f64;
  /** What alpha is multiplied by in a cut: 1/2 or 1. */
  cutScale: f64;
  /** At or above this rate the limiter is released; Infinity = never. */
  releaseRateBps: f64;
  /** Timers at t - this expire before an event at t: 0 (timers first) or 1 ps (event first). */
  tieGapPs: f64;
  /** 0 = no byte counter. */
  byteCounterBytes: u32;
  fastRecoverySteps: u32;
  /** NUMBERS_* */
  numbers: u32;
  // Derived by fast-path.ts.
  /** Hyper increase from this stage on. */
  hyperFrom: u32;
  /** All ones where hyper increase grows with its stage, else 0. */
  hyperStageMask: u32;
  /** All ones where no byte counter is. */
  byteLimit: u32;
  /** 0 where no byte counter is, else all ones. */
  byteMask: u32;
}

/** A parameter set that is known to be DCQCN's. */
@inline export function asDcqcn(p: ParameterSet): DcqcnParameterSet {
  return changetype<DcqcnParameterSet>(p);
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkDcqcnLayout(): void {
  if (<u32>offsetof<DcqcnParameterSet>() > <u32>PARAMETER_SET_BYTES)
    ERROR('DcqcnParameterSet is longer than PARAMETER_SET_BYTES');
}
