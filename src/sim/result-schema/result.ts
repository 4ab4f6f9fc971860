/**
 * The schemas of a result and of a run of a sweep, in the order of their JSON. The types of result-types.ts,
 * docs/result.schema.json, docs/sweep-result.schema.json, the tables of docs/guides/results.md and
 * docs/reference/sweep-result-members.md, and the check of results read from files are derived from them.
 */
import * as z from 'zod';
import { FIDELITIES } from '../scenario/setting-words.js';
import { DISCOVERY, JOB, UET_RESULT, WAN } from './features.js';
import { FLOW, QP } from './flows.js';
import { DEADLOCK, EQUAL_PATHS, PAUSE_INTERVAL, PORT, QUEUE_HISTOGRAM, SERIES, SUMMARY, TOTALS } from './network.js';
import { typeOf, absent, list, number, record, text, texts, words, NOTE, orNull, type Inferred } from './parts.js';

/** The whole result. */
export const RESULT_SCHEMA = record({
  format: words(['roce-cc-result-2'], 'Format of the JSON text.'),
  hash: text(
    'Hash of all else, scenario and seed included: 16 hex digits, two lanes of MurmurHash3. Equal results have equal hashes in every runtime.',
  ),
  fidelity: typeOf('Fidelity', './scenario/spec.js', words(FIDELITIES, 'Fidelity of the run.')),
  seed: number('Seed of random numbers.'),
  ended: words(['all-flows-done', 'jobs-done', 'time', 'stuck', 'deadlock', 'cancelled'],
    'Why the run ended. jobs-done: scenarios with end jobs; time: its duration is over; stuck: no event is left, also if flows have failed; deadlock: queues wait for each other, and nothing else is left.'),
  simulatedPs: number('Simulated time at the end of the run, picoseconds.'),
  events: number('Events handled.'),
  packetHops: number('Transmissions by any port.'),
  scenario: typeOf('ScenarioSpec', './scenario/spec.js', z.looseObject({})).describe('The scenario as given.'),
  notes: texts('Settings without effect here, and other facts that a reader should know.'),
  noteRecords: absent(
    list(NOTE,
      'The notes as data, in the same order. Not in the hash, as they say the same. Absent: in files of versions without them.'),
  ),
  summary: SUMMARY.describe('The run in a few numbers.'),
  totals: TOTALS.describe('Counters of the whole network.'),
  flows: list(FLOW, 'Flows by index.'),
  ports: list(PORT, 'Ports by index. None under reference-uet, whose program counts all queues together.'),
  equalPaths: absent(
    list(EQUAL_PATHS,
      'How switches used their equal paths. Absent: the scenario sets neither load balancing nor path selection.'),
  ),
  jobs: absent(list(JOB, 'Jobs in the order of the scenario. Absent: there are none.')),
  pauses: absent(
    list(PAUSE_INTERVAL, 'All pauses and their times, in order of time. Absent: without `record.pauses`.'),
  ),
  queueHistogram: absent(
    QUEUE_HISTOGRAM.describe('Histogram of the lengths of switch queues. Absent: without `record.queueHistogram`.'),
  ),
  series: SERIES.describe('What was recorded over time.'),
  deadlocks: absent(
    list(DEADLOCK, 'Deadlocks, at most the first 8. Absent: there was none, or they were not detected.'),
  ),
  discovery: absent(
    DISCOVERY.describe('What probes found before the flows started. Absent: the scenario has no discovery.'),
  ),
  qps: absent(
    list(QP, 'QPs that carry several flows as messages, in the order of their first flows. Absent: there is none.'),
  ),
  uet: absent(UET_RESULT),
  wan: absent(WAN.describe('Tunnels, borders and ARNs. Absent: the network has no WAN with provider edges.')),
}, 'The result of a run, as plain data. Times in picoseconds, rates in bits per second, sizes in bytes.', 'SimResult');

const BUCKET = record({
  fromBytes: number('Sizes above this, bytes.'),
  toBytes: number('Up to this, bytes.'),
  flows: number('Flows that are done.'),
  p50: orNull(number('Their median slowdown; null: no flow is done.')),
  p95: orNull(number('95th percentile.')),
  p99: orNull(number('99th percentile.')),
}, 'Flows of similar size.');

/** A run of a sweep as a line of JSON (`--jsonl`). */
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
