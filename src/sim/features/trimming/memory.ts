/** Writes packet trimming into the kernel's memory, and reads its counters. */
import { readFields, writeFields } from '../../../abi/records/fields.js';
import type { RuleValues } from '../../../abi/records/sim-rules.js';
import { TRIM_QUEUE } from '../../../abi/records/transports.js';
import { SIM_NONE } from '../../../abi/sim-codes.js';
import { SIM_TRIMMING } from '../../../abi/sim-regions.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { NetworkPlan, TrimmingPlan } from '../../plan.js';
import type { PortResult } from '../../result.js';

const CLASSES = 8;

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
