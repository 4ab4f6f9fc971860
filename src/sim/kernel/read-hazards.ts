/** The kernel's counters of PFC's hazards, read from its memory. */
import * as layout from '../../abi/hazard-layout.js';
import { SIM_NONE } from '../../abi/sim-layout.js';
import { SIM_HAZARD_DEADLOCKS, SIM_HAZARD_FLOWS, SIM_HAZARD_NETWORK, SIM_HAZARD_PORTS } from '../../abi/sim-regions.js';
import type { SimAbi } from './sim-abi.js';

const CLASSES = 8;

/** Counters of a port. */
export interface RawHazardPort {
  /** Queues that a watchdog declared stormed. */
  readonly storms: number;
  /** Queues that it restored. */
  readonly restored: number;
  /** Packets that a watchdog dropped. */
  readonly watchdogDrops: number;
  /** How long queues counted as stormed, picoseconds, summed over classes. */
  readonly stormedPs: number;
  /** Packets that found its receive buffer full. */
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
  /** Port at which the pause that held it began; -1: ports that wait for each other in a cycle. */
  readonly root: number;
}

/** Queues that wait for each other. */
export interface RawDeadlock {
  /** When the last of them was paused, picoseconds. */
  readonly formedPs: number;
  /** When it was found, picoseconds. */
  readonly foundPs: number;
  /** When it was found resolved, picoseconds; null: it was not. */
  readonly resolvedPs: number | null;
  /** Ports in its cycle. */
  readonly length: number;
  /** Those of them that are recorded, each by port and class. */
  readonly cycle: readonly {
    /** Index of the port. */
    readonly port: number;
    /** The class that is stopped, 1 to 7. */
    readonly trafficClass: number;
  }[];
}

/** Reads the counters of PFC's hazards from the kernel's memory as it is now. */
export class HazardReader {
  readonly #abi: SimAbi;
  readonly #view: DataView;

  constructor(abi: SimAbi) {
    this.#abi = abi;
    this.#view = new DataView(abi.memory.buffer);
  }

  /** Counters of a port. @param index of the port, below the plan's number of ports. */
  port(index: number): RawHazardPort {
    return readHazardPort(this.#view, this.#region(SIM_HAZARD_PORTS) + index * layout.HAZARD_PORT_BYTES);
  }

  /** How long pauses that began elsewhere held a flow. @param index of the flow, below the plan's number of flows. */
  victim(index: number): RawVictim {
    return readVictim(this.#view, this.#region(SIM_HAZARD_FLOWS) + index * layout.HAZARD_FLOW_BYTES);
  }

  /** Deadlocks so far, at most the first 8. */
  deadlocks(): readonly RawDeadlock[] {
    return readDeadlocks(this.#view, this.#region(SIM_HAZARD_NETWORK), this.#region(SIM_HAZARD_DEADLOCKS));
  }

  #region(region: number): number {
    return this.#abi.simRegion(region) >>> 0;
  }
}

function readHazardPort(view: DataView, at: number): RawHazardPort {
  return {
    storms: view.getFloat64(at + layout.HAZARD_PORT_STORMS, true),
    restored: view.getFloat64(at + layout.HAZARD_PORT_RESTORED, true),
    watchdogDrops: view.getFloat64(at + layout.HAZARD_PORT_WATCHDOG_DROPS, true),
    stormedPs: view.getFloat64(at + layout.HAZARD_PORT_STORMED, true),
    receiveDrops: view.getUint32(at + layout.HAZARD_PORT_RECEIVE_DROPS, true),
    maxReceiveBytes: view.getUint32(at + layout.HAZARD_PORT_MOST_HELD, true),
  };
}

function readVictim(view: DataView, at: number): RawVictim {
  const heldPs = view.getFloat64(at + layout.HAZARD_FLOW_HELD, true);
  const root = view.getUint32(at + layout.HAZARD_FLOW_ROOT, true);
  return {
    heldPs,
    heldAt: heldPs > 0 ? view.getUint32(at + layout.HAZARD_FLOW_HELD_AT, true) : -1,
    root: heldPs === 0 || root === SIM_NONE ? -1 : root,
  };
}

/** @param network address of the counters of the network as a whole. @param records of the deadlocks. */
function readDeadlocks(view: DataView, network: number, records: number): readonly RawDeadlock[] {
  const kept = view.getUint32(network + layout.HAZARD_DEADLOCK_RECORDS, true);
  return Array.from({ length: kept }, (_, i) => readDeadlock(view, records + i * layout.HAZARD_DEADLOCK_BYTES));
}

function readDeadlock(view: DataView, at: number): RawDeadlock {
  const resolvedPs = view.getFloat64(at + 16, true);
  const length = view.getUint32(at + 24, true);
  const named = Math.min(length, layout.HAZARD_DEADLOCK_NAMED);
  return {
    formedPs: view.getFloat64(at, true),
    foundPs: view.getFloat64(at + 8, true),
    resolvedPs: resolvedPs < 0 ? null : resolvedPs,
    length,
    cycle: Array.from({ length: named }, (_, i) => {
      const place = view.getUint32(at + layout.HAZARD_DEADLOCK_PORTS + 4 * i, true);
      return { port: Math.floor(place / CLASSES), trafficClass: place % CLASSES };
    }),
  };
}
