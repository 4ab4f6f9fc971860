/** The schema of jobs, graphs of operations; the types are in spec.ts. */
import * as z from 'zod';
import { flag, listOf, name, NODES_MAX, numberIn, optional, record, refusing, sizeBytes, text, TIME_MAX_US, timeUs,
  wholeIn, wordOf, WORKLOAD_COMMON } from './schema-parts.js';

const overheadNs = (meaning: string): z.ZodNumber => numberIn(0, TIME_MAX_US, meaning);

/** What jobs share. */
export const JOB_COMMON = {
  ...WORKLOAD_COMMON,
  ...optional({
    name: name('Name in results, and for `after` of other jobs.'),
    hosts: listOf(name('Name of a host.'), 1, NODES_MAX, 'Hosts of its ranks, in order. Default: all hosts.'),
    after: name('Name of a job before it in the list: it begins startUs after the end of that one.'),
    sendDone: wordOf(['acked', 'delivered', 'issued'], 'When a send is done. Default acked: at its last ACK.'),
    eagerBytes: wholeIn(0, Number.MAX_SAFE_INTEGER, 'Sends of up to so many bytes are done as they leave. Default 0.'),
    receiveDone: wordOf(['last-byte', 'last-ack'], 'When a receive is done. Default last-byte.'),
    sendOverheadNs: overheadNs('A send holds its lane so long before it leaves, ns. Default 0.'),
    receiveOverheadNs: overheadNs('A receive holds its lane so long when its message is there, ns. Default 0.'),
  }),
};

/** A job that is read from a file. */
export const JOB = record({
  kind: z.literal('job'),
  format: wordOf(['goal', 'cm', 'chakra', 'simai'],
    "Format of the file: GOAL, a connection matrix of htsim, a folder of Chakra traces, SimAI's workload text."),
  file: text('Path of the file, from where the scenario is.').min(1, refusing('text of at least one character')),
  ...optional({
    startUnit: wordOf(['ps', 'us'], 'Of cm: what its starts count. Default ps.'),
    failures: wordOf(['noted', 'in-topology'], 'Of cm: are links that fail in the topology? Default noted.'),
    gpus: wholeIn(2, 2 ** 20, "Of simai: GPUs, where the file doesn't say."),
    oneStage: flag('Of simai: one stage of a pipeline is run. Default false.'),
    groups: text('Of chakra: path of the groups of ranks. Default: comm_group.json beside the traces.').min(1,
      refusing('text of at least one character')),
    controlDependencies: flag("Of chakra: dependencies on the host's call tree count. Default false."),
  }),
  ...JOB_COMMON,
}, 'A graph of operations: computes, sends and receives of ranks, and what waits for what.');

const SERVERS = record({
  ranks: wholeIn(1, NODES_MAX, 'Ranks per server; neighbours in the list of hosts.'),
  ...optional({
    rateGbps: numberIn(0, 1e6, "Rate of a rank's link within its server; 0: it takes no time. Default 0."),
    latencyNs: overheadNs('Latency of such a link, ns. Default 0.'),
  }),
}, 'Servers of several ranks, with links that are no part of the network.');

/** A collective among hosts. */
export const COLLECTIVE = record({
  kind: z.literal('collective'),
  collective: wordOf([
    'all-reduce',
    'reduce-scatter',
    'all-gather',
    'all-to-all',
    'broadcast',
    'reduce',
    'gather',
    'scatter',
    'barrier',
  ], 'What the ranks do.'),
  ...optional({
    by: wordOf([
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
    ], 'How it is done. Default: ring, direct, binomial or dissemination, whichever the collective has first.'),
    sizeBytes: sizeBytes('The buffer; of all-gather what each rank contributes; of a barrier none.'),
    chunks: wholeIn(1, 256, 'Parts that follow each other, of rings, chains and trees. Default 1.'),
    repeat: wholeIn(1, 1_000_000, 'Times that it is done. Default 1.'),
    computeUs: timeUs('Each rank computes so long before each time, us. Default 0.'),
    servers: SERVERS,
  }),
  ...JOB_COMMON,
}, 'A collective among hosts, as a job.');
