/**
 * A node of a Chakra execution trace, independent of the format it was read from, with the fields that are used here.
 */
import { PS_PER_SECOND, PS_PER_US } from '../../units.js';
import { rejectWorkload } from '../workload-error.js';
import type { AttributeValue } from './protobuf.js';

/** Numbers of the node types: docs/specs/workloads.md, 2.2. */
export const NODE_TYPES = {
  invalid: 0,
  metadata: 1,
  memoryLoad: 2,
  memoryStore: 3,
  compute: 4,
  send: 5,
  receive: 6,
  collective: 7,
} as const;

/** Whether a node is a send, a receive or a collective. */
export function isCommunication({ type }: ChakraNode): boolean {
  return type >= NODE_TYPES.send && type <= NODE_TYPES.collective;
}

/** Whether a node loads from memory or stores to it. */
export function isMemory({ type }: ChakraNode): boolean {
  return type === NODE_TYPES.memoryLoad || type === NODE_TYPES.memoryStore;
}

/** Ids are 64-bit numbers; those beyond 2^53 are stored as bigint. */
export type NodeId = number | bigint;

export interface ChakraNode {
  readonly id: NodeId;
  readonly type: number;
  /** Whether it is a call on the host, not work of the GPU. */
  readonly isHost: boolean;
  readonly durationUs: number;
  readonly dataDependencies: readonly NodeId[];
  readonly controlDependencies: readonly NodeId[];
  readonly commType?: number | undefined;
  readonly commSize?: number | undefined;
  readonly source?: number | undefined;
  readonly destination?: number | undefined;
  readonly tag?: number | undefined;
  readonly group?: string | undefined;
  /** Rank that is the source of a broadcast or scatter, or the destination of a reduce or gather. */
  readonly root?: number | undefined;
  readonly involvedDimensions?: readonly boolean[] | undefined;
  /** Number of operations in a compute node. */
  readonly numOps?: number | undefined;
  readonly tensorSizeBytes?: number | undefined;
  /** Names of the node's attributes, and of fields that are not used here. */
  readonly stated: readonly string[];
  /** Inputs of a metadata node, which may define groups. */
  readonly inputs?: readonly string[];
}

/** The trace of one rank. */
export interface ChakraTrace {
  readonly rank: number;
  /** Name of the trace's file, for messages. */
  readonly name: string;
  readonly nodes: readonly ChakraNode[];
  /** Names of unused fields outside of the nodes. */
  readonly stated: readonly string[];
}

/** Describes a node in messages. */
export function nodeInWords(trace: ChakraTrace, node: ChakraNode): string {
  return `${trace.name}, node ${node.id}`;
}

type Fields = Pick<
  ChakraNode,
  'isHost' | 'commType' | 'commSize' | 'source' | 'destination' | 'tag' | 'group' | 'root' | 'involvedDimensions'
    | 'numOps' | 'tensorSizeBytes'
>;
type Attributes = ReadonlyMap<string, AttributeValue>;

/** Attributes that name the root of a collective: the schema has none, and writers use different ones. */
export const ROOT_NAMES = ['root_rank', 'comm_root', 'root'] as const;

/**
 * Converts a node's attributes, of protobuf or JSON traces, to fields. Writers use different integer types for the same
 * number.
 *
 * @throws RoceError `invalid-workload`, `CHAKRA_SYNTAX`, if an attribute that is used has a value of the wrong type.
 */
export function attributeFields(attributes: Attributes, where: string): Fields {
  const number = (name: string): number | undefined => numberOf(attributes, name, where);
  return {
    isHost: flagOf(attributes, 'is_cpu_op', where),
    commType: number('comm_type'),
    commSize: number('comm_size'),
    source: number('comm_src'),
    destination: number('comm_dst'),
    tag: number('comm_tag'),
    group: groupOf(attributes, where),
    root: rootOf(attributes),
    involvedDimensions: flagsOf(attributes, 'involved_dim'),
    numOps: number('num_ops'),
    tensorSizeBytes: number('tensor_size'),
  };
}

function numberOf(attributes: Attributes, name: string, where: string): number | undefined {
  const value = attributes.get(name);
  if (value === undefined && !attributes.has(name)) return undefined;
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return Number(value);
  return rejectValue(name, value, 'a number', where);
}

/** Some writers have no type for flags and write 0 and 1. */
function flagOf(attributes: Attributes, name: string, where: string): boolean {
  const value = attributes.get(name) ?? (attributes.has(name) ? undefined : false);
  if (value === true || value === 1) return true;
  return value === false || value === 0 ? false : rejectValue(name, value, 'true or false', where);
}

/** Lists of other types are not used, but their names are reported in a note. */
function flagsOf(attributes: Attributes, name: string): readonly boolean[] | undefined {
  const value = attributes.get(name);
  return typeof value === 'object' ? value : undefined;
}

/** The first root attribute that is a number: in other types, writers may mean something else. */
function rootOf(attributes: Attributes): number | undefined {
  const values = ROOT_NAMES.map((name) => attributes.get(name));
  return values.find((value) => typeof value === 'number');
}

function groupOf(attributes: Attributes, where: string): string | undefined {
  const name = 'pg_name';
  if (!attributes.has(name)) return undefined;
  const value = attributes.get(name);
  const isName = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
  return isName ? String(value) : rejectValue(name, value, 'the name of a group', where);
}

function rejectValue(what: string, value: AttributeValue, allowed: string, where: string): never {
  return rejectWorkload('CHAKRA_SYNTAX', { what, got: value ?? 'a list or bytes', allowed, where });
}

/** Speeds, set by the job, for nodes with an amount of work instead of a duration. */
export interface NodeSpeeds {
  /** Speed of compute nodes with `num_ops`; undefined: they take no time. */
  readonly opsPerSecond: number | undefined;
  /** Speed of loads and stores with `tensor_size`; undefined: they take no time. */
  readonly memoryBytesPerSecond: number | undefined;
}

/**
 * Duration in whole picoseconds. @throws RoceError `invalid-workload`, `BAD_SIZE`, if it is negative or beyond the
 * clock.
 */
export function durationPs(node: ChakraNode, speeds: NodeSpeeds, where: string): number {
  const { work, perSecond } = workOf(node, speeds);
  const takesWork = node.durationUs === 0 && work !== undefined && perSecond !== undefined;
  const exactPs = takesWork ? (work / perSecond) * PS_PER_SECOND : node.durationUs * PS_PER_US;
  const roundedPs = Math.round(exactPs);
  if (roundedPs >= 0 && roundedPs <= Number.MAX_SAFE_INTEGER) return roundedPs;
  const allowed = { min: 0, max: Number.MAX_SAFE_INTEGER / PS_PER_US, unit: 'us' };
  return rejectWorkload('BAD_SIZE', { what: 'the duration', got: exactPs / PS_PER_US, allowed, where });
}

/** Amount of work of a compute or memory node, and its speed. */
export function workOf(node: ChakraNode, { opsPerSecond, memoryBytesPerSecond }: NodeSpeeds): {
  readonly work?: number | undefined;
  readonly perSecond?: number | undefined;
} {
  if (node.type === NODE_TYPES.compute) return { work: node.numOps, perSecond: opsPerSecond };
  return isMemory(node) ? { work: node.tensorSizeBytes, perSecond: memoryBytesPerSecond } : {};
}
