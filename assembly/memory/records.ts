/**
 * The records that the engine keeps, as unmanaged classes over linear memory.
 *
 * Field order is the layout; `src/abi/layout.ts` says the same to the host, and the checks at the end
 * make the build fail when the two disagree.
 */
import { PARAMETER_SET_BYTES, QP_BYTE_STAGE, QP_BYTES, QP_LAST_EVENT, QP_NEXT_SEND } from '../../src/abi/layout';

/** The reaction point of one QP: one cache line. */
@unmanaged
export class QpState {
  /** R_C, bits per second. */
  rateBps: f64;
  /** R_T, bits per second. */
  targetBps: f64;
  /** 0..1, or 0..1023 under alpha-q10. */
  alpha: f64;
  /** Next expiry of the alpha timer; Infinity = stopped. */
  nextAlphaPs: f64;
  /** Next expiry of the increase timer; Infinity = stopped. */
  nextIncreasePs: f64;
  /** Time of the last event that touched this record. */
  lastEventPs: f64;
  /** Pacing: the next packet may leave from here on. */
  nextSendPs: f64;
  /** Bytes since the last byte-counter step or cut. */
  bytesCounted: u32;
  /** T, saturating. */
  timeStage: u16;
  /** B, saturating. */
  byteStage: u16;
}

/** What all parameter sets begin with; each algorithm's own class goes on behind it. */
@unmanaged
export class ParameterSet {
  /** ALGORITHM_* */
  algorithm: u32;
  /** Bits of the algorithm's own; DCQCN_PLAIN is no other's. */
  switches: u32;
  maxRateBps: f64;
  minRateBps: f64;
}

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
  // Derived by algorithms/dcqcn/plain.ts. Pairs are [not due, due]; the three rates are by regime.
  hyperFrom: u32;
  alphaFactorIdle: f64;
  alphaFactorDue: f64;
  alphaFloorIdle: f64;
  alphaFloorDue: f64;
  alphaPeriodIdle: f64;
  alphaPeriodDue: f64;
  increasePeriodIdle: f64;
  increasePeriodDue: f64;
  rateShareIdle: f64;
  rateShareDue: f64;
  targetShareIdle: f64;
  targetShareDue: f64;
  fastRecoveryBps: f64;
  additiveBps: f64;
  hyperBps: f64;
  hyperStageMask: u32;
  byteLimit: u32;
  byteMask: u32;
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkRecordLayouts(): void {
  if (offsetof<QpState>() != QP_BYTES) ERROR('QpState is not QP_BYTES long');
  if (offsetof<QpState>('lastEventPs') != QP_LAST_EVENT) ERROR('QpState.lastEventPs');
  if (offsetof<QpState>('nextSendPs') != QP_NEXT_SEND) ERROR('QpState.nextSendPs');
  if (offsetof<QpState>('byteStage') != QP_BYTE_STAGE) ERROR('QpState.byteStage');
  if (<u32>offsetof<DcqcnParameterSet>() > <u32>PARAMETER_SET_BYTES)
    ERROR('DcqcnParameterSet is longer than PARAMETER_SET_BYTES');
}
