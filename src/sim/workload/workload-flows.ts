/** The flows of all workloads, in growing columns: as objects, millions of flows would not fit into memory. */
import { OPERATIONS as OPERATION_WORDS, TRANSPORTS as TRANSPORT_WORDS } from '../scenario/setting-words.js';
import type { Operation, Transport } from '../scenario/spec.js';
import type { WorkloadFlow } from './workload-flow.js';

const FIRST_CAPACITY = 64;
/** A flow whose source port is not yet assigned. */
const NO_PORT = -1;
/** Transports by their number in a column; 0: the flow does not state one. */
const TRANSPORTS: readonly (Transport | undefined)[] = [undefined, ...TRANSPORT_WORDS];
const OPERATIONS: readonly (Operation | undefined)[] = [undefined, ...OPERATION_WORDS];

interface Columns {
  readonly source: Uint32Array;
  readonly destination: Uint32Array;
  readonly sizeBytes: Float64Array;
  readonly startPs: Float64Array;
  readonly after: Int32Array;
  readonly algorithm: Uint32Array;
  readonly trafficClass: Uint8Array;
  readonly sourcePort: Int32Array;
  readonly destinationPort: Uint16Array;
  /** The first flow of its QP. */
  readonly leader: Int32Array;
  /** Index into TRANSPORTS; 0: none is stated. */
  readonly transport: Uint8Array;
  /** Index into OPERATIONS; 0: none is stated. */
  readonly operation: Uint8Array;
  /** Time from which the receiver has posted a receive; 0: from the start. */
  readonly readyPs: Float64Array;
}

/** Flows by index, in the order in which they were added. */
export class WorkloadFlows implements Iterable<WorkloadFlow> {
  #length = 0;
  #capacity = FIRST_CAPACITY;
  #columns = columnsFor(FIRST_CAPACITY);

  /** Number of flows. */
  get length(): number {
    return this.#length;
  }

  /** Latest start, picoseconds; 0 for no flows. */
  get lastStartPs(): number {
    let last = 0;
    for (let index = 0; index < this.#length; index++) last = Math.max(last, this.#columns.startPs[index]);
    return last;
  }

  /** Adds a flow. @param leader the first flow of its QP; default: a new QP. */
  add(flow: WorkloadFlow, leader = this.#length): void {
    if (this.#length === this.#capacity) this.#grow();
    const index = this.#length++;
    const columns = this.#columns;
    columns.source[index] = flow.source;
    columns.destination[index] = flow.destination;
    columns.sizeBytes[index] = flow.sizeBytes;
    columns.startPs[index] = flow.startPs;
    columns.after[index] = flow.after;
    columns.algorithm[index] = flow.algorithm;
    columns.trafficClass[index] = flow.trafficClass;
    columns.sourcePort[index] = flow.sourcePort ?? NO_PORT;
    columns.destinationPort[index] = flow.destinationPort;
    columns.leader[index] = leader;
    columns.transport[index] = flow.transport === undefined ? 0 : TRANSPORTS.indexOf(flow.transport);
    columns.operation[index] = flow.operation === undefined ? 0 : OPERATIONS.indexOf(flow.operation);
    columns.readyPs[index] = flow.readyPs ?? 0;
  }

  /** A copy of one flow. @param index 0 to length - 1. */
  get(index: number): WorkloadFlow {
    const columns = this.#columns;
    const sourcePort = columns.sourcePort[index];
    return {
      source: columns.source[index],
      destination: columns.destination[index],
      sizeBytes: columns.sizeBytes[index],
      startPs: columns.startPs[index],
      after: columns.after[index],
      algorithm: columns.algorithm[index],
      trafficClass: columns.trafficClass[index],
      destinationPort: columns.destinationPort[index],
      sourcePort: sourcePort === NO_PORT ? undefined : sourcePort,
      transport: TRANSPORTS[columns.transport[index]],
      operation: OPERATIONS[columns.operation[index]],
      readyPs: columns.readyPs[index] > 0 ? columns.readyPs[index] : undefined,
    };
  }

  /** The first flow of a flow's QP: the flow itself or an earlier one. @param index 0 to length - 1. */
  leaderOf(index: number): number {
    return this.#columns.leader[index];
  }

  /** Whether any QP carries several flows. */
  get areQpsShared(): boolean {
    for (let index = 0; index < this.#length; index++) if (this.#columns.leader[index] !== index) return true;
    return false;
  }

  /** Whether any flow has another verb than WRITE. */
  get haveVerbs(): boolean {
    const write = OPERATIONS.indexOf('write');
    for (let index = 0; index < this.#length; index++) if (this.#columns.operation[index] > write) return true;
    return false;
  }

  /** Copies of all flows, in order. */
  *[Symbol.iterator](): Generator<WorkloadFlow> {
    for (let index = 0; index < this.#length; index++) yield this.get(index);
  }

  #grow(): void {
    const before = this.#columns;
    this.#capacity *= 2;
    this.#columns = columnsFor(this.#capacity);
    for (const name of Object.keys(before) as (keyof Columns)[]) this.#columns[name].set(before[name]);
  }
}

function columnsFor(capacity: number): Columns {
  return {
    source: new Uint32Array(capacity),
    destination: new Uint32Array(capacity),
    sizeBytes: new Float64Array(capacity),
    startPs: new Float64Array(capacity),
    after: new Int32Array(capacity),
    algorithm: new Uint32Array(capacity),
    trafficClass: new Uint8Array(capacity),
    sourcePort: new Int32Array(capacity),
    destinationPort: new Uint16Array(capacity),
    leader: new Int32Array(capacity),
    transport: new Uint8Array(capacity),
    operation: new Uint8Array(capacity),
    readyPs: new Float64Array(capacity),
  };
}
