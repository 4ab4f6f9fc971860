/** Turns workloads into one list of flows. */
import { PS_PER_US } from '../../unit-sizes.js';
import { DEFAULT_CONNECTIONS, DEFAULT_START_US, DEFAULT_TRAFFIC_CLASS } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { ConnectionsSpec, OperationSpec, WorkloadSpec } from '../scenario/spec.js';
import { allToAll, flowList, incast, permutation, ringAllReduce } from './patterns.js';
import { collective, program } from '../features/jobs/program.js';
import { job } from '../features/jobs/job.js';
import { expectedFlows, poisson } from './poisson.js';
import { NamedQps, QpAssignment } from './qp-assignment.js';
import { seedOf } from './random.js';
import { checkFlowCount, DEFAULT_DESTINATION_PORT, FLOWS_MAX, type WorkloadContext,
  type WorkloadFlow } from './workload-flow.js';
import { WorkloadFlows } from './workload-flows.js';

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
