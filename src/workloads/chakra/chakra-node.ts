/**
 * A node of a Chakra execution trace, independent of the format it was read from, with the fields that are used here.
 */

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
