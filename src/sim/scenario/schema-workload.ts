/** Workloads: flows, by the kind of traffic. */
import * as z from 'zod';
import { DEFAULT_OPERATION, DEFAULT_STAGGER_US, DEFAULT_START_US } from './defaults.js';
import { SIZE_DISTRIBUTION_NAMES } from '../workload/size-distributions.js';
import { DEFAULT_DESTINATION_PORT, FLOWS_MAX } from '../workload/workload-flows.js';
import { COLLECTIVE, JOB, PROGRAM } from '../features/jobs/schema.js';
import { alsoUnderUet, common, FLOW_COMMON, kindsOf, listOf, name, NODES_MAX, numberAboveZero, numberIn, optional,
  record, rejecting, sizeBytes, text, TIME_MAX_US, timeUs, typed, wholeIn, wordOf,
  WORKLOAD_COMMON as COMMON } from './schema-parts.js';
import { OPERATIONS } from './setting-words.js';

const port = (meaning: string, given?: number): z.ZodNumber => wholeIn(0, 65_535, meaning, given);
const hosts = alsoUnderUet(wholeIn(2, NODES_MAX, 'Number of hosts that take part, from the first. Default: all.'))
  .exactOptional();

const READY =
  'Of send: time of the run from which its receivers have posted a receive, us. Default: from the start. Before that they send RNR NAKs.';

const VERBS =
  'What a flow is to RDMA: a WRITE; a SEND, which needs a receive posted by its receiver; a READ, which its receiver requests. The three differ in what starts the data, and in who recovers from losses.';

/** Keys of a single flow. */
const FLOW_OPERATION = optional({
  operation: typed('Operation', wordOf(OPERATIONS, "Under standard: verb of the flow. Default: the workload's."),
    VERBS),
  receiverReadyUs: timeUs(READY),
});

/** Keys of a workload of independent flows. */
const OPERATION = common('OperationSpec', 'Keys of workloads of independent flows.', optional({
  operation: typed('Operation',
    wordOf(OPERATIONS,
      'Under standard: verb of its flows; with read, receivers request the data, which goes from `from` to `to` all the same.',
      DEFAULT_OPERATION), VERBS),
  receiverReadyUs: timeUs(READY),
}));

const FLOW = record({
  from: alsoUnderUet(name('Name of the host that has the data.')),
  to: alsoUnderUet(name('Name of the receiving host.')),
  sizeBytes: alsoUnderUet(sizeBytes('Payload.')),
  ...optional({
    startUs: alsoUnderUet(timeUs("Relative to the workload's start, us.", DEFAULT_START_US)),
    startPs: alsoUnderUet(
      wholeIn(0, TIME_MAX_US * 1e6, 'Instead of startUs where microseconds are too coarse, picoseconds.'),
    ),
    qp: name(
      'Under standard: name of the QP whose message it is; flows of the list with the same name share a QP. Default: as connections of the list says.',
    ),
    sourcePort: port("UDP source port, for hashes and captures. Default 10,000 + the number of the pair's flow."),
    destinationPort: port('UDP destination port.', DEFAULT_DESTINATION_PORT),
  }),
  ...FLOW_COMMON,
  ...FLOW_OPERATION,
}, 'One flow between two hosts, given by name.', 'FlowSpec');

const FLOWS = alsoUnderUet(record({
  kind: alsoUnderUet(z.literal('flows')),
  flows: alsoUnderUet(listOf(FLOW, 1, FLOWS_MAX, 'The flows.')),
  ...COMMON,
  ...OPERATION,
}, 'A list of flows.', 'FlowListSpec'));

/** Size setting of workloads whose flows all have one size. */
const PER_FLOW = alsoUnderUet(sizeBytes('Payload of each flow.'));

const INCAST = alsoUnderUet(record({
  kind: alsoUnderUet(z.literal('incast')),
  senders: alsoUnderUet(wholeIn(1, NODES_MAX, "How many hosts send: the first that aren't the receiver.")),
  to: alsoUnderUet(name('The receiver. Default: the last host.')).exactOptional(),
  sizeBytes: PER_FLOW,
  staggerUs: alsoUnderUet(timeUs('Start offset between consecutive senders, µs.', DEFAULT_STAGGER_US)).exactOptional(),
  ...COMMON,
  ...OPERATION,
}, 'Several hosts send to one at once.', 'IncastSpec'));

const PERMUTATION = alsoUnderUet(record({
  kind: alsoUnderUet(z.literal('permutation')),
  sizeBytes: PER_FLOW,
  ...COMMON,
  ...OPERATION,
}, 'Each host sends to another one and receives once: a seeded random permutation without fixed points.',
  'PermutationSpec'));

const ALL_TO_ALL = alsoUnderUet(record({
  kind: alsoUnderUet(z.literal('all-to-all')),
  sizeBytes: PER_FLOW,
  hosts,
  ...COMMON,
  ...OPERATION,
}, 'Each host sends to every other host.', 'AllToAllSpec'));

const RING_ALL_REDUCE = record({
  kind: z.literal('ring-all-reduce'),
  sizeBytes: sizeBytes('Bytes reduced at each host.'),
  hosts,
  ...COMMON,
}, '2 (n - 1) steps of size / n each; a host starts a step when it has received the previous one.',
  'RingAllReduceSpec');

const CDF_POINT = record({
  sizeBytes: numberIn(0, Number.MAX_SAFE_INTEGER, 'Payload.'),
  share: numberIn(0, 1, 'Share of flows up to this size.'),
}, 'A point of a cumulative distribution.');

const SIZE_FILE = record({ file: text('Path of the file, relative to the scenario.').min(1, rejecting('a path')) },
  "A file of points, size and cumulative percentage on each line, as ns-3's generators have them. The command line reads it; in code readSizePoints gives the points that replace it.",
  'SizeFile');

const SIZES = typed('SizeDistribution', z.union([
  typed('SizeDistributionName',
    wordOf(SIZE_DISTRIBUTION_NAMES,
      "Distributions of flow sizes by name: WebSearch, FB_Hadoop, AliStorage, Solar and GoogleRPC in the points that the generators of the reference simulators have; those that end in -roce-cc are this project's own, and not published.")),
  typed('SizeCdf',
    listOf(CDF_POINT, 1, 10_000,
      'Points of a cumulative distribution, linear between them: ascending, the last share 1.')),
  SIZE_FILE,
],
  rejecting(
    `${SIZE_DISTRIBUTION_NAMES.map((one) => `'${one}'`).join(', ')}, a list of { sizeBytes, share } or { file }`,
  )).describe('Sizes of flows: a distribution by name, points, or a file of points.'));

const POISSON = record({
  kind: z.literal('poisson'),
  load: numberAboveZero(1, "Share of the hosts' links that payload fills on average."),
  sizes: SIZES,
  ...optional({
    flows: wholeIn(1, FLOWS_MAX, 'Number of flows; instead of arrivalsForUs.'),
    arrivalsForUs: numberAboveZero(TIME_MAX_US, 'Duration of arrivals, us; instead of flows.'),
  }),
  ...COMMON,
  ...OPERATION,
}, 'Flows between random pairs of hosts arrive as a Poisson process.', 'PoissonSpec');

const WORKLOAD = typed('WorkloadSpec', z.discriminatedUnion('kind', [
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
])).describe('Flows, by the kind of traffic.'));

/** One workload, or several. */
export const WORKLOAD_SCHEMA = z.union([WORKLOAD, listOf(WORKLOAD, 1, 1000, 'Several workloads.')],
  rejecting('an object with a kind, or a list of such')).describe('The flows.');
