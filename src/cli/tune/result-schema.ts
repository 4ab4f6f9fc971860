/**
 * Schema of a tuning result (`--json`), in the order of its JSON. Its type, docs/tuning-result.schema.json and
 * docs/reference/tuning-result-members.md are generated from it.
 */
import * as z from 'zod';
import { PLACED_NOTE, list, number, orNull, record, text, texts, words,
  type Inferred } from '../../sim/result-schema/parts.js';

const SCORE = record({
  violation: orNull(
    number('Sum of what exceeds limits, each relative to its limit; 0: within all. null: a run failed.'),
  ),
  objective: orNull(number('Geometric mean of the metric over all runs; null: no run has it.')),
  runs: number('Runs behind it.'),
}, 'A score of a set on cases and seeds.');

const COMPARED = record({
  name: text('Name of the set; found: that of the search.'),
  tuned: SCORE.describe('On the cases that the search ran.'),
  heldOut: z.record(z.string(), SCORE).describe('On each case that it did not see, by name.'),
  heldOutAll: orNull(SCORE.describe('On all of these together; null: there are none.')),
}, 'A set of parameters.');

const SENSITIVITY = record({
  parameter: text('Its name, or path.'),
  lower: orNull(
    number('Metric relative to that of the best set with the parameter lower; null: no result, or worse limits.'),
  ),
  higher: orNull(number('The same with the parameter higher.')),
}, 'What moving one parameter by a tenth of its range does.');

const VENDOR = record({
  lines: texts('Arguments of `mlxconfig set`, or lines of modprobe.d.'),
  notes: list(PLACED_NOTE, 'What they cannot express, and how they are written.'),
}, 'Settings of an adapter.');

/** The whole result. */
export const TUNE_RESULT_SCHEMA = record({
  format: words(['roce-cc-tune-1'], 'Format of the JSON text.'),
  name: text('Name of the tuning.'),
  minimise: text('Key of the metric that was to be small.'),
  runs: number('Runs of the search alone.'),
  best: z.record(z.string(), z.unknown()).describe('The set that was found: values by path.'),
  compared: list(COMPARED, 'The best set, then those it is compared with.'),
  beatsAllHeldOut: orNull(
    z.boolean().describe(
      'Whether the best set beats all others on the held-out cases; null: there are no other sets or no such cases.',
    ),
  ),
  sensitivity: list(SENSITIVITY, 'By parameter, in the order of the tuning.'),
  settings: orNull(
    record({ mlxconfig: VENDOR.describe('Of NVIDIA.'), irdma: VENDOR.describe('Of Intel.') },
      'The best set as settings of adapters.').describe(
        'The best set of DCQCN as settings of adapters, rounded to what these can hold; null: another algorithm.',
      ),
  ),
}, 'What a tuning found.');

export type TuneResult = Inferred<typeof TUNE_RESULT_SCHEMA>;
