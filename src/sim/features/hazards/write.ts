/** Writes PFC hazards into the kernel's memory. */
import { writeFields } from '../../../abi/records/fields.js';
import { HAZARD_NETWORK, HAZARD_NODE, HAZARD_PORT, STORM } from '../../../abi/records/hazards.js';
import { ENTROPY_DENIAL, ENTROPY_RETURN, HOST_DISCARDS, LINK_DOWN, LINK_DOWN_UNNOTICED, LINK_EVENT, LINK_LOSSES,
  LINK_NOTICED, LINK_UP, LINK_UP_UNNOTICED, USID_RESTORED, USID_WITHDRAWN } from '../../../abi/records/network.js';
import { SIM_HAZARD_NETWORK, SIM_HAZARD_NODES, SIM_HAZARD_PORTS, SIM_HAZARD_STORMS,
  SIM_LINK_EVENTS } from '../../../abi/sim-regions.js';
import { NACK_CODES } from '../../kernel/nack-codes.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { NetworkPlan } from '../../plan.js';

/** Later than the end of any run. */
const NEVER_PS = Number.MAX_SAFE_INTEGER;

export const HAZARDS_MEMORY: KernelPart = {
  capacity: (plan) => ({
    linkEvents: timedChanges(plan).length,
    hazards: plan.hazards === undefined ? 0 : 1 + plan.hazards.storms.length,
  }),
  write: (abi, plan) => {
    writeLinkEvents(abi, plan);
    writeHazards(abi, plan);
  },
};

function writeHazards(abi: SimAbi, { hazards }: NetworkPlan): void {
  if (hazards === undefined) return;
  const view = new DataView(abi.memory.buffer);
  const { lookPs: checkIntervalPs, quietPs } = hazards;
  writeFields(view, recordAt(abi, SIM_HAZARD_NETWORK, HAZARD_NETWORK, 0), HAZARD_NETWORK, { checkIntervalPs, quietPs });
  const ofPort = (port: number): number => recordAt(abi, SIM_HAZARD_PORTS, HAZARD_PORT, port);
  for (const { port, bufferBytes: capacity, xoffBytes: xoff, xonBytes: xon, pfc: pauses, rateBps } of hazards.receivers)
    writeFields(view, ofPort(port), HAZARD_PORT, { capacity, xoff, xon, pauses, rateBps });
  for (const { port, perBit: bitErrors, perFrame: frameErrors } of hazards.bitErrors)
    writeFields(view, ofPort(port), HAZARD_PORT, { bitErrors, frameErrors });
  hazards.storms.forEach((storm, i) => {
    const untilPs = storm.untilPs ?? NEVER_PS;
    writeFields(view, recordAt(abi, SIM_HAZARD_STORMS, STORM, i), STORM, { ...storm, untilPs });
  });
  for (const { node, detectionPs, restorationPs, pollPs, action } of hazards.watchdogs) {
    const drops = action === 'drop';
    const at = recordAt(abi, SIM_HAZARD_NODES, HAZARD_NODE, node);
    writeFields(view, at, HAZARD_NODE, { detectionPs, restorationPs, pollPs, drops });
  }
}

/*
 * Writes timed changes of the network into the kernel's memory: links that fail or recover, changing losses, withdrawn uSIDs
 * denied entropies, and hosts that discard packets.
 */

interface LinkChange {
  readonly timePs: number;
  readonly port: number;
  readonly change: number;
}

type Changes = Pick<NetworkPlan, 'linkEvents' | 'linkNotices' | 'lossEvents' | 'balancing' | 'transports'>;

/** Writes the events in order of time. */
function writeLinkEvents(abi: SimAbi, plan: Changes): void {
  const view = new DataView(abi.memory.buffer);
  timedChanges(plan).sort((a, b) => a.timePs - b.timePs).forEach((event, index) => {
    writeFields(view, recordAt(abi, SIM_LINK_EVENTS, LINK_EVENT, index), LINK_EVENT, event);
  });
}

/** Those that affect no link come first, so that at time 0 they precede all packets. */
function timedChanges({ linkEvents, linkNotices, lossEvents = [], balancing, transports }: Changes): LinkChange[] {
  const [down, back] = linkNotices === undefined ? [LINK_DOWN, LINK_UP] : [LINK_DOWN_UNNOTICED, LINK_UP_UNNOTICED];
  return [
    ...(balancing?.selection?.states?.denials ?? []).map(({ timePs, target, isDenied }) => ({
      timePs,
      port: target,
      change: isDenied ? ENTROPY_DENIAL : ENTROPY_RETURN,
    })),
    ...(balancing?.usids?.events ?? []).map(({ isWithdrawn, ...event }) => ({
      ...event,
      change: isWithdrawn ? USID_WITHDRAWN : USID_RESTORED,
    })),
    ...(transports?.mrc?.discards ?? []).map(({ timePs, node, reason }) => ({
      timePs,
      port: node,
      change: HOST_DISCARDS,
      reason: reason === null ? 0 : NACK_CODES[reason],
    })),
    ...linkEvents.map(({ up, ...event }) => ({ ...event, change: up ? back : down })),
    ...(linkNotices ?? []).map((event) => ({ ...event, change: LINK_NOTICED })),
    ...lossEvents.map((event) => ({ ...event, change: LINK_LOSSES })),
  ];
}
