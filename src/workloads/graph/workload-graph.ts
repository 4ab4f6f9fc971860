/**
 * A workload as a graph: operations of ranks, and what waits for what. Columns by operation, no object for any of them;
 * some 50 bytes each, and 4 for each dependency.
 *
 * Operations are numbered by rank, then by their place in it.
 */
import { OPERATION_COMPUTE, OPERATION_RECEIVE, OPERATION_SEND, OPERATIONS_MAX } from '../../abi/records/graph.js';
import { checkField, wholeIn } from '../../config/field-rules.js';
import type { WorkloadNote } from '../notes.js';

/** Kinds of operations, as columns have them. */
export const COMPUTE = OPERATION_COMPUTE;
/** A message leaves. */
export const SEND = OPERATION_SEND;
/** A message is waited for. */
export const RECEIVE = OPERATION_RECEIVE;
/** Most operations of a graph. */
export const MOST_OPERATIONS = OPERATIONS_MAX;
/** Any source, or any tag, of a receive. */
export const ANY = 0xffffffff;
/** Instead of a lane: the operation waits for none. */
export const NO_LANE = 0xffff;

/** Instead of a compute's port: it is time of a link within a server, and no compute of the rank. @internal */
export const LINK_TIME = 1;

/** Columns by operation. */
export interface OperationColumns {
  /** COMPUTE, SEND or RECEIVE. */
  readonly kind: Uint8Array;
  /** Lane of the rank, or NO_LANE. */
  readonly lane: Uint16Array;
  /** Port of the host, from 0. */
  readonly nic: Uint8Array;
  /** Rank at the other end; ANY: a receive from whomever. */
  readonly peer: Uint32Array;
  /** Messages and receives meet by it; ANY: a receive of any. */
  readonly tag: Uint32Array;
  /** Bytes of a message, or picoseconds of a compute. */
  readonly amount: Float64Array;
  /** Line or record of its file; 0: none. */
  readonly place: Uint32Array;
}

/** Dependents of an operation: `edges[firstEdge[op]]` on, `endEdges[op]` wait for its end, then others for its start. */
export interface EdgeColumns {
  /** One longer than there are operations. */
  readonly firstEdge: Uint32Array;
  /** Of those, how many wait for the end. */
  readonly endEdges: Uint32Array;
  /** Operations that wait. */
  readonly edges: Uint32Array;
  /** For how many others each operation waits. */
  readonly waitsFor: Uint32Array;
}

/** Names of operations, one behind the other. */
export interface OperationNames {
  readonly bytes: Uint8Array;
  /** Begin and end of each operation's name; equal: it has none. */
  readonly begin: Uint32Array;
  readonly end: Uint32Array;
}

/** A link that is down for the whole run, as htsim's connection matrices name it. */
export interface LinkFailure {
  /** `TOR`, `AGG` or `CORE`. */
  readonly switchType: string;
  /** Number of the switch in its layer. */
  readonly switchId: number;
  /** Number of the link: upwards, of a core that into the pod. */
  readonly linkId: number;
}

/** A collective of a graph: which operations of its members are its parts. */
export interface GraphCollective {
  /** Kind: `all-reduce` and the like. */
  readonly kind: string;
  /** Name; may be empty. */
  readonly name: string;
  /** Number of members. */
  readonly members: number;
  /** Of one member the larger of its buffers, as NCCL's tests count. */
  readonly sizeBytes: number;
  /** By member: the operation whose end begins its part; -1: the job's begin does. */
  readonly begins: Int32Array;
  /** By member: first operation of its part, and how many there are. */
  readonly from: Uint32Array;
  readonly lengths: Uint32Array;
}

/** Parts of a graph. @internal */
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

/** Characters of a name that a description repeats. */
const NAME_SHOWN = 60;
const KIND_WORDS = ['compute', 'send', 'receive'] as const;

/** Made by readers and generators; checked before it is theirs to give away. */
export class WorkloadGraph {
  /** Columns by operation. */
  readonly operations: OperationColumns;
  /** Dependencies. */
  readonly edges: EdgeColumns;
  /** First operation of each rank, and behind the last one's the number of operations. */
  readonly firstOperation: Uint32Array;
  /** Format that it was read from. */
  readonly source: string;
  /** Notes for the user: omissions and differences. */
  readonly notes: readonly WorkloadNote[];
  /** Ranks that have separate hosts; those beyond do nothing in the network, and share the host of rank 0. */
  readonly hostRanks: number;
  /** Links that are down for the whole run: `readHtsimTopology` takes them. */
  readonly failures: readonly LinkFailure[];
  /** Collectives among its operations, in order; empty where the format knows none. */
  readonly collectives: readonly GraphCollective[];
  /** Number of equal parts that each rank's operations consist of, one after the other. */
  readonly iterations: number;
  /** Names of operations as their file has them. @internal */
  readonly names: OperationNames | undefined;
  /** Names of places of operations. @internal */
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

  /** Its name in its file; empty: it has none. @param operation 0 to length - 1. */
  nameOf(operation: number): string {
    this.#check(operation);
    if (this.names === undefined) return '';
    const { bytes, begin, end } = this.names;
    return new TextDecoder().decode(bytes.subarray(begin[operation], end[operation]));
  }

  /** An operation in words: `rank 0, s2, send to 1 tag 9, line 5`. @param operation 0 to length - 1. */
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
