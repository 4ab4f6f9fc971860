/** Settings that can change while a run goes, by their path. Everything else is fixed when a run begins. */
import type { DcqcnParameters } from '../../config/algorithms/dcqcn/parameters.js';

/** Thresholds of marking. */
export const CHANGEABLE_MARKING = ['switches.ecn.kminKB', 'switches.ecn.kmaxKB', 'switches.ecn.pmax'] as const;

/** Numbers of DCQCN that a QP reads when it needs them. What it was opened with, and what its state is stored in, stays. */
export const CHANGEABLE_PARAMETERS = [
  'minRateBps',
  'alphaGain',
  'initialAlpha',
  'alphaPeriodPs',
  'cutPeriodPs',
  'minDecreaseFactor',
  'rateOnFirstCnpBps',
  'rateOnFirstCnpFraction',
  'increasePeriodPs',
  'byteCounterBytes',
  'fastRecoverySteps',
  'aiRateBps',
  'haiRateBps',
] as const satisfies readonly (keyof DcqcnParameters)[];

/** Paths of all of them. */
export const CHANGEABLE_PATH = new RegExp(`^(?:${CHANGEABLE_MARKING.join('|').replaceAll('.', String.raw`\.`)}|` +
  String.raw`algorithms\.[^\s:]{1,64}\.parameters\.(?:${CHANGEABLE_PARAMETERS.join('|')}))$`);
