/**
 * The schema of a result, in the order of its JSON. The types of result-types.ts, docs/result.schema.json, the tables of
 * docs/guides/results.md and the check of results read from files are derived from it.
 */
import * as z from 'zod';
import { DISCOVERY, JOB, UET_RESULT, WAN } from './features.js';
import { FIDELITIES } from '../scenario/setting-words.js';
import { FLOW, QP } from './flows.js';
import { typeOf, absent, list, number, record, text, texts, words, NOTE } from './parts.js';
import { DEADLOCK, EQUAL_PATHS, PAUSE_INTERVAL, PORT, QUEUE_HISTOGRAM, SERIES } from './ports.js';
import { SUMMARY, TOTALS } from './totals.js';

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
