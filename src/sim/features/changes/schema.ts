/** Settings that change during a run. */
import * as z from 'zod';
import { CHANGEABLE_MARKING, CHANGEABLE_PARAMETERS, CHANGEABLE_OF_MRC, CHANGEABLE_PATH } from './changeable.js';
import { listOf, meta, numberAboveZero, record, rejecting, TIME_MAX_US } from '../../scenario/schema-parts.js';

const CHANGES_MAX = 1000;
const PATHS = rejecting(
  `a setting that can change while a run goes: ${
    [...CHANGEABLE_MARKING, ...CHANGEABLE_OF_MRC].join(', ')
  }, or algorithms.<name>.parameters and one of ${CHANGEABLE_PARAMETERS.join(', ')}`,
);
const ALLOWED = rejecting('an object of numbers by the path of their setting, such as switches.ecn.kminKB');

/** The setting `changes` of a scenario. */
export const CHANGES_SCHEMA = listOf(record({
  atUs: numberAboveZero(TIME_MAX_US, 'When, before anything else at that instant, us.'),
  set: z.record(z.string(PATHS).regex(CHANGEABLE_PATH, PATHS), z.number(rejecting('a number')), ALLOWED).meta(
    meta(
      'New values by the path of their setting, such as switches.ecn.kminKB or algorithms.default.parameters.aiRateBps: thresholds of marking (switches.ecn.kminKB, kmaxKB, pmax), hosts.mrc.receiverRangePackets, hosts.mrc.windowPenalty, and numbers of DCQCN. Everything else is fixed when a run begins.',
    ),
  ),
}, 'Settings from an instant on.', 'ChangeSpec'), 0, CHANGES_MAX,
  'Under standard: settings that change during the run, in order of time.');
