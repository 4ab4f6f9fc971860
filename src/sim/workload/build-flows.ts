/**
 * Converts workloads to one list of flows, each assigned to a QP.
 *
 * Source of the QPs: NCCL's documentation, NCCL_IB_QPS_PER_CONNECTION (default 1: one QP per channel and peer, kept for the
 * communicator's life).
 */
import { PS_PER_US } from '../../units.js';
import { job } from '../features/jobs/job.js';
import { collective, program } from '../features/jobs/program.js';
import { DEFAULT_CONNECTIONS, DEFAULT_START_US, DEFAULT_TRAFFIC_CLASS } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { ConnectionsSpec, OperationSpec, WorkloadSpec } from '../scenario/spec.js';
import { allToAll, flowList, incast, permutation, ringAllReduce, expectedFlows, poisson } from './patterns.js';
import { seedOf } from '../random.js';
import { checkFlowCount, DEFAULT_DESTINATION_PORT, FLOWS_MAX, type WorkloadContext, type WorkloadFlow,
  WorkloadFlows } from './workload-flows.js';

type Maker<Spec> = (spec: Spec, context: WorkloadContext) => Iterable<WorkloadFlow>;

const MAKERS: { readonly [Kind in WorkloadSpec['kind']]: Maker<Extract<WorkloadSpec, { kind: Kind }>> } = {
  flows: flowList,
  incast,
  permutation,
  'all-to-all': allToAll,
  'ring-all-reduce': ringAllReduce,
  poisson,
  job,
  collective,
  program,
};

/** The context of all workloads of a scenario. */
export type SharedContext = Pick<
  WorkloadContext,
  'hosts' | 'leafOf' | 'hostRatesBps' | 'durationPs' | 'hostNamed' | 'algorithmNamed' | 'seed' | 'jobs'
> & {
  /** How jobs that don't set `connections` assign QPs. */
  readonly connectionsOfJobs: ConnectionsSpec;
};

const JOB_KINDS: readonly WorkloadSpec['kind'][] = ['job', 'collective', 'program'];

/** Rejects too many arrivals before any is drawn, as drawing up to the limit takes seconds. */
function checkExpectedFlows(workloads: readonly WorkloadSpec[], { hostRatesBps }: SharedContext,
  places: readonly string[]): void {
  const totalBps = hostRatesBps.reduce((sum, rate) => sum + rate, 0);
  let flows = 0;
  workloads.forEach((spec, i) => {
    if (spec.kind !== 'poisson') return;
    flows += expectedFlows(spec, totalBps);
    if (flows <= FLOWS_MAX) return;
    const key = spec.flows === undefined ? 'arrivalsForUs' : 'flows';
    rejectScenario({
      what: 'the expected number of flows',
      got: flows,
      allowed: { max: FLOWS_MAX },
      where: `${places[i]}.${key}`,
    });
  });
}

/** The verb of a workload of independent flows. */
function verbOf(spec: WorkloadSpec): Pick<WorkloadFlow, 'operation' | 'readyPs'> {
  const { operation, receiverReadyUs } = spec as OperationSpec;
  return {
    operation,
    readyPs: receiverReadyUs === undefined ? undefined : Math.round(receiverReadyUs * PS_PER_US),
  };
}

/**
 * The flows of all workloads, in order.
 * @throws RoceError `invalid-scenario`, naming the field that does not fit the network.
 */
export function buildFlows(workloads: readonly WorkloadSpec[], shared: SharedContext,
  places: readonly string[]): WorkloadFlows {
  checkExpectedFlows(workloads, shared, places);
  const flows = new WorkloadFlows();
  workloads.forEach((spec, i) => {
    const where = places[i];
    const context: WorkloadContext = {
      ...shared,
      firstFlow: flows.length,
      seed: seedOf(shared.seed, i),
      where,
      common: {
        startPs: Math.round((spec.startUs ?? DEFAULT_START_US) * PS_PER_US),
        algorithm: spec.algorithm === undefined ? 0 : shared.algorithmNamed(spec.algorithm, `${where}.algorithm`),
        trafficClass: spec.trafficClass ?? DEFAULT_TRAFFIC_CLASS,
        destinationPort: DEFAULT_DESTINATION_PORT,
        transport: spec.transport,
        ...verbOf(spec),
      },
    };
    const qps = new QpAssignment(spec.connections ?? defaultConnections(spec, shared));
    const named = new NamedQps(where);
    for (const flow of (MAKERS[spec.kind] as Maker<WorkloadSpec>)(spec, context)) {
      flows.add(flow, (flow.qp === undefined ? qps : named).leaderOf(flow, flows.length));
      checkFlowCount(flows.length, 'a scenario', where);
    }
  });
  return flows;
}

function defaultConnections({ kind }: WorkloadSpec, { connectionsOfJobs }: SharedContext): ConnectionsSpec {
  return JOB_KINDS.includes(kind) ? connectionsOfJobs : DEFAULT_CONNECTIONS.ofOthers;
}

/** QPs of flows that differ only in size and start. */
interface Group {
  readonly example: WorkloadFlow;
  /** First flow of each QP. */
  readonly leaders: number[];
  readonly bytes: number[];
  flows: number;
}

/** Assigns the flows of a workload to QPs: one QP per flow, or one or several per pair of hosts. */
class QpAssignment {
  readonly #perPair: number;
  readonly #bySize: boolean;
  readonly #groups = new Map<number, Group[]>();

  /** @param rule the workload's setting `connections`. */
  constructor(rule: ConnectionsSpec) {
    this.#perPair = rule === 'per-message' ? 0 : rule === 'per-pair' ? 1 : rule.perPair;
    this.#bySize = typeof rule === 'object' && rule.choose === 'fewest-bytes';
  }

  /** The first flow of a flow's QP, which is the flow itself if its QP is new. @param index index of the flow; call in order. */
  leaderOf(flow: WorkloadFlow, index: number): number {
    if (this.#perPair === 0 || flow.endless === true) return index;
    const group = this.#groupOf(flow);
    const place = this.#placeIn(group);
    group.flows++;
    group.leaders[place] ??= index;
    group.bytes[place] += flow.sizeBytes;
    return group.leaders[place];
  }

  #placeIn({ flows, bytes }: Group): number {
    return this.#bySize ? bytes.indexOf(Math.min(...bytes)) : flows % this.#perPair;
  }

  #groupOf(flow: WorkloadFlow): Group {
    const pair = flow.source * 65_536 + flow.destination;
    const known = this.#groups.get(pair) ?? [];
    const found = known.find(({ example }) => isEqual(example, flow));
    if (found !== undefined) return found;
    const made: Group = { example: flow, leaders: [], bytes: Array.from({ length: this.#perPair }, () => 0), flows: 0 };
    this.#groups.set(pair, [...known, made]);
    return made;
  }
}

/** QPs that flows of a list refer to by name. */
class NamedQps {
  readonly #where: string;
  readonly #firsts = new Map<string, { readonly index: number; readonly flow: WorkloadFlow }>();

  /** @param where path of the list in the scenario, for messages. */
  constructor(where: string) {
    this.#where = where;
  }

  /**
   * The first flow that names the same QP. @param index index of the flow.
   * @throws RoceError `invalid-scenario` if the two can't be messages of one QP.
   */
  leaderOf(flow: WorkloadFlow, index: number): number {
    const name = flow.qp ?? '';
    const first = this.#firsts.get(name);
    if (first === undefined) {
      this.#firsts.set(name, { index, flow });
      return index;
    }
    const { source, destination } = first.flow;
    if (source === flow.source && destination === flow.destination && isEqual(first.flow, flow)) return first.index;
    return rejectScenario({
      what: `the QP ${name}`,
      problem: 'has flows that differ in hosts, ports, class, algorithm or transport',
      got: { flows: [first.index, index] },
      where: this.#where,
      hint: 'All messages of a QP have those of its first flow',
    });
  }
}

/** Whether two flows between the same hosts can be messages of one QP. */
function isEqual(a: WorkloadFlow, b: WorkloadFlow): boolean {
  return a.algorithm === b.algorithm && a.trafficClass === b.trafficClass && a.sourcePort === b.sourcePort &&
    a.destinationPort === b.destinationPort && a.transport === b.transport;
}
