/** The record of a DCQCN parameter set in linear memory; the QP's record is QpState (memory/records.ts). */
import { PARAMETER_SET_BYTES } from '../../../src/abi/layout';
import { ParameterSet } from '../../memory/records';

/** One parameter set of DCQCN, as src/config/algorithms/dcqcn.ts writes it. */
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
  /** Rate on the first CNP; 0 = use rateOnFirstCnpFraction. */
  rateOnFirstCnpBps: f64;
  rateOnFirstCnpFraction: f64;
  /** Minimum part of the rate that remains after a cut, 0 to 1. */
  minDecreaseFactor: f64;
  /** Factor of alpha in a cut: 1/2 or 1. */
  cutScale: f64;
  /** At or above this rate the limiter is released; Infinity = never. */
  releaseRateBps: f64;
  /** Timers at t - this expire before an event at t: 0 (timers first) or 1 ps (event first). */
  tieGapPs: f64;
  /** Bytes between two increase steps; 0 = no byte counter. */
  byteCounterBytes: u32;
  fastRecoverySteps: u32;
  /** Numeric policy, NUMBERS_*. */
  numbers: u32;
  // Derived by fast-path.ts.
  /** First stage with hyper increase. */
  hyperFrom: u32;
  /** All ones if hyper increase grows with its stage, else 0. */
  hyperStageMask: u32;
  /** Bytes between increase steps; all ones without a byte counter. */
  byteLimit: u32;
  /** All ones with a byte counter, else 0. */
  byteMask: u32;
}

/** Casts a parameter set that is known to be DCQCN's. */
@inline export function asDcqcn(p: ParameterSet): DcqcnParameterSet {
  return changetype<DcqcnParameterSet>(p);
}

/** Fails the build if the layout does not match. */
export function checkDcqcnLayout(): void {
  if (<u32>offsetof<DcqcnParameterSet>() > <u32>PARAMETER_SET_BYTES)
    ERROR('DcqcnParameterSet is longer than PARAMETER_SET_BYTES');
}
