/** The schema of workloads; the types are in spec.ts. */
import * as z from 'zod';
import { DEFAULT_STAGGER_US, DEFAULT_START_US } from './defaults.js';
import { SIZE_DISTRIBUTION_NAMES } from '../workload/sizes/size-distributions.js';
import { DEFAULT_DESTINATION_PORT, FLOWS_MAX } from '../workload/workload-flow.js';
import { COLLECTIVE, JOB, PROGRAM } from './schema-jobs.js';
import { kindsOf, listOf, name, NODES_MAX, numberAboveZero, numberIn, optional, record, rejecting, sizeBytes, text,
  TIME_MAX_US, timeUs, wholeIn, wordOf, WORKLOAD_COMMON as COMMON, FLOW_COMMON } from './schema-parts.js';
import { FLOW_OPERATION, WORKLOAD_OPERATION as OPERATION } from './schema-verbs.js';

const port = (meaning: string, given?: number): z.ZodNumber => wholeIn(0, 65_535, meaning, given);
const hosts = wholeIn(2, NODES_MAX, 'Number of hosts that take part, from the first. Default: all.').exactOptional();

const FLOW = record({
  from: name('Name of the sending host.'),
  to: name('Name of the receiving host.'),
  sizeBytes: sizeBytes('Payload.'),
  ...optional({
    startUs: timeUs("Relative to the workload's start, us.", DEFAULT_START_US),
    startPs: wholeIn(0, TIME_MAX_US * 1e6, 'Instead of startUs, picoseconds.'),
    qp: name('Under standard: name of the QP whose message it is. Default: as connections of the list says.'),
    sourcePort: port("UDP source port. Default 10,000 + the number of the pair's flow."),
    destinationPort: port('UDP destination port.', DEFAULT_DESTINATION_PORT),
  }),
  ...FLOW_COMMON,
  ...FLOW_OPERATION,
}, 'One flow.');

const FLOWS = record({
  kind: z.literal('flows'),
  flows: listOf(FLOW, 1, FLOWS_MAX, 'The flows.'),
  ...COMMON,
  ...OPERATION,
}, 'Flows one by one.');

const INCAST = record({
  kind: z.literal('incast'),
  senders: wholeIn(1, NODES_MAX, "How many hosts send: the first that aren't the receiver."),
  to: name('The receiver. Default: the last host.').exactOptional(),
  sizeBytes: sizeBytes('Payload of each flow.'),
  staggerUs: timeUs('Start offset between consecutive senders, µs.', DEFAULT_STAGGER_US).exactOptional(),
  ...COMMON,
  ...OPERATION,
}, 'Several hosts send to one at once.');

const PERMUTATION = record({
  kind: z.literal('permutation'),
  sizeBytes: sizeBytes('Payload of each flow.'),
  ...COMMON,
  ...OPERATION,
}, 'Each host sends to another one and receives once; random.');

const ALL_TO_ALL = record({
  kind: z.literal('all-to-all'),
  sizeBytes: sizeBytes('Payload of each flow.'),
  hosts,
  ...COMMON,
  ...OPERATION,
}, 'Each host sends to every other host.');

const RING_ALL_REDUCE = record({
  kind: z.literal('ring-all-reduce'),
  sizeBytes: sizeBytes('Bytes reduced at each host.'),
  hosts,
  ...COMMON,
}, '2 (n - 1) steps of size / n each; a host starts a step when it has received the previous one.');

const CDF_POINT = record({
  sizeBytes: numberIn(0, Number.MAX_SAFE_INTEGER, 'Payload.'),
  share: numberIn(0, 1, 'Share of flows up to this size.'),
}, 'A point of a cumulative distribution.');

const SIZE_FILE = record({ file: text('Path of the file, relative to the scenario.').min(1, rejecting('a path')) },
  'A file of points, size and cumulative percentage on each line.');

const SIZES = z.union([
  wordOf(SIZE_DISTRIBUTION_NAMES, 'A distribution by name.'),
  listOf(CDF_POINT, 1, 10_000, 'Points, linear between them: ascending, the last share 1.'),
  SIZE_FILE,
],
  rejecting(
    `${SIZE_DISTRIBUTION_NAMES.map((one) => `'${one}'`).join(', ')}, a list of { sizeBytes, share } or { file }`,
  )).describe('Distribution of flow sizes.');

const POISSON = record({
  kind: z.literal('poisson'),
  load: numberAboveZero(1, "Share of the hosts' links that payload fills on average."),
  sizes: SIZES,
  ...optional({
    flows: wholeIn(1, FLOWS_MAX, 'Number of flows; or arrivalsForUs.'),
    arrivalsForUs: numberAboveZero(TIME_MAX_US, 'How long flows arrive, us; or flows.'),
  }),
  ...COMMON,
  ...OPERATION,
}, 'Flows between random pairs of hosts arrive as a Poisson process.');

const WORKLOAD = z.discriminatedUnion('kind', [
  FLOWS,
  INCAST,
  PERMUTATION,
  ALL_TO_ALL,
  RING_ALL_REDUCE,
  POISSON,
  JOB,
  COLLECTIVE,
  PROGRAM,
], kindsOf([
  'flows',
  'incast',
  'permutation',
  'all-to-all',
  'ring-all-reduce',
  'poisson',
  'job',
  'collective',
  'program',
]));

/** One workload, or several. */
export const WORKLOAD_SCHEMA = z.union([WORKLOAD, listOf(WORKLOAD, 1, 1000, 'Several workloads.')],
  rejecting('an object with a kind, or a list of such')).describe('The flows.');
