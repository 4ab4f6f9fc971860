/** The output of all workloads: flows between hosts. */
import type { WorkloadGraph } from '../../workloads/graph/workload-graph.js';
import type { JobPlan } from '../features/jobs/plan.js';
import { rejectScenario } from '../scenario/scenario-error.js';
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
