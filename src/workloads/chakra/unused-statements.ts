/**
 * What traces state and the run does without, for notes: calls of communication on the host, control dependencies, work without a
 * duration, start times, and attributes without effect.
 */
import { LeftOut } from '../left-out.js';
import { NamesWithoutEffect } from '../names-without-effect.js';
import { ROOT_NAMES } from './attribute-fields.js';
import { isCommunication, isMemory, NODE_TYPES, nodeInWords, type ChakraNode,
  type ChakraTrace } from './chakra-node.js';
import { namesRoot } from './collective-instances.js';
import { isKnownName } from './format.js';
import { workOf, type NodeSpeeds } from './node-duration.js';

/** Settings of a job that decide what is used. */
export interface UsedStatements extends NodeSpeeds {
  readonly controlDependencies: boolean;
  readonly hostCommunication: 'noted' | 'sent';
}

/** Of several, and of one. */
type Sentence = readonly [string, string];

const CALLS: Readonly<Record<number, Sentence>> = {
  [NODE_TYPES.send]: callSentence('send'),
  [NODE_TYPES.receive]: callSentence('receive'),
  [NODE_TYPES.collective]: callSentence('collective'),
};
const CONTROL: Sentence = [
  'control dependencies are left out (controlDependencies takes them)',
  'control dependency is left out (controlDependencies takes it)',
];
const COMPUTES_WITHOUT_TIME: Sentence = [
  'compute nodes have num_ops and no duration, and take no time (opsPerSecond gives them time)',
  'compute node has num_ops and no duration, and takes no time (opsPerSecond gives it time)',
];
const MEMORY_WITHOUT_TIME: Sentence = [
  'memory nodes have tensor_size and no duration, and take no time (memoryBytesPerSecond gives them time)',
  'memory node has tensor_size and no duration, and takes no time (memoryBytesPerSecond gives it time)',
];
const WORK_AND_DURATION: Sentence = [
  'nodes have num_ops or tensor_size and a duration, and take the duration',
  'node has num_ops or tensor_size and a duration, and takes the duration',
];
const DURATION_OF_NETWORK: Sentence = [
  'communication nodes have a duration, and take the time that the network needs',
  'communication node has a duration, and takes the time that the network needs',
];
const DURATION_OF_METADATA: Sentence = [
  'metadata nodes have a duration, and take no time',
  'metadata node has a duration, and takes no time',
];
const INVALID: Sentence = ['nodes of type 0 (invalid) do nothing', 'node of type 0 (invalid) does nothing'];
const DIMENSIONS: Sentence = [
  'collective nodes have an involved_dim that is not all true, and run in the whole group',
  'collective node has an involved_dim that is not all true, and runs in the whole group',
];
const START_TIMES: Sentence = [
  'nodes have start_time_micros, and start when their dependencies are met',
  'node has start_time_micros, and starts when its dependencies are met',
];

const START_TIME = 'start_time_micros';
const IS_HOST = 'is_cpu_op';
const MESSAGE_NAMES = ['comm_size', 'comm_src', 'comm_dst', 'comm_tag'];
const COLLECTIVE_NAMES = ['comm_type', 'pg_name'];
const BARRIER = 9;

export class UnusedStatements {
  readonly #used: UsedStatements;
  readonly #leftOut = new LeftOut();
  readonly #known = new NamesWithoutEffect('attributes and fields');
  readonly #unknown = new NamesWithoutEffect('unknown attributes and fields');

  constructor(used: UsedStatements) {
    this.#used = used;
  }

  /** One rank's trace. */
  add(trace: ChakraTrace): void {
    for (const name of trace.stated) this.#addName(name, `${trace.name}, metadata`);
    for (const node of trace.nodes) this.#addNode(node, nodeInWords(trace, node));
  }

  /** One sentence each. */
  notes(): string[] {
    return [...this.#leftOut.notes(), ...this.#known.notes(), ...this.#unknown.notes()];
  }

  #addNode(node: ChakraNode, where: string): void {
    const isCall = isCommunication(node) && node.isHost && this.#used.hostCommunication === 'noted';
    if (!this.#used.controlDependencies) this.#add(CONTROL, where, node.controlDependencies.length);
    if (isCall) this.#add(CALLS[node.type], where);
    else this.#addWork(node, where);
    for (const name of node.stated) {
      if (name === START_TIME) this.#add(START_TIMES, where);
      // What a call on the host states of its message is not sent with it.
      else if (!isUsed(node, name) && !(isCall && isKnownName(name))) this.#addName(name, where);
    }
  }

  #addWork(node: ChakraNode, where: string): void {
    if (node.type === NODE_TYPES.invalid) this.#add(INVALID, where);
    if (node.type === NODE_TYPES.collective && node.involvedDimensions?.includes(false) === true)
      this.#add(DIMENSIONS, where);
    this.#addTime(node, where);
  }

  #addTime(node: ChakraNode, where: string): void {
    const { work = 0, perSecond } = workOf(node, this.#used);
    if (node.durationUs === 0) {
      if (work > 0 && perSecond === undefined)
        this.#add(isMemory(node) ? MEMORY_WITHOUT_TIME : COMPUTES_WITHOUT_TIME, where);
    } else if (work > 0) this.#add(WORK_AND_DURATION, where);
    else if (isCommunication(node)) this.#add(DURATION_OF_NETWORK, where);
    else if (node.type <= NODE_TYPES.metadata) this.#add(DURATION_OF_METADATA, where);
  }

  #add([several, one]: Sentence, where: string, count = 1): void {
    if (count > 0) this.#leftOut.add(several, where, count, one);
  }

  #addName(name: string, where: string): void {
    (isKnownName(name) ? this.#known : this.#unknown).add(name, where);
  }
}

function callSentence(type: string): Sentence {
  const hint = '(hostCommunication "sent" sends';
  return [
    `${type} nodes have is_cpu_op true and are not sent ${hint} them)`,
    `${type} node has is_cpu_op true and is not sent ${hint} it)`,
  ];
}

/** Whether a statement has an effect, or a separate note. */
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
