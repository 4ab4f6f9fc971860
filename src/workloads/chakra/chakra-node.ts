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
  /** Of metadata nodes: their inputs, where groups may be stated. */
  readonly inputs?: readonly string[];
}

/** A rank's trace. */
export interface ChakraTrace {
  readonly rank: number;
  /** Of its file, for messages. */
  readonly name: string;
  readonly nodes: readonly ChakraNode[];
}

/** A node for a message. */
export function nodeInWords(trace: ChakraTrace, node: ChakraNode): string {
  return `${trace.name}, node ${node.id}`;
}
