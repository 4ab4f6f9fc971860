/** Reads the counters of PFC hazards from the kernel's memory. */
import { readArray, readField, readFields } from '../../../abi/records/fields.js';
import { DEADLOCK, HAZARD_FLOW, HAZARD_NETWORK, HAZARD_PORT } from '../../../abi/records/hazards.js';
import { SIM_NONE } from '../../../abi/sim-codes.js';
import { SIM_HAZARD_DEADLOCKS, SIM_HAZARD_FLOWS, SIM_HAZARD_NETWORK,
  SIM_HAZARD_PORTS } from '../../../abi/sim-regions.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';

const CLASSES = 8;
const PORT_COUNTERS = ['storms', 'restored', 'watchdogDrops', 'stormedPs', 'receiveDrops'] as const;

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
