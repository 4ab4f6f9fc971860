/** Settings that can change while a run goes, by their path. Everything else is fixed when a run begins. */
import type { DcqcnParameters } from '../../../config/algorithms/dcqcn/parameters.js';

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
  String.raw`algorithms\.(?<algorithm>[^\s:]{1,64})\.parameters\.(?<parameter>${CHANGEABLE_PARAMETERS.join('|')}))$`);

/** What the value at a changeable path sets: a threshold of marking, or a parameter of an algorithm, whose name may have dots. */
export interface ChangeTarget {
  /** Name of the algorithm; undefined: a threshold of marking. */
  readonly algorithm?: string;
  /** Keys from the scenario to the value. */
  readonly steps: readonly string[];
}

/** The target of one of `CHANGEABLE_PATH`. */
export function changeTarget(path: string): ChangeTarget {
  const { algorithm, parameter } = CHANGEABLE_PATH.exec(path)?.groups ?? {};
  if (algorithm === undefined || parameter === undefined) return { steps: path.split('.') };
  return { algorithm, steps: ['algorithms', algorithm, 'parameters', parameter] };
}
