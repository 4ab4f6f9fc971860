/** PFC hazards in the form that the kernel reads: faults of hosts and links, watchdogs, and whether pauses are inspected. */

/** The hazards of a plan; omitted if there are none. */
export interface HazardPlan {
  /** Time from a pause's start to its first inspection for victims and deadlocks, picoseconds; 0: pauses are not inspected. */
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
  /** Rate at which the receive buffer drains, bits per second. */
  readonly rateBps: number;
  /** Size of the receive buffer, bytes. */
  readonly bufferBytes: number;
  /** Buffered bytes from which the switch is paused. */
  readonly xoffBytes: number;
  /** Buffered bytes at which the switch may resume. */
  readonly xonBytes: number;
  /** Whether it pauses the switch. */
  readonly pfc: boolean;
}

/** Frames that leave a port are corrupted at random. */
export interface BitErrorPlan {
  /** Index of the port. */
  readonly port: number;
  /** Probability that a bit is wrong, 0 to 1. */
  readonly perBit: number;
  /** Probability that a frame is corrupted, in addition to its bit errors, 0 to 1. */
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
  /** Whether packets of a stormed queue are dropped, or sent despite the pause. */
  readonly action: 'drop' | 'forward';
}
