/** Settings that change while a run goes. Which ones may: everything that is fixed when a run begins has no path here. */
import * as z from 'zod';
import type { DcqcnParameters } from '../../config/algorithms/dcqcn/parameters.js';
import { listOf, meta, numberAboveZero, record, rejecting, TIME_MAX_US } from './schema-parts.js';

/** Thresholds of marking, by their path. */
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

const PATH = new RegExp(`^(?:${CHANGEABLE_MARKING.join('|').replaceAll('.', String.raw`\.`)}|` +
  String.raw`algorithms\.[^\s:]{1,64}\.parameters\.(?:${CHANGEABLE_PARAMETERS.join('|')}))$`);
const CHANGES_MAX = 1000;
const PATHS = rejecting(
  `a setting that can change while a run goes: ${
    CHANGEABLE_MARKING.join(', ')
  }, or algorithms.<name>.parameters and one of ${CHANGEABLE_PARAMETERS.join(', ')}`,
);
const ALLOWED = rejecting('an object of numbers by the path of their setting, such as switches.ecn.kminKB');

/** `changes` of a scenario. */
export const CHANGES_SCHEMA = listOf(record({
  atUs: numberAboveZero(TIME_MAX_US, 'When, before anything else at that instant, us.'),
  set: z.record(z.string(PATHS).regex(PATH, PATHS), z.number(rejecting('a number')), ALLOWED).meta(
    meta('New values by the path of the setting.'),
  ),
}, 'Settings from an instant on.'), 0, CHANGES_MAX,
  'Settings that change while the run goes, in order of time: thresholds of marking, and numbers of DCQCN. Fidelity standard.');
