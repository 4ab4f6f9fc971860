/**
 * The records that the engine keeps, as unmanaged classes over linear memory.
 *
 * Field order is the layout; `src/abi/layout.ts` says the same to the host, and the checks at the end
 * make the build fail when the two disagree.
 */
import { PARAMETER_SET_ALGORITHM } from '../../src/abi/ack-layout';
import { PARAMETER_SET_BYTE_COUNTER, PARAMETER_SET_BYTES, PARAMETER_SET_CUT_SCALE, PARAMETER_SET_NUMBERS,
  PARAMETER_SET_TIE_GAP, QP_BYTE_STAGE, QP_BYTES, QP_LAST_EVENT, QP_NEXT_SEND } from '../../src/abi/layout';

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

/** One parameter set of DCQCN; fields are named as in src/config/algorithms/dcqcn/parameters.ts. */
@unmanaged
export class DcqcnParameterSet {
  maxRateBps: f64;
  minRateBps: f64;
  alphaGain: f64;
  alphaRetention: f64;
  initialAlpha: f64;
  alphaPeriodPs: f64;
  increasePeriodPs: f64;
  cutPeriodPs: f64;
  cutOffsetPs: f64;
  aiRateBps: f64;
  haiRateBps: f64;
  rateOnFirstCnpBps: f64;
  rateOnFirstCnpFraction: f64;
  minDecreaseFactor: f64;
  cutScale: f64;
  releaseRateBps: f64;
  byteCounterBytes: u32;
  fastRecoverySteps: u32;
  switches: u32;
  numbers: u32;
  tieGapPs: f64;
  // Derived by algorithms/dcqcn/plain.ts. Pairs are [not due, due]; the three rates are by regime.
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
  hyperFrom: u32;
  hyperStageMask: u32;
  byteLimit: u32;
  byteMask: u32;
  free288: f64;
  free296: f64;
  free304: f64;
  free312: u32;
  /** ALGORITHM_*; parameter records of other algorithms have it at the same place. */
  algorithm: u32;
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkRecordLayouts(): void {
  if (offsetof<QpState>() != QP_BYTES) ERROR('QpState is not QP_BYTES long');
  if (offsetof<QpState>('lastEventPs') != QP_LAST_EVENT) ERROR('QpState.lastEventPs');
  if (offsetof<QpState>('nextSendPs') != QP_NEXT_SEND) ERROR('QpState.nextSendPs');
  if (offsetof<QpState>('byteStage') != QP_BYTE_STAGE) ERROR('QpState.byteStage');
  if (<u32>offsetof<DcqcnParameterSet>() > <u32>PARAMETER_SET_BYTES)
    ERROR('DcqcnParameterSet is longer than PARAMETER_SET_BYTES');
  if (offsetof<DcqcnParameterSet>('cutScale') != PARAMETER_SET_CUT_SCALE) ERROR('DcqcnParameterSet.cutScale');
  if (offsetof<DcqcnParameterSet>('byteCounterBytes') != PARAMETER_SET_BYTE_COUNTER)
    ERROR('DcqcnParameterSet.byteCounterBytes');
  if (offsetof<DcqcnParameterSet>('numbers') != PARAMETER_SET_NUMBERS) ERROR('DcqcnParameterSet.numbers');
  if (offsetof<DcqcnParameterSet>('algorithm') != PARAMETER_SET_ALGORITHM) ERROR('DcqcnParameterSet.algorithm');
  if (offsetof<DcqcnParameterSet>('tieGapPs') != PARAMETER_SET_TIE_GAP) ERROR('DcqcnParameterSet.tieGapPs');
}
