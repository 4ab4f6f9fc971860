/**
 * Collects parts of traces that the run does not use, for notes: communication calls on the host, control dependencies,
 * work without a duration, start times, and attributes without effect.
 */
import { LeftOut, NamesWithoutEffect } from '../left-out.js';
import type { WorkloadNote } from '../notes.js';
import { ROOT_NAMES, isCommunication, isMemory, NODE_TYPES, nodeInWords, type ChakraNode, type ChakraTrace, workOf,
  type NodeSpeeds } from './chakra-node.js';
import { namesRoot } from './collective-instances.js';
import { isKnownName } from './format.js';

/** Settings of a job that determine what is used. */
export interface UsedStatements extends NodeSpeeds {
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
