/**
 * A workload as a graph of operations of ranks and their dependencies. It is stored in columns, without an object per
 * operation: some 50 bytes per operation, and 4 per dependency.
 *
 * Operations are numbered by rank, then by position within the rank.
 */
import { OPERATION_COMPUTE, OPERATION_RECEIVE, OPERATION_SEND, OPERATIONS_MAX } from '../../abi/records/graph.js';
import { checkField, wholeIn } from '../../config/field-rules.js';
import type { WorkloadNote } from '../notes.js';

/** Kinds of operations, as in the column `kind`: a compute. */
export const COMPUTE = OPERATION_COMPUTE;
/** Sends a message. */
export const SEND = OPERATION_SEND;
/** Waits for a message. */
export const RECEIVE = OPERATION_RECEIVE;
/** Maximum number of operations in a graph. */
export const MOST_OPERATIONS = OPERATIONS_MAX;
/** Wildcard of a receive: any source, or any tag. */
export const ANY = 0xffffffff;
/** Lane value of an operation that needs no lane. */
export const NO_LANE = 0xffff;

/** Port value that marks a compute as time of a link within a server, not a compute of the rank. @internal */
export const LINK_TIME = 1;

/** The operations, one column per field. */
export interface OperationColumns {
  /** Kind: COMPUTE, SEND or RECEIVE. */
  readonly kind: Uint8Array;
  /** Lane of the rank on which the operation runs, or NO_LANE. */
  readonly lane: Uint16Array;
  /** Port of the host, from 0, that the file specifies. */
  readonly nic: Uint8Array;
  /** Rank at the other end; ANY for a receive from any source. */
  readonly peer: Uint32Array;
  /** Tag by which messages and receives match; ANY for a receive of any tag. */
  readonly tag: Uint32Array;
  /** Bytes of a message, or picoseconds of a compute. */
  readonly amount: Float64Array;
  /** Line or record of the operation in its file; 0 if there is none. */
  readonly place: Uint32Array;
}

/**
 * Dependents of an operation start at `edges[firstEdge[op]]`: first `endEdges[op]` that wait for its end, then others
 * that wait for its start.
 */
export interface EdgeColumns {
  /** Index of each operation's first edge, plus the number of edges. */
  readonly firstEdge: Uint32Array;
  /** Number of dependents that wait for the operation's end. */
  readonly endEdges: Uint32Array;
  /** Operations that wait, the dependents. */
  readonly edges: Uint32Array;
  /** Number of dependencies of each operation. */
  readonly waitsFor: Uint32Array;
}

/** Names of operations, concatenated. */
export interface OperationNames {
  readonly bytes: Uint8Array;
  /** Start and end of each operation's name; equal if it has none. */
  readonly begin: Uint32Array;
  readonly end: Uint32Array;
}

/** A link that is down for the whole run, as named in htsim's connection matrices. */
export interface LinkFailure {
  /** Layer of the switch: `TOR`, `AGG` or `CORE`. */
  readonly switchType: string;
  /** Number of the switch in its layer of the topology. */
  readonly switchId: number;
  /** Number of the link: an uplink, or for a core switch the link into that pod. */
  readonly linkId: number;
}

/** A collective of a graph, with the operations of its members. */
export interface GraphCollective {
  /** Kind, such as `all-reduce`. */
  readonly kind: string;
  /** Name, may be empty. */
  readonly name: string;
  /** Number of members of the collective. */
  readonly members: number;
  /** The larger of a member's two buffers, as counted by NCCL's tests. */
  readonly sizeBytes: number;
  /** By member: the operation whose end starts its part; -1 if the job's start does. */
  readonly begins: Int32Array;
  /** By member: the first operation of its part, and the number of operations. */
  readonly from: Uint32Array;
  readonly lengths: Uint32Array;
}

/** The parts of a graph. @internal */
export interface GraphParts {
  readonly firstOperation: Uint32Array;
  readonly operations: OperationColumns;
  readonly edges: EdgeColumns;
  readonly names: OperationNames | undefined;
  readonly source: string;
  readonly placeWord: string;
  readonly notes: readonly WorkloadNote[];
  readonly hostRanks: number;
  readonly failures: readonly LinkFailure[];
  readonly collectives: readonly GraphCollective[];
  readonly iterations: number;
}

/** Maximum number of characters of a name in a description. */
const NAME_SHOWN = 60;
const KIND_WORDS = ['compute', 'send', 'receive'] as const;

/** A graph made by a reader or generator, and checked before it is returned. */
export class WorkloadGraph {
  /** Operations of all ranks, in columns. */
  readonly operations: OperationColumns;
  /** Dependencies between operations. */
  readonly edges: EdgeColumns;
  /** First operation of each rank, plus the total number of operations. */
  readonly firstOperation: Uint32Array;
  /** Name of the format or file that it was read from. */
  readonly source: string;
  /** Notes for the user: omissions and differences. */
  readonly notes: readonly WorkloadNote[];
  /** Number of ranks with separate hosts; further ranks do nothing in the network, and share the host of rank 0. */
  readonly hostRanks: number;
  /** Links that are down for the whole run, for `readHtsimTopology`. */
  readonly failures: readonly LinkFailure[];
  /** Collectives in order; empty if the format has none. */
  readonly collectives: readonly GraphCollective[];
  /** Number of equal consecutive parts that each rank's operations consist of. */
  readonly iterations: number;
  /** Names of the operations in the file. @internal */
  readonly names: OperationNames | undefined;
  /** Word for the places of operations, such as `line`. @internal */
  readonly placeWord: string;

  /** @internal */
  constructor(parts: GraphParts) {
    this.operations = parts.operations;
    this.edges = parts.edges;
    this.firstOperation = parts.firstOperation;
    this.source = parts.source;
    this.notes = parts.notes;
    this.hostRanks = parts.hostRanks;
    this.failures = parts.failures;
    this.collectives = parts.collectives;
    this.iterations = parts.iterations;
    this.names = parts.names;
    this.placeWord = parts.placeWord;
  }

  /** Number of ranks. */
  get ranks(): number {
    return this.firstOperation.length - 1;
  }

  /** Number of operations. */
  get length(): number {
    return this.operations.kind.length;
  }

  /** The rank of an operation. @param operation 0 to length - 1. */
  rankOf(operation: number): number {
    this.#check(operation);
    let [low, high] = [0, this.ranks - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.firstOperation[middle] <= operation) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The operation's name in its file; empty if it has none. @param operation 0 to length - 1. */
  nameOf(operation: number): string {
    this.#check(operation);
    if (this.names === undefined) return '';
    const { bytes, begin, end } = this.names;
    return new TextDecoder().decode(bytes.subarray(begin[operation], end[operation]));
  }

  /** Describes an operation: `rank 0, s2, send to 1 tag 9, line 5`. @param operation 0 to length - 1. */
  describe(operation: number): string {
    const rank = this.rankOf(operation);
    const { kind, peer, tag, place } = this.operations;
    const name = shortened(this.nameOf(operation));
    const number = operation - this.firstOperation[rank];
    const [isSend, isReceive] = [kind[operation] === SEND, kind[operation] === RECEIVE];
    const words = [
      `rank ${rank}`,
      name === '' ? `operation ${number}` : name,
      KIND_WORDS[kind[operation]] ?? 'compute',
    ];
    const ends = `${anyOr(peer[operation])} tag ${anyOr(tag[operation])}`;
    if (isSend || isReceive) words[2] += ` ${isSend ? 'to' : 'from'} ${ends}`;
    return [...words, ...(place[operation] === 0 ? [] : [`${this.placeWord} ${place[operation]}`])].join(', ');
  }

  #check(operation: number): void {
    checkField(operation, wholeIn(0, this.length - 1), 'operation');
  }
}

function shortened(name: string): string {
  return name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN)}…` : name;
}

function anyOr(number: number): string {
  return number === ANY ? 'any' : String(number);
}
