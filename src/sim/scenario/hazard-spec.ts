/** Settings of PFC's hazards: faults of hosts and links, and the watchdogs of switches. Fidelity `standard` only. */

/** A host sends pause frames from a given time on. */
export interface PauseStormSpec {
  /** A host that pauses its switch. */
  readonly kind: 'pause-storm';
  /** Name of the host. */
  readonly host: string;
  /** Begin, microseconds. */
  readonly fromUs: number;
  /** Duration, microseconds. Default: unlimited. */
  readonly lastsUs?: number;
  /** Classes that it pauses, 1 to 7. Default: those of the scenario's data. */
  readonly trafficClasses?: readonly number[];
}

/** A host receives packets more slowly than its link delivers them. */
export interface SlowReceiverSpec {
  /** A host whose receive path is slow. */
  readonly kind: 'slow-receiver';
  /** Name of the host. */
  readonly host: string;
  /** Rate of its receive path, Gb/s. */
  readonly rateGbps: number;
  /** Size of its receive buffer, bytes. Default: 130,944, plus any headroom beyond half of that. */
  readonly bufferBytes?: number;
  /** Bytes in the buffer from which on it pauses its switch. Default: the buffer less the link's headroom. */
  readonly xoffBytes?: number;
  /** Bytes in the buffer at which the switch may resume. Default: a packet less. */
  readonly xonBytes?: number;
  /** Whether it pauses its switch; otherwise packets that find the buffer full are dropped. Default: as its switch does. */
  readonly pfc?: boolean;
}

/** Frames on a link are corrupted, and dropped on arrival because their frame check sequence is wrong. */
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

/** Detects queues that a pause holds for too long, per port and class. */
export interface WatchdogSpec {
  /** Default true if other keys are given; otherwise there is none. */
  readonly enabled?: boolean;
  /** How long a queue with packets must be paused before it counts as stormed. Default 200,000 (200 ms). */
  readonly detectionUs?: number;
  /** How long the queue must be free of pauses before it is restored. Default 200,000 (200 ms). */
  readonly restorationUs?: number;
  /** Polling interval. Default 200,000 (200 ms). */
  readonly pollUs?: number;
  /** Packets of a stormed queue are dropped, or sent despite the pause. Default `drop`. */
  readonly action?: 'drop' | 'forward';
}
