/** What a scenario says of PFC's hazards: faults of hosts and links, and the watchdogs of switches. Fidelity `standard` alone. */

/** A host sends pause frames, from a time on. */
export interface PauseStormSpec {
  /** A host that pauses its switch. */
  readonly kind: 'pause-storm';
  /** Name of the host. */
  readonly host: string;
  /** Begin, microseconds. */
  readonly fromUs: number;
  /** How long, microseconds. Default: for ever. */
  readonly lastsUs?: number;
  /** Classes that it pauses, 1 to 7. Default: those of the scenario's data. */
  readonly trafficClasses?: readonly number[];
}

/** A host takes packets in more slowly than its link brings them. */
export interface SlowReceiverSpec {
  /** A host whose receive path is slow. */
  readonly kind: 'slow-receiver';
  /** Name of the host. */
  readonly host: string;
  /** Rate of its receive path, Gb/s. */
  readonly rateGbps: number;
  /** Size of its receive buffer, bytes. Default: 130,944, and what headroom takes beyond half of that. */
  readonly bufferBytes?: number;
  /** Bytes in the buffer from which on it pauses its switch. Default: the buffer less the link's headroom. */
  readonly xoffBytes?: number;
  /** Bytes in the buffer up to which the switch may go on. Default: a packet less. */
  readonly xonBytes?: number;
  /** Does it pause its switch? Without, what finds the buffer full is dropped. Default: as its switch does. */
  readonly pfc?: boolean;
}

/** Frames on a link are damaged, and dropped where they arrive, as their frame check sequence is wrong. */
export interface BitErrorsSpec {
  /** A link with bit errors. */
  readonly kind: 'bit-errors';
  /** Names of the nodes at its ends. */
  readonly between: readonly [string, string];
  /** Chance that a bit is wrong, 0 to 1. Default 0. */
  readonly perBit?: number;
  /** Chance that a frame is wrong, 0 to 1. Default 0. */
  readonly perFrame?: number;
  /** Both ways, or `forth` from the first name to the second. Default `both`. */
  readonly direction?: 'both' | 'forth';
}

/** Looks after queues that a pause holds for long, per port and class. */
export interface WatchdogSpec {
  /** Default true, where the rest is given; else there is none. */
  readonly enabled?: boolean;
  /** How long a queue with packets is paused until it counts as stormed. Default 200,000 (200 ms). */
  readonly detectionUs?: number;
  /** How long no pause is asked for until the queue is as before. Default 200,000 (200 ms). */
  readonly restorationUs?: number;
  /** Time between two looks at the queues. Default 200,000 (200 ms). */
  readonly pollUs?: number;
  /** What becomes of the packets of a stormed queue: dropped, or sent although it is paused. Default `drop`. */
  readonly action?: 'drop' | 'forward';
}
