/** Paths of the settings that can change during a run. All others are fixed when it begins. */
import type { DcqcnParameters } from '../../config/algorithms/dcqcn.js';

/** Marking thresholds. */
export const CHANGEABLE_MARKING = ['switches.ecn.kminKB', 'switches.ecn.kmaxKB', 'switches.ecn.pmax'] as const;

/** The range of receivers of MRC. */
export const CHANGEABLE_RANGE = 'hosts.mrc.receiverRangePackets';

/** The penalty of windows that receivers of MRC demand. */
export const CHANGEABLE_PENALTY = 'hosts.mrc.windowPenalty';

/** Settings that are neither thresholds nor parameters. */
export const CHANGEABLE_OF_MRC = [CHANGEABLE_RANGE, CHANGEABLE_PENALTY] as const;

/**
 * DCQCN parameters that a QP reads each time it uses them. Those copied when a QP is opened, or that determine its state's
 * format, cannot change.
 */
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

/** Matches the path of any changeable setting. */
export const CHANGEABLE_PATH = new RegExp(
  `^(?:${[...CHANGEABLE_MARKING, ...CHANGEABLE_OF_MRC].join('|').replaceAll('.', String.raw`\.`)}|` +
    String.raw`algorithms\.(?<algorithm>[^\s:]{1,64})\.parameters\.(?<parameter>${CHANGEABLE_PARAMETERS.join('|')}))$`,
);

/** What a changeable path refers to: a marking threshold, a setting of MRC's receivers, or a parameter of an algorithm, whose name may contain dots. */
export interface ChangeTarget {
  /** Name of the algorithm; undefined: no parameter of an algorithm. */
  readonly algorithm?: string;
  /** Keys from the scenario to the value. */
  readonly steps: readonly string[];
}

/** Parses a path that `CHANGEABLE_PATH` matches. */
export function changeTarget(path: string): ChangeTarget {
  const { algorithm, parameter } = CHANGEABLE_PATH.exec(path)?.groups ?? {};
  if (algorithm === undefined || parameter === undefined) return { steps: path.split('.') };
  return { algorithm, steps: ['algorithms', algorithm, 'parameters', parameter] };
}

/** Whether a path is that of a threshold of marking. */
export function isOfMarking(path: string): boolean {
  return (CHANGEABLE_MARKING as readonly string[]).includes(path);
}
