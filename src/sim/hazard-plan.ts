/** What PFC can do wrong, in numbers: faults of hosts and links, watchdogs, and whether pauses are looked at. */

/** Left out of a plan where nothing of it applies. */
export interface HazardPlan {
  /** From a pause's begin to the first look at it, for victims and deadlocks, picoseconds; 0: nobody looks. */
  readonly lookPs: number;
  /** With a deadlock and no watchdog, the run ends when nothing was delivered for so long, picoseconds; 0: it goes on. */
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
  /** How fast packets are taken out of the receive buffer, bits per second. */
  readonly rateBps: number;
  /** Size of the receive buffer, bytes. */
  readonly bufferBytes: number;
  /** Bytes in it from which on the switch is paused. */
  readonly xoffBytes: number;
  /** Bytes in it up to which the switch may go on. */
  readonly xonBytes: number;
  /** Does it pause the switch? */
  readonly pfc: boolean;
}

/** Frames that leave a port are received wrong by chance. */
export interface BitErrorPlan {
  /** Index of the port. */
  readonly port: number;
  /** Chance that a bit is wrong, 0 to 1. */
  readonly perBit: number;
  /** Chance that a frame is wrong, beside that of its bits, 0 to 1. */
  readonly perFrame: number;
}

/** The PFC watchdog of a switch. */
export interface WatchdogPlan {
  /** Index of the switch. */
  readonly node: number;
  /** How long a queue with packets is paused until it counts as stormed, picoseconds. */
  readonly detectionPs: number;
  /** How long no pause is asked for until it counts as restored, picoseconds. */
  readonly restorationPs: number;
  /** Time between two looks at the queues, picoseconds. */
  readonly pollPs: number;
  /** What becomes of the packets of a stormed queue. */
  readonly action: 'drop' | 'forward';
}
