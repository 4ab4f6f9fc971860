/**
 * Contents of Chakra traces, protobuf and JSON (docs/specs/workloads.md, 2; schema of mlcommons/chakra, et_def.proto),
 * and those that the run does not use, collected for notes: communication calls on the host, control dependencies, work
 * without a duration, start times, and attributes without effect.
 */
import { formatItems, type FormatTable } from '../job-formats.js';
import { LeftOut, NamesWithoutEffect, type WorkloadNote } from '../notes.js';
import { ROOT_NAMES, isCommunication, isMemory, NODE_TYPES, nodeInWords, type ChakraNode, type ChakraTrace, workOf,
  type NodeSpeeds } from './chakra-node.js';
import { namesRoot } from './collective-instances.js';

/** Attributes that describe a recorded node, but do not order anything. */
const RECORDED = {
  comm_priority: 'no meaning: flows of a class share links by their congestion control',
  rf_id: 'identity of a record function',
  fw_parent: 'forward node of a backward one',
  fw_tid: 'thread of the forward node',
  seq_id: 'sequence number of an operator',
  scope: 'scope of an operator',
  tid: 'thread of the host',
  op_schema: 'schema of an operator',
  stream: 'stream of the GPU: dependencies order nodes, not streams',
};

/** Table of the Chakra format. */
export const CHAKRA_FORMAT: FormatTable = {
  format: 'chakra',
  title: 'Chakra execution traces',
  owner: 'MLCommons Chakra, ASTRA-sim',
  items: [
    ...formatItems('metadata', 'effective', {
      version: '`0.0.4` or `1.0.0`; others are rejected',
      schema: 'attribute of traces from PyTorch, which holds the version',
    }),
    ...formatItems('metadata', 'noted', {
      pid: 'process that was recorded',
      time: 'when it was recorded',
      start_ts: 'first time stamp of the recording',
      finish_ts: 'last time stamp of the recording',
    }),
    ...formatItems('node type', 'effective', {
      'metadata (1)': 'done at once; its inputs may state groups of ranks',
      'memory load (2)':
        'holds the GPU for its duration, or for tensor_size at `memoryBytesPerSecond`; noted if it takes no time',
      'memory store (3)': 'as a load',
      'compute (4)':
        'holds the GPU or the host for its duration, or for num_ops at `opsPerSecond`; noted if it takes no time',
      'send (5)': 'a message',
      'receive (6)': 'waits for its message',
      'collective (7)': 'messages of the default algorithm',
    }),
    ...formatItems('node type', 'noted', { 'invalid (0)': 'done at once' }),
    ...formatItems('node type', 'rejected', {
      'storage (8)': 'an operation of a file system',
      'batch (9)': 'a batch of training data',
      'checkpoint (10)': 'a checkpoint of the model',
    }),
    ...formatItems('field', 'effective', {
      id: 'any number of 64 bits',
      data_deps: 'nodes that are waited for',
      duration_micros: 'of computes, memory and host communication; of others it is noted',
      inputs: 'of metadata nodes groups of ranks; of others they are noted',
    }),
    ...formatItems('field', 'noted', {
      ctrl_deps: 'left out unless `controlDependencies` is set: PyTorch states callers there, within which a node runs',
      start_time_micros: 'nodes start when their dependencies are met',
      outputs: 'tensors that a node makes',
      storage: 'details of a storage node',
    }),
    ...formatItems('attribute', 'effective', {
      is_cpu_op: 'the host runs it; communication of the host is noted, or sent with `hostCommunication`',
      comm_type: 'the collective; of sends and receives it is noted',
      comm_size: 'bytes of a message or collective; of a barrier it is noted',
      comm_src: 'sender of a receive, root of a broadcast or scatter; of other collectives it is noted',
      comm_dst: 'receiver of a send, root of a reduce or gather; of other collectives it is noted',
      comm_tag: 'of sends and receives, which meet by it; of collectives it is noted',
      pg_name: 'group of a collective; of sends and receives, whose peers are ranks of the job, it is noted',
      root_rank: 'root of a broadcast, scatter, reduce or gather, a rank of the job; of others it is noted',
      comm_root: 'the same',
      root: 'the same',
      num_ops: 'work of a compute without a duration, with `opsPerSecond`; without it is noted',
      tensor_size: 'work of a memory node without a duration, with `memoryBytesPerSecond`; otherwise it is noted',
    }),
    ...formatItems('attribute', 'noted', {
      involved_dim: 'the network has no dimensions: where not all are true, the collective runs in the whole group',
      ...RECORDED,
    }),
  ],
};

const KNOWN_NAMES = new Set(CHAKRA_FORMAT.items.filter(({ part }) => part !== 'node type').map(({ name }) => name));

/** Whether this is the name of one of the format's attributes or fields. */
function isKnownName(name: string): boolean {
  return KNOWN_NAMES.has(name);
}

/** Settings of a job that determine what is used. */
interface UsedStatements extends NodeSpeeds {
  readonly controlDependencies: boolean;
  readonly hostCommunication: 'noted' | 'sent';
}

const CALLS = {
  [NODE_TYPES.send]: 'send',
  [NODE_TYPES.receive]: 'receive',
  [NODE_TYPES.collective]: 'collective',
} as const;

const START_TIME = 'start_time_micros';
const IS_HOST = 'is_cpu_op';
const MESSAGE_NAMES = ['comm_size', 'comm_src', 'comm_dst', 'comm_tag'];
const COLLECTIVE_NAMES = ['comm_type', 'pg_name'];
const BARRIER = 9;

export class UnusedStatements {
  readonly #used: UsedStatements;
  readonly #leftOut = new LeftOut();
  readonly #known = new NamesWithoutEffect('names-without-effect');
  readonly #unknown = new NamesWithoutEffect('unknown-names');

  constructor(used: UsedStatements) {
    this.#used = used;
  }

  /** Adds the trace of one rank. */
  add(trace: ChakraTrace): void {
    for (const name of trace.stated) this.#addName(name, `${trace.name}, metadata`);
    for (const node of trace.nodes) this.#addNode(node, nodeInWords(trace, node));
  }

  notes(): WorkloadNote[] {
    return [...this.#leftOut.notes(), ...this.#known.notes(), ...this.#unknown.notes()];
  }

  #addNode(node: ChakraNode, where: string): void {
    const isCall = isCommunication(node) && node.isHost && this.#used.hostCommunication === 'noted';
    const dependencies = node.controlDependencies.length;
    if (!this.#used.controlDependencies && dependencies > 0)
      this.#leftOut.add('control-dependencies', where, dependencies);
    if (isCall) this.#leftOut.add('host-communication', where, 1, { type: CALLS[node.type as keyof typeof CALLS] });
    else this.#addWork(node, where);
    for (const name of node.stated) {
      if (name === START_TIME) this.#leftOut.add('start-times', where, 1);
      // Attributes of a host call's message are not reported separately, because the call is not sent.
      else if (!isUsed(node, name) && !(isCall && isKnownName(name))) this.#addName(name, where);
    }
  }

  #addWork(node: ChakraNode, where: string): void {
    if (node.type === NODE_TYPES.invalid) this.#leftOut.add('invalid-nodes', where, 1);
    if (node.type === NODE_TYPES.collective && node.involvedDimensions?.includes(false) === true)
      this.#leftOut.add('involved-dimensions', where, 1);
    this.#addTime(node, where);
  }

  #addTime(node: ChakraNode, where: string): void {
    const { work = 0, perSecond } = workOf(node, this.#used);
    if (node.durationUs === 0) {
      if (work > 0 && perSecond === undefined)
        this.#leftOut.add(isMemory(node) ? 'memory-without-time' : 'compute-without-time', where, 1);
    } else if (work > 0) this.#leftOut.add('work-and-duration', where, 1);
    else if (isCommunication(node)) this.#leftOut.add('duration-of-communication', where, 1);
    else if (node.type <= NODE_TYPES.metadata) this.#leftOut.add('duration-of-metadata', where, 1);
  }

  #addName(name: string, where: string): void {
    (isKnownName(name) ? this.#known : this.#unknown).add(name, where);
  }
}

/** Whether an attribute or field has an effect, or a separate note. */
function isUsed(node: ChakraNode, name: string): boolean {
  const { type, commType, involvedDimensions } = node;
  if (name === IS_HOST) return true;
  if (type === NODE_TYPES.compute) return name === 'num_ops';
  if (isMemory(node)) return name === 'tensor_size';
  if (type !== NODE_TYPES.collective) return isCommunication(node) && MESSAGE_NAMES.includes(name);
  if (name === 'comm_size') return commType !== BARRIER;
  if (name === 'involved_dim') return involvedDimensions !== undefined;
  return COLLECTIVE_NAMES.includes(name) || isRoot(node, name);
}

function isRoot(node: ChakraNode, name: string): boolean {
  if (name === 'comm_src') return namesRoot(node, 'source');
  if (name === 'comm_dst') return namesRoot(node, 'destination');
  return node.root !== undefined && ROOT_NAMES.some((one) => one === name) && namesRoot(node, 'root');
}
