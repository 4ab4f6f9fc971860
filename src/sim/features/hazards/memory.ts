/**
 * Writes PFC hazards and timed changes of the network into the kernel's memory, and reads the counters of hazards.
 * Timed changes: links that fail or recover, changing losses, withdrawn uSIDs, denied entropies, and hosts that discard
 * packets.
 */
import { writeFields, readArray, readField, readFields } from '../../../abi/records/define-record.js';
import { HAZARD_NETWORK, HAZARD_NODE, HAZARD_PORT, STORM, DEADLOCK,
  HAZARD_FLOW } from '../../../abi/records/hazards.js';
import { ENTROPY_DENIAL, ENTROPY_RETURN, HOST_DISCARDS, LINK_DOWN, LINK_DOWN_UNNOTICED, LINK_EVENT, LINK_LOSSES,
  LINK_NOTICED, LINK_UP, LINK_UP_UNNOTICED, USID_RESTORED, USID_WITHDRAWN } from '../../../abi/records/network.js';
import { SIM_HAZARD_DEADLOCKS, SIM_HAZARD_FLOWS, SIM_HAZARD_NETWORK, SIM_HAZARD_NODES, SIM_HAZARD_PORTS,
  SIM_HAZARD_STORMS, SIM_LINK_EVENTS, SIM_NONE } from '../../../abi/sim-codes.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import { NACK_CODES } from '../../kernel/read-trace.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { NetworkPlan } from '../../plan.js';

const CLASSES = 8;
const PORT_COUNTERS = ['storms', 'restored', 'watchdogDrops', 'stormedPs', 'receiveDrops'] as const;
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
  const { checkIntervalPs, quietPs } = hazards;
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

/** A change of the network; `port` is a node or an entropy for those that affect no link. */
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

/** Counters of a port. */
export interface RawHazardPort {
  /** Queues that a watchdog declared stormed. */
  readonly storms: number;
  /** Queues that the watchdog restored. */
  readonly restored: number;
  /** Packets that a watchdog dropped. */
  readonly watchdogDrops: number;
  /** How long queues counted as stormed, picoseconds, summed over classes. */
  readonly stormedPs: number;
  /** Packets dropped because the receive buffer was full. */
  readonly receiveDrops: number;
  /** Maximum bytes in its receive buffer. */
  readonly maxReceiveBytes: number;
}

/** A flow that pauses held although its own path was free. */
export interface RawVictim {
  /** How long, picoseconds. */
  readonly heldPs: number;
  /** Port of its longest single hold; -1: it was not held. */
  readonly heldAt: number;
  /** Port at which the pauses that held it began; -1: a cycle of ports that wait for each other. */
  readonly root: number;
}

/** Queues that wait for each other. */
export interface RawDeadlock {
  /** When the last queue of the cycle was paused, picoseconds. */
  readonly formedPs: number;
  /** When the deadlock was found, picoseconds. */
  readonly foundPs: number;
  /** When it was found resolved, picoseconds; null: it was not. */
  readonly resolvedPs: number | null;
  /** Ports in its cycle. */
  readonly length: number;
  /** The recorded queues of the cycle, each by port and class. */
  readonly cycle: readonly {
    /** Index of the port. */
    readonly port: number;
    /** The class that is stopped, 1 to 7. */
    readonly trafficClass: number;
  }[];
}

/** Reads the counters of PFC hazards from the kernel's memory as it is now. */
export class HazardReader {
  readonly #abi: SimAbi;
  readonly #view: DataView;

  constructor(abi: SimAbi) {
    this.#abi = abi;
    this.#view = new DataView(abi.memory.buffer);
  }

  /** Counters of a port. @param index of the port, below the plan's number of ports. */
  port(index: number): RawHazardPort {
    const at = recordAt(this.#abi, SIM_HAZARD_PORTS, HAZARD_PORT, index);
    return {
      ...readFields(this.#view, at, HAZARD_PORT, PORT_COUNTERS),
      maxReceiveBytes: readField(this.#view, at, HAZARD_PORT, 'mostHeld'),
    };
  }

  /** How long pauses that began elsewhere held a flow. @param index of the flow, below the plan's number of flows. */
  victim(index: number): RawVictim {
    const at = recordAt(this.#abi, SIM_HAZARD_FLOWS, HAZARD_FLOW, index);
    const { heldPs, heldAt, root } = readFields(this.#view, at, HAZARD_FLOW, ['heldPs', 'heldAt', 'root']);
    return {
      heldPs,
      heldAt: heldPs > 0 ? heldAt : -1,
      root: heldPs === 0 || root === SIM_NONE ? -1 : root,
    };
  }

  /** Deadlocks so far, at most the first 8. */
  deadlocks(): readonly RawDeadlock[] {
    const network = recordAt(this.#abi, SIM_HAZARD_NETWORK, HAZARD_NETWORK, 0);
    const length = readField(this.#view, network, HAZARD_NETWORK, 'deadlockRecords');
    return Array.from({ length },
      (_, i) => readDeadlock(this.#view, recordAt(this.#abi, SIM_HAZARD_DEADLOCKS, DEADLOCK, i)));
  }
}

function readDeadlock(view: DataView, at: number): RawDeadlock {
  const { ports, resolvedPs, ...times } = readFields(view, at, DEADLOCK, [
    'formedPs',
    'foundPs',
    'resolvedPs',
    'ports',
  ]);
  return {
    ...times,
    resolvedPs: resolvedPs < 0 ? null : resolvedPs,
    length: ports,
    cycle: readArray(view, at, DEADLOCK, 'cycle', ports).map((place) => ({
      port: Math.floor(place / CLASSES),
      trafficClass: place % CLASSES,
    })),
  };
}
