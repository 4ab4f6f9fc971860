/**
 * The schema of a sweep's run as a line of JSON (`--jsonl`), in the order of its JSON. Its type, docs/sweep-result.schema.json
 * and docs/reference/sweep-result-members.md are derived from it.
 */
import * as z from 'zod';
import { absent, list, number, orNull, record, text, words, type Inferred } from './parts.js';
import { RESULT_SCHEMA } from './result.js';

const BUCKET = record({
  fromBytes: number('Sizes above this, bytes.'),
  toBytes: number('Up to this, bytes.'),
  flows: number('Flows that are done.'),
  p50: orNull(number('Their median slowdown; null: no flow is done.')),
  p95: orNull(number('95th percentile.')),
  p99: orNull(number('99th percentile.')),
}, 'Flows of similar size.');

/** The schema of one line. */
export const SWEEP_ROW_SCHEMA = record({
  run: number('Index of the run in the plan.'),
  scenario: text('Hash of its scenario: 16 hex digits.'),
  axes: z.record(z.string(), z.unknown()).describe('Values by the name of each axis.'),
  seed: number('Its seed.'),
  ended: words([...RESULT_SCHEMA.shape.ended.options, 'failed', 'out-of-memory', 'out-of-time', 'crashed'],
    'Why it ended, as in a result. Without a result: failed, it threw; out-of-memory, it needs more than allowed; out-of-time, it took longer than allowed; crashed, its worker ended.'),
  reason: absent(text('Why there is no result, on one line. Absent: there is one.')),
  result: absent(text('Hash of the whole result. Absent, as what follows: there is none.')),
  metrics: absent(
    z.record(z.string(), z.nullable(z.number())).describe('Numbers by the key of each metric; null: the run has none.'),
  ),
  buckets: absent(list(BUCKET, 'Slowdown by flow size.')),
}, 'A run and its outcome. Nothing in it depends on a clock, or on where it ran.');

export type SweepLine = Inferred<typeof SWEEP_ROW_SCHEMA>;
