/** A node of a Chakra execution trace, as far as it matters here, whichever form it was read from. */

/** Numbers of node types: docs/specs/workloads.md, 2.2. */
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

/** Ids are any numbers of 64 bits: those beyond 2^53 are kept as bigint. */
export type NodeId = number | bigint;

export interface ChakraNode {
  readonly id: NodeId;
  readonly type: number;
  /** A call on the host, not work of the GPU. */
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
  /** Rank from which a broadcast or scatter starts, or to which a reduce or gather leads. */
  readonly root?: number | undefined;
  readonly involvedDimensions?: readonly boolean[] | undefined;
  /** Operations of a compute. */
  readonly numOps?: number | undefined;
  readonly tensorSizeBytes?: number | undefined;
  /** Names of all its attributes, and of fields that nothing here reads. */
  readonly stated: readonly string[];
  /** Of metadata nodes: their inputs, where groups may be stated. */
  readonly inputs?: readonly string[];
}

/** A rank's trace. */
export interface ChakraTrace {
  readonly rank: number;
  /** Of its file, for messages. */
  readonly name: string;
  readonly nodes: readonly ChakraNode[];
  /** Names of statements outside of its nodes that nothing here reads. */
  readonly stated: readonly string[];
}

/** A node for a message. */
export function nodeInWords(trace: ChakraTrace, node: ChakraNode): string {
  return `${trace.name}, node ${node.id}`;
}
