/**
 * The output of all workloads: flows between hosts, in growing columns, as millions of objects would not fit into
 * memory.
 */
import type { WorkloadGraph } from '../../workloads/graph/workload-graph.js';
import type { JobPlan } from '../features/jobs/plan.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import { OPERATIONS as OPERATION_WORDS, TRANSPORTS as TRANSPORT_WORDS } from '../scenario/setting-words.js';
import type { Operation, Transport } from '../scenario/spec.js';

/** One flow, complete; `compileScenario` adds the properties that depend on the network. */
export interface WorkloadFlow {
  /** Node index of the sending host. */
  readonly source: number;
  /** Node index of the receiving host. */
  readonly destination: number;
  /** Payload, bytes: 1 to 2^53 - 1. */
  readonly sizeBytes: number;
  /** Whole picoseconds; with `after`, relative to the arrival of that flow. */
  readonly startPs: number;
  /** Index of an earlier flow whose last byte must have arrived at `source` first, or -1. */
  readonly after: number;
  /** Index into the scenario's algorithms. */
  readonly algorithm: number;
  /** Traffic class of data, 1 to 7. */
  readonly trafficClass: number;
  /** UDP source port. Absent: 10,000 + the number of earlier flows of the pair. */
  readonly sourcePort?: number | undefined;
  readonly destinationPort: number;
  /** Whether it has no end, so that no message can follow it on its QP. Absent: no. */
  readonly endless?: boolean;
  /** Name of its QP in its list. Absent: the workload's `connections` determines the QP. */
  readonly qp?: string | undefined;
  /** Transport. Absent: that of the sending host. */
  readonly transport?: Transport | undefined;
  /** Verb. Absent: WRITE. */
  readonly operation?: Operation | undefined;
  /** Time from which its receiver has posted a receive, picoseconds. Absent: from the start. */
  readonly readyPs?: number | undefined;
}

/** The context of a workload. */
export interface WorkloadContext {
  /** Node indices of all hosts. */
  readonly hosts: readonly number[];
  /** Node index of the switch that each host's first link leads to, in the order of `hosts`. */
  readonly leafOf: readonly number[];
  /** Total rate of each host's links, bits per second, in the order of `hosts`. */
  readonly hostRatesBps: readonly number[];
  /** Latest end of the run, if the scenario states it, picoseconds. */
  readonly durationPs: number | undefined;
  /** Flows made by the workloads before this one. */
  readonly firstFlow: number;
  /** Settings common to its flows. */
  readonly common: Pick<
    WorkloadFlow,
    'algorithm' | 'trafficClass' | 'destinationPort' | 'transport' | 'operation' | 'readyPs'
  > & {
    readonly startPs: number;
  };
  /** Finds a host by name, or rejects the name with the key's path. */
  readonly hostNamed: (name: string, where: string) => number;
  /** Finds the index of a parameter set by name, or rejects the name with the key's path. */
  readonly algorithmNamed: (name: string, where: string) => number;
  /** Seed of this workload only. */
  readonly seed: number;
  /** Path of the workload in the scenario, for messages. */
  readonly where: string;
  /** Graphs of jobs, and the jobs so far. */
  readonly jobs: JobContext;
}

/** The context of jobs, and the list that they are added to. */
export interface JobContext {
  /** Finds the graph of a file, or rejects the file with the key's path; undefined: jobs read from files are omitted. */
  readonly graphOf: (file: string, where: string) => WorkloadGraph | undefined;
  /** The jobs so far, to which new ones are added. */
  readonly all: JobPlan[];
}

/** Maximum number of flows in a scenario. */
export const FLOWS_MAX = 2 ** 24;
/** RoCEv2's UDP port (A17, section 4). */
export const DEFAULT_DESTINATION_PORT = 4791;

/** @throws RoceError `invalid-scenario` for more flows than a scenario may have. */
export function checkFlowCount(got: number, what: string, where: string): void {
  if (got <= FLOWS_MAX) return;
  rejectScenario({ what: `the number of flows of ${what}`, got, allowed: { max: FLOWS_MAX }, where });
}

/** A flow that starts `offsetPs` after its workload. */
export function flowOf({ common }: WorkloadContext, source: number, destination: number, sizeBytes: number,
  offsetPs = 0): WorkloadFlow {
  const { algorithm, trafficClass, destinationPort, startPs, transport, operation, readyPs } = common;
  // Fields are listed one by one: an object spread costs ten times as much, and there may be a million flows.
  return {
    source,
    destination,
    sizeBytes,
    startPs: startPs + offsetPs,
    after: -1,
    algorithm,
    trafficClass,
    destinationPort,
    transport,
    operation,
    readyPs,
  };
}

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
