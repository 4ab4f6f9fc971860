/**
 * Writes timed changes of the network into the kernel's memory: links that fail or recover, changing losses, withdrawn uSIDs
 * and denied entropies.
 */
import { writeFields } from '../../../abi/records/fields.js';
import { ENTROPY_DENIAL, ENTROPY_RETURN, LINK_DOWN, LINK_DOWN_UNNOTICED, LINK_EVENT, LINK_LOSSES, LINK_NOTICED, LINK_UP,
  LINK_UP_UNNOTICED, USID_RESTORED, USID_WITHDRAWN } from '../../../abi/records/network.js';
import { SIM_LINK_EVENTS } from '../../../abi/sim-regions.js';
import type { NetworkPlan } from '../../plan.js';
import { recordAt } from '../../kernel/record-at.js';
import type { SimAbi } from '../../kernel/sim-abi.js';

type Changes = Pick<NetworkPlan, 'linkEvents' | 'linkNotices' | 'lossEvents' | 'balancing'>;

export function linkEventCount({ linkEvents, linkNotices = [], lossEvents = [], balancing }: Changes): number {
  return linkEvents.length + linkNotices.length + lossEvents.length +
    (balancing?.selection?.states?.denials?.length ?? 0) + (balancing?.usids?.events?.length ?? 0);
}

/** Writes the events in order of time. At equal times denials and withdrawals come first, so that those at time 0 precede all packets. */
export function writeLinkEvents(abi: SimAbi, { linkEvents, linkNotices, lossEvents = [], balancing }: Changes): void {
  const view = new DataView(abi.memory.buffer);
  const [down, back] = linkNotices === undefined ? [LINK_DOWN, LINK_UP] : [LINK_DOWN_UNNOTICED, LINK_UP_UNNOTICED];
  const all = [
    ...(balancing?.selection?.states?.denials ?? []).map(({ timePs, number, isDenied }) => ({
      timePs,
      port: number,
      change: isDenied ? ENTROPY_DENIAL : ENTROPY_RETURN,
    })),
    ...(balancing?.usids?.events ?? []).map(({ isWithdrawn, ...event }) => ({
      ...event,
      change: isWithdrawn ? USID_WITHDRAWN : USID_RESTORED,
    })),
    ...linkEvents.map(({ up, ...event }) => ({ ...event, change: up ? back : down })),
    ...(linkNotices ?? []).map((event) => ({ ...event, change: LINK_NOTICED })),
    ...lossEvents.map((event) => ({ ...event, change: LINK_LOSSES })),
  ];
  all.sort((a, b) => a.timePs - b.timePs).forEach((event, index) => {
    writeFields(view, recordAt(abi, SIM_LINK_EVENTS, LINK_EVENT, index), LINK_EVENT, event);
  });
}
