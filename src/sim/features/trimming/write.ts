/** Writes packet trimming into the kernel's memory, and reads its counters. */
import { readFields, writeFields } from '../../../abi/records/fields.js';
import type { RuleValues } from '../../../abi/records/sim-rules.js';
import { TRIM_QUEUE } from '../../../abi/records/transports.js';
import { SIM_NONE } from '../../../abi/sim-codes.js';
import { SIM_TRIMMING } from '../../../abi/sim-regions.js';
import { leadsToHost, trimmingLimit } from './limits.js';
import type { NetworkPlan } from '../../plan.js';
import type { PortResult } from '../../result.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { KernelPart } from '../../kernel/kernel-part.js';

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
