/**
 * Packet trimming: limits of queues, and its part of the kernel's memory. Default limits are the thresholds that Ultra
 * Ethernet recommends, in BDPs (scenario/defaults.ts).
 */
import { readFields, writeFields } from '../../abi/records/define-record.js';
import type { RuleValues } from '../../abi/records/sim-run.js';
import { TRIM_QUEUE } from '../../abi/records/transports.js';
import { SIM_NONE, SIM_TRIMMING } from '../../abi/sim-codes.js';
import { FCS_BYTES, MRC_UNNEEDED_BYTES } from '../compile/packet-sizes.js';
import { classMask } from '../compile/rules.js';
import type { FlowPlans } from '../flow-plans.js';
import type { KernelPart } from '../kernel/kernel-part.js';
import { recordAt, type SimAbi } from '../kernel/sim-abi.js';
import type { TrimmingPlan, NetworkPlan } from '../plan.js';
import type { PortResult } from '../result.js';
import { TRIMMING_BDPS } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import { flowTransport, type TransportsPlan } from './transports/plan.js';

const CLASSES = 8;

/** The inputs of trimming. */
export interface TrimmingContext {
  readonly flows: FlowPlans;
  readonly transports: TransportsPlan | undefined;
  readonly bdpBytes: number;
}

/**
 * The plan of trimming; undefined if no packet is trimmed. @throws RoceError `invalid-scenario` for settings that contradict
 * the flows.
 */
export function trimmingPlan({ trimming, wan }: ValidScenario, { flows, transports, bdpBytes }: TrimmingContext):
  | TrimmingPlan
  | undefined {
  if (trimming === null) return undefined;
  if (wan !== null) {
    const problem = 'is not modelled in a network with tunnels';
    rejectScenario({ what: 'switches.trimming', problem, got: trimming, where: 'switches.trimming' });
  }
  const trimmable = classesOfMrc(flows, transports);
  const dataClasses = trimming.dataClasses === null ? trimmable : classMask(trimming.dataClasses);
  const { trafficClass, sizeBytes } = trimming;
  if ((dataClasses & (1 << trafficClass)) !== 0) {
    rejectScenario({
      what: 'switches.trimming.trafficClass',
      problem: 'is a class whose data are trimmed',
      got: trafficClass,
      where: 'switches.trimming.trafficClass',
    });
  }
  requireHeaders(sizeBytes, flows, transports);
  const limit = (given: number | null, bdps: number): number => given ?? Math.ceil(bdps * bdpBytes);
  return {
    lenBytes: sizeBytes + FCS_BYTES,
    trafficClass,
    dataClasses,
    queueBytes: limit(trimming.queueBytes, TRIMMING_BDPS.queue),
    lastHopQueueBytes: limit(trimming.lastHopQueueBytes, TRIMMING_BDPS.lastHopQueue),
    trimmedQueueBytes: limit(trimming.trimmedQueueBytes, TRIMMING_BDPS.trimmedQueue),
  };
}

/** Classes in which flows of `mrc` send, as a bit mask. */
function classesOfMrc(flows: FlowPlans, transports: TransportsPlan | undefined): number {
  let classes = 0;
  for (let flow = 0; flow < flows.length; flow++)
    if (flowTransport(transports, flow) === 'mrc') classes |= 1 << flows.dataClass[flow];
  return classes;
}

/** Rejects a size that cuts headers, without which a receiver cannot request the packet again. */
function requireHeaders(sizeBytes: number, flows: FlowPlans, transports: TransportsPlan | undefined): void {
  let min = 0;
  for (let flow = 0; flow < flows.length; flow++)
    if (flowTransport(transports, flow) === 'mrc') min = Math.max(min, flows.headerBytes[flow] - MRC_UNNEEDED_BYTES);
  if (sizeBytes >= min) return;
  rejectScenario({
    what: 'switches.trimming.sizeBytes',
    got: sizeBytes,
    allowed: { min, unit: 'bytes' },
    where: 'switches.trimming.sizeBytes',
    hint: 'Trimmed packets keep all headers up to the TSETH, and what telemetry their algorithm has',
  });
}

export const TRIMMING_MEMORY: KernelPart = {
  capacity: ({ trimming }) => ({ trimming: trimming !== undefined }),
  rules: trimmingRules,
  write: writeTrimming,
};

function trimmingRules({ trimming }: NetworkPlan): RuleValues {
  return {
    trimBytes: trimming?.lenBytes ?? 0,
    trimClass: trimming?.trafficClass ?? 0,
    trimClasses: trimming?.dataClasses ?? 0,
  };
}

function writeTrimming(abi: SimAbi, { trimming, nodes, ports }: NetworkPlan): void {
  if (trimming === undefined) return;
  const view = new DataView(abi.memory.buffer);
  ports.forEach((_, port) => {
    const isLastHop = leadsToHost({ nodes, ports }, port);
    for (let trafficClass = 0; trafficClass < CLASSES; trafficClass++) {
      const at = recordAt(abi, SIM_TRIMMING, TRIM_QUEUE, port * CLASSES + trafficClass);
      const limitBytes = trimmingLimit(trimming, { nodes, ports }, port, trafficClass);
      writeFields(view, at, TRIM_QUEUE, { limitBytes: limitBytes ?? SIM_NONE, isLastHop });
    }
  });
}

type Ports = Pick<NetworkPlan, 'nodes' | 'ports'>;

/** Whether a port leads to a host or to a host's adapter. */
function leadsToHost({ nodes, ports }: Ports, port: number): boolean {
  const { kind, isAdapter } = nodes[ports[ports[port].peerPort].node];
  return kind === 'host' || isAdapter === true;
}

/** Limit of a class's queue at a port; undefined: no limit, as in adapters. */
function trimmingLimit(plan: TrimmingPlan, network: Ports, port: number, trafficClass: number): number | undefined {
  if (network.nodes[network.ports[port].node].isAdapter === true) return undefined;
  if (trafficClass === plan.trafficClass) return plan.trimmedQueueBytes;
  if ((plan.dataClasses & (1 << trafficClass)) === 0) return undefined;
  return leadsToHost(network, port) ? plan.lastHopQueueBytes : plan.queueBytes;
}

/** Counters of trimming at one port. */
export interface RawTrimming {
  /** Packets trimmed, by their original class. */
  readonly trimmed: readonly number[];
  /** Trimmed packets that were dropped. */
  readonly dropped: number;
}

/** The members of a port's result on trimming; empty if nothing was trimmed or dropped there. */
export function trimmedOf(
  raw: RawTrimming | undefined,
): Pick<PortResult, 'trimmedPackets' | 'trimmedByClass' | 'trimmedDropped'> {
  const trimmedPackets = raw?.trimmed.reduce((sum, count) => sum + count, 0) ?? 0;
  if (raw === undefined || trimmedPackets + raw.dropped === 0) return {};
  return { trimmedPackets, trimmedByClass: raw.trimmed, trimmedDropped: raw.dropped };
}

/** Reads the counters of each port; empty without trimming. */
export function readTrimming(abi: SimAbi, { trimming, ports }: NetworkPlan): RawTrimming[] {
  if (trimming === undefined) return [];
  const view = new DataView(abi.memory.buffer);
  return ports.map((_, port) => {
    const queues = Array.from({ length: CLASSES },
      (__, trafficClass) =>
        readFields(view, recordAt(abi, SIM_TRIMMING, TRIM_QUEUE, port * CLASSES + trafficClass), TRIM_QUEUE, [
          'trimmed',
          'dropped',
        ]));
    return {
      trimmed: queues.map(({ trimmed }) => trimmed),
      dropped: queues.reduce((sum, { dropped }) => sum + dropped, 0),
    };
  });
}
