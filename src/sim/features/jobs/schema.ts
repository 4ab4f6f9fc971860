/** Jobs: graphs of operations from files, collectives, programs. */
import * as z from 'zod';
import { FILE_DEFAULTS, JOB_FORMAT_NAMES, JOB_FORMATS, type JobFormat } from '../../../workloads/job-formats.js';
import { CHANNELS_MAX, GPU_TYPES, NCCL_ALGORITHMS } from '../../../workloads/simai/nccl/nccl-settings.js';
import { DEFAULT_COLLECTIVE, DEFAULT_ITERATIONS, DEFAULT_MESSAGES, DEFAULT_RANKS_PER_HOST,
  DEFAULT_SERVERS } from '../../scenario/defaults.js';
import { common, flag, kindsOf, listOf, name, NODES_MAX, numberAboveZero, numberIn, optional, record, rejecting,
  sizeBytes, text, TIME_MAX_US, timeUs, typed, wholeIn, wordOf, WORKLOAD_COMMON } from '../../scenario/schema-parts.js';

/** The module that declares the types of collectives. */
const COLLECTIVES = { from: '../../workloads/collectives/algorithms.js' };
const overheadNs = (meaning: string, given: number): z.ZodNumber => numberIn(0, TIME_MAX_US, meaning, given);

const MESSAGES = common('MessageSpec', 'When messages of a job are done, and the time that they cost their ranks.',
  optional({
    sendDone: wordOf(['acked', 'delivered', 'issued'],
      'When a send is done: at its last ACK (acked), with its last byte at the receiver (delivered), or as it leaves (issued).',
      DEFAULT_MESSAGES.sendDone),
    eagerBytes: wholeIn(0, Number.MAX_SAFE_INTEGER, 'Sends of at most this size are done as they leave, bytes.',
      DEFAULT_MESSAGES.eagerBytes),
    receiveDone: wordOf(['last-byte', 'last-ack'],
      'When a receive is done: with its last byte, or when the sender has its last ACK.', DEFAULT_MESSAGES.receiveDone),
    sendOverheadNs: overheadNs('How long a send occupies its lane before it leaves, ns.',
      DEFAULT_MESSAGES.sendOverheadNs),
    receiveOverheadNs: overheadNs('How long a receive occupies its lane once its message has arrived, ns.',
      DEFAULT_MESSAGES.receiveOverheadNs),
  }));

/** Keys common to all jobs. */
export const JOB_COMMON = common('JobCommon',
  'Keys common to all jobs: graphs of operations, whose messages are flows.', {
  ...WORKLOAD_COMMON,
  ...optional({
    name: name("Name in results, and for `after` of other jobs. Default: the file's name, or the kind and its place."),
    hosts: listOf(name('Name of a host.'), 1, NODES_MAX,
      'Hosts of its ranks, in order. Default: all hosts, as many as there are ranks.'),
    after: name('Name of a job before it in the list: it begins startUs after the end of that one.'),
    placement: typed('Placement',
      wordOf(['linear', 'random', 'by-leaf', 'spread'],
        'How its ranks are placed on hosts that no earlier job uses, instead of hosts: the first ones (linear); random ones, in random order; leaf by leaf, those with most free hosts first (by-leaf); round-robin over the leaves (spread).')),
    ranksPerHost: wholeIn(1, NODES_MAX, 'Neighbouring ranks that share a host.', DEFAULT_RANKS_PER_HOST),
  }),
  ...MESSAGES,
});

const ITERATIONS = common('IterationSpec', 'Jobs that are run repeatedly.', optional({
  iterations: wholeIn(1, 1_000_000, 'Number of runs: each rank begins again when all its operations are done.',
    DEFAULT_ITERATIONS.iterations),
  barrier: flag('Whether each rank waits for all others before it begins again.', DEFAULT_ITERATIONS.barrier),
}));

/** Operations or bytes per second. */
const SPEED_MAX = 1e21;

/** Settings of jobs of format `simai`: how collectives become messages (src/workloads/simai/nccl). */
const NCCL = {
  gpusPerServer: wholeIn(1, 1024, 'Of simai: GPUs per server. Default: 1, of one ring for each group.'),
  gpuType: wordOf(GPU_TYPES, 'Of simai: type of the GPUs.', FILE_DEFAULTS.gpuType),
  channels: wholeIn(1, CHANNELS_MAX,
    'Of simai: most rings of a group. Default: one for each GPU of a server, or one within a server.'),
  ncclAlgorithm: wordOf(NCCL_ALGORITHMS, 'Of simai: how all-reduces run.', FILE_DEFAULTS.ncclAlgorithm),
  nvls: flag('Of simai: whether auto may use NVLS, as AS_NVLS_ENABLE.', FILE_DEFAULTS.nvls),
  pxn: flag('Of simai: whether rings leave servers along rails, as AS_PXN_ENABLE.', FILE_DEFAULTS.pxn),
  nvlinkGbps: numberIn(0.001, 1e6, "Of simai: rate of a GPU's NVLink, for NVLS and nccl, Gb/s.",
    FILE_DEFAULTS.nvlinkGbps),
  nicGbps: numberIn(0.001, 1e6, "Of simai: rate of a GPU's NIC, for nccl, Gb/s.", FILE_DEFAULTS.nicGbps),
  nvlinkLatencyNs: numberIn(0, 1e9, "Of simai: latency of a GPU's NVLink, for NVLS, ns.",
    FILE_DEFAULTS.nvlinkLatencyNs),
};

/** Settings for reading files, by format. */
export const SETTINGS_OF_FORMAT = {
  cm: {
    startUnit: wordOf(['ps', 'us'], 'Of cm: the unit of its starts.', FILE_DEFAULTS.startUnit),
    failures: wordOf(['noted', 'in-topology'], 'Of cm: whether its link failures are in the topology, or only noted.',
      FILE_DEFAULTS.failures),
  },
  chakra: {
    groups: text('Of chakra: path of the groups of ranks. Default: comm_group.json next to the traces, if it exists.')
      .min(1, rejecting('text of at least one character')),
    controlDependencies: flag("Of chakra: whether dependencies on the host's call tree count as dependencies on ends.",
      FILE_DEFAULTS.controlDependencies),
    hostCommunication: wordOf(['noted', 'sent'],
      'Of chakra: whether communication with is_cpu_op true is sent, or takes its duration and is noted.',
      FILE_DEFAULTS.hostCommunication),
    opsPerSecond: numberAboveZero(SPEED_MAX,
      'Of chakra: speed of computes with num_ops and no duration, operations per second. Default: they take no time.'),
    memoryBytesPerSecond: numberAboveZero(SPEED_MAX,
      'Of chakra: speed of loads and stores with tensor_size and no duration, bytes per second. Default: they take no time.'),
  },
  simai: {
    gpus: wholeIn(2, 2 ** 20, "Of simai: GPUs, where the file doesn't say."),
    oneStage: flag(
      'Of simai: whether one stage of a pipeline is run, if there are several; otherwise they are rejected.',
      FILE_DEFAULTS.oneStage,
    ),
    ...NCCL,
  },
} satisfies Partial<Record<JobFormat, z.ZodRawShape>>;

/** A job that is read from a file. */
export const JOB = record({
  kind: z.literal('job'),
  format: wordOf(JOB_FORMAT_NAMES,
    `Format of the file: ${Object.values(JOB_FORMATS).map(({ setting }) => setting).join('; ')}.`),
  file: text('Path of the file, relative to the scenario.').min(1, rejecting('text of at least one character')),
  ...optional({ ...SETTINGS_OF_FORMAT.cm, ...SETTINGS_OF_FORMAT.chakra, ...SETTINGS_OF_FORMAT.simai }),
  ...ITERATIONS,
  ...JOB_COMMON,
}, 'A graph of operations from a file: computes, sends and receives of ranks, and their dependencies.', 'JobSpec');

const SERVERS = record({
  ranks: wholeIn(1, NODES_MAX, 'Ranks per server; neighbours in the list of hosts.'),
  ...optional({
    rateGbps: numberIn(0, 1e6, "Rate of a rank's link within its server, Gb/s; 0: it takes no time.",
      DEFAULT_SERVERS.rateGbps),
    latencyNs: overheadNs('Latency of such a link, ns.', DEFAULT_SERVERS.latencyNs),
  }),
}, 'Of hierarchical: servers of several ranks, whose links are not part of the network.', 'ServerSpec');

const HOW_COLLECTIVE = {
  collective: typed('CollectiveKind', wordOf([
    'all-reduce',
    'reduce-scatter',
    'all-gather',
    'all-to-all',
    'broadcast',
    'reduce',
    'gather',
    'scatter',
    'barrier',
  ], 'The operation.'), COLLECTIVES),
  ...optional({
    by: typed('CollectiveAlgorithm', wordOf([
      'ring',
      'two-rings',
      'halving-doubling',
      'recursive-doubling',
      'double-tree',
      'hierarchical',
      'direct',
      'pairwise',
      'binomial',
      'chain',
      'dissemination',
    ],
      'The algorithm. Default: ring for all-reduce, reduce-scatter and all-gather; direct for all-to-all, gather and scatter; binomial for broadcast and reduce; dissemination for a barrier.'),
      COLLECTIVES),
    sizeBytes: sizeBytes(
      "All-reduce, broadcast, reduce: the buffer, bytes. Reduce-scatter: each rank's input. All-gather: each rank's contribution. All-to-all: what each rank holds for all. Gather, scatter: the whole. A barrier has none.",
    ),
    chunks: wholeIn(1, 256, 'Parts that follow each other, of rings, chains and trees.', DEFAULT_COLLECTIVE.chunks),
  }),
};
const RANKS = wholeIn(2, NODES_MAX, 'Number of ranks. Default: the number of hosts given, or of all hosts.');

/** A collective among hosts. */
export const COLLECTIVE = record({
  kind: z.literal('collective'),
  ...HOW_COLLECTIVE,
  ...optional({
    ranks: RANKS,
    repeat: wholeIn(1, 1_000_000, 'Number of repetitions.', DEFAULT_COLLECTIVE.repeat),
    computeUs: timeUs('How long each rank computes before each repetition, us.', DEFAULT_COLLECTIVE.computeUs),
    servers: SERVERS,
  }),
  ...JOB_COMMON,
}, 'A collective among hosts, as a job: once, or repeatedly with computes before each repetition.', 'CollectiveSpec');

const STEPS_MAX = 100_000;
const rank = (meaning: string): z.ZodNumber => wholeIn(0, NODES_MAX - 1, meaning);
const STEP_COMMON = common('StepCommon', 'Keys common to all steps.', optional({
  name: name('Name, for after and results.'),
  after: listOf(name('Name of a step before it.'), 0, STEPS_MAX,
    'Earlier steps that it waits for. Default: the step before.'),
}));

const STEP = typed('StepSpec', z.discriminatedUnion('kind', [
  record({
    kind: z.literal('compute'),
    us: timeUs('Duration, us.'),
    ...optional({ ranks: listOf(rank('A rank.'), 1, NODES_MAX, 'Ranks that compute. Default: all.') }),
    ...STEP_COMMON,
  }, 'Ranks compute; computes of a rank follow each other.', 'ComputeStepSpec'),
  record({
    kind: z.literal('collective'),
    ...HOW_COLLECTIVE,
    ...optional({
      groups: listOf(listOf(rank('A rank.'), 2, NODES_MAX, 'Ranks of a group.'), 1, NODES_MAX,
        'Groups of ranks that each run it independently, no rank twice. Default: one of all ranks.'),
    }),
    ...STEP_COMMON,
  }, 'Ranks exchange data.', 'CollectiveStepSpec'),
  record({
    kind: z.literal('message'),
    from: rank('Rank that sends.'),
    to: rank('Rank that receives.'),
    sizeBytes: sizeBytes('Payload.'),
    ...STEP_COMMON,
  }, 'A message from rank to rank.', 'MessageStepSpec'),
], kindsOf(['compute', 'collective', 'message'])).describe('A step of a program.'));

/** A program of all ranks. */
export const PROGRAM = record({
  kind: z.literal('program'),
  steps: listOf(STEP, 1, STEPS_MAX, 'In order: each waits for the previous step of its rank, or for those of after.'),
  ...optional({ ranks: RANKS }),
  ...ITERATIONS,
  ...JOB_COMMON,
}, 'A program that all ranks follow, step by step, as a job.', 'ProgramSpec');
