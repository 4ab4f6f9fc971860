/** A workload that lists its flows. */
import { PS_PER_US } from '../../unit-sizes.js';
import { DEFAULT_START_US } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { FlowListSpec, FlowSpec } from '../scenario/spec.js';
import { type WorkloadContext, type WorkloadFlow } from './workload-flow.js';

export function flowList(spec: FlowListSpec, context: WorkloadContext): WorkloadFlow[] {
  return spec.flows.map((flow, i) => oneFlow(flow, context, `${context.where}.flows[${i}]`));
}

function oneFlow(flow: FlowSpec, context: WorkloadContext, where: string): WorkloadFlow {
  const { common } = context;
  const source = context.hostNamed(flow.from, `${where}.from`);
  const destination = context.hostNamed(flow.to, `${where}.to`);
  if (source === destination) {
    rejectScenario({ what: 'the flow', problem: 'goes from a host to itself', got: flow.to, where: `${where}.to` });
  }
  if (flow.startUs !== undefined && flow.startPs !== undefined) {
    const got = { startUs: flow.startUs, startPs: flow.startPs };
    rejectScenario({ what: 'the flow', problem: 'has two starts', got, where: `${where}.startPs` });
  }
  const { algorithm, trafficClass, sourcePort, destinationPort, transport, qp, operation, receiverReadyUs } = flow;
  return {
    source,
    destination,
    sizeBytes: flow.sizeBytes,
    startPs: common.startPs + (flow.startPs ?? Math.round((flow.startUs ?? DEFAULT_START_US) * PS_PER_US)),
    after: -1,
    algorithm: algorithm === undefined ? common.algorithm : context.algorithmNamed(algorithm, `${where}.algorithm`),
    trafficClass: trafficClass ?? common.trafficClass,
    destinationPort: destinationPort ?? common.destinationPort,
    transport: transport ?? common.transport,
    operation: operation ?? common.operation,
    readyPs: receiverReadyUs === undefined ? common.readyPs : Math.round(receiverReadyUs * PS_PER_US),
    ...(sourcePort === undefined ? {} : { sourcePort }),
    ...(qp === undefined ? {} : { qp }),
  };
}
