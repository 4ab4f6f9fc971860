/** PFC's hazards in numbers: faults of hosts and links, watchdogs, and whether pauses are inspected. */

/** Left out of a plan without hazards. */
export interface HazardPlan {
  /** Time from a pause's begin to its first inspection, for victims and deadlocks, picoseconds; 0: pauses are not inspected. */
  readonly lookPs: number;
  /** With a deadlock and no watchdog, the run ends if nothing is delivered for this long, picoseconds; 0: it continues. */
  readonly quietPs: number;
  /** Hosts that pause their switches. */
  readonly storms: readonly StormPlan[];
  /** Hosts that receive more slowly than their link. */
  readonly receivers: readonly ReceiverPlan[];
  /** Ports whose links have bit errors. */
  readonly bitErrors: readonly BitErrorPlan[];
  /** Switches with a watchdog. */
  readonly watchdogs: readonly WatchdogPlan[];
}

/** A port of a host that pauses. */
export interface StormPlan {
  /** Index of the port. */
  readonly port: number;
  /** Bit c: class c is paused. */
  readonly classes: number;
  /** Begin, picoseconds. */
  readonly fromPs: number;
  /** End, picoseconds; null: never. */
  readonly untilPs: number | null;
  /** Time between two frames, picoseconds. */
  readonly everyPs: number;
}

/** The receive path of a host's port. */
export interface ReceiverPlan {
  /** Index of the port. */
  readonly port: number;
  /** Rate at which packets are taken out of the receive buffer, bits per second. */
  readonly rateBps: number;
  /** Size of the receive buffer, bytes. */
  readonly bufferBytes: number;
  /** Bytes in it from which on the switch is paused. */
  readonly xoffBytes: number;
  /** Bytes in it at which the switch may resume. */
  readonly xonBytes: number;
  /** Whether it pauses the switch. */
  readonly pfc: boolean;
}

/** Frames that leave a port are corrupted at random. */
export interface BitErrorPlan {
  /** Index of the port. */
  readonly port: number;
  /** Chance that a bit is wrong, 0 to 1. */
  readonly perBit: number;
  /** Chance that a frame is wrong, in addition to that of its bits, 0 to 1. */
  readonly perFrame: number;
}

/** The PFC watchdog of a switch. */
export interface WatchdogPlan {
  /** Index of the switch. */
  readonly node: number;
  /** How long a queue with packets must be paused before it counts as stormed, picoseconds. */
  readonly detectionPs: number;
  /** How long the queue must be free of pauses before it counts as restored, picoseconds. */
  readonly restorationPs: number;
  /** Polling interval, picoseconds. */
  readonly pollPs: number;
  /** Packets of a stormed queue are dropped, or sent despite the pause. */
  readonly action: 'drop' | 'forward';
}
