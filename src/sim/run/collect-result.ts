/** From what the kernel has counted to a result. */
import type { CompiledScenario } from '../compile/compile-scenario.js';
import type { SimKernel } from '../kernel/kernel.js';
import { collect, type PlanResult } from '../kernel/run-plan.js';
import { pick } from '../pick.js';
import type { FlowResult, PortResult, SimResult, Totals } from '../result.js';
import { hashResult } from '../results/result-hash.js';
import { summarise } from '../results/summary.js';
import type { Sampler } from './sampler.js';

/** What stands in the result as the kernel has counted it. */
const FLOW_COUNTERS = [
  'startPs',
  'completionPs',
  'deliveredBytes',
  'retransmittedPackets',
  'timeouts',
  'cnps',
  'fastCnps',
  'duplicateNotifications',
] as const;
const PORT_COUNTERS = [
  'txPackets',
  'txBytes',
  'maxClassQueueBytes',
  'maxQueueBytes',
  'marks',
  'drops',
  'fastCnps',
  'pausesSent',
  'pausesReceived',
  'pausedPs',
] as const;

/** What a result is made of. */
export interface RunParts {
  readonly compiled: CompiledScenario;
  readonly kernel: SimKernel;
  readonly sampler: Sampler;
}

export function collectResult({ compiled, kernel, sampler }: RunParts, ended: SimResult['ended']): SimResult {
  const run = collect(kernel);
  const flows = run.flows.map((_, index) => flowResult(compiled, kernel, run, index));
  const ports = run.ports.map((_, index) => portResult(compiled, run, index));
  const series = sampler.series(ports);
  const simulatedPs = ended === 'time' ? compiled.plan.endPs : run.nowPs;
  const result: Omit<SimResult, 'hash'> = {
    format: 'roce-cc-result-1',
    scenario: compiled.spec,
    fidelity: compiled.plan.fidelity,
    seed: compiled.plan.seed,
    ended,
    simulatedPs,
    events: run.events,
    packetHops: run.packetHops,
    totals: run.totals,
    flows,
    ports,
    series,
    summary: summarise({ flows, ports, series, activePs: simulatedPs - compiled.record.startPs }),
    notes: [...compiled.notes, ...notesOnTimeouts(run.totals)],
  };
  return { ...result, hash: hashResult(result) };
}

/** Senders that go back although everything arrives make the network look worse than it is. */
function notesOnTimeouts({ timeouts, packetsDropped }: Totals): string[] {
  if (timeouts === 0 || packetsDropped > 0) return [];
  const times = timeouts === 1 ? 'A retransmission timer ran out' : `Retransmission timers ran out ${timeouts} times`;
  return [
    `${times} although no packet was lost: packets or their ACKs waited longer than hosts.retransmitTimeoutUs.`,
  ];
}

function flowResult({ plan, portNames, flowAlgorithms, flowPaths }: CompiledScenario, kernel: SimKernel,
  run: PlanResult, index: number): FlowResult {
  const raw = run.flows[index];
  const flow = plan.flows[index];
  const { completionPs, firstNotificationPs } = raw;
  return {
    ...pick(raw, FLOW_COUNTERS),
    index,
    from: plan.nodes[flow.source].name,
    to: plan.nodes[flow.destination].name,
    algorithm: flowAlgorithms[index],
    sizeBytes: flow.sizeBytes,
    idealPs: flow.idealPs,
    slowdown: completionPs === null ? null : completionPs / flow.idealPs,
    firstNotificationPs: firstNotificationPs < 0 ? null : firstNotificationPs,
    finalRateBps: kernel.rateBps(index, run.nowPs),
    windowBytes: flow.windowMode === 'none' ? 0 : flow.windowBytes,
    path: flowPaths[index].map((port) => portNames[port]),
  };
}

function portResult({ plan, portNames, record }: CompiledScenario, run: PlanResult, index: number): PortResult {
  const raw = run.ports[index];
  const port = plan.ports[index];
  const node = plan.nodes[port.node];
  const activePs = run.nowPs - record.startPs;
  const overTime = (sum: number): number => (activePs > 0 ? sum / activePs : 0);
  return {
    ...pick(raw, PORT_COUNTERS),
    name: portNames[index],
    node: node.name,
    peer: plan.nodes[plan.ports[port.peerPort].node].name,
    rateBps: port.rateBps,
    utilization: overTime(raw.busyPs),
    meanQueueBytes: overTime(raw.queueIntegral),
    ...(port.ecn ? { kminBytes: port.kminBytes, kmaxBytes: port.kmaxBytes } : {}),
    ...(node.kind === 'switch' ? { maxIngressBytes: raw.maxSharedBytes } : {}),
    ...(node.kind === 'switch' && node.pfc ? { minPauseThresholdBytes: raw.minThresholdBytes } : {}),
  };
}
