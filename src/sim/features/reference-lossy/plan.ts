/**
 * Features of the second reference simulator (conweave-project/conweave-ns3) beyond the first: losses, IRN, a buffer with pools
 * on both sides, pauses that expire, several paths. Part of a `NetworkPlan` of fidelity `reference-lossy`.
 *
 * Source: docs/specs/reference-lossy.md, by section.
 */

/** How losses are retransmitted: everything from the lost packet on (section 4), or only missing packets (section 5). */
export type LossyTransport = 'go-back-n' | 'irn';

/** Which of several paths a data packet takes (section 9). */
export type LossyBalancing = 'ecmp' | 'drill' | 'letflow' | 'conga' | 'conweave';

export interface LossyPlan {
  /** Transport of all flows. */
  readonly transport: LossyTransport;
  /** L2_BACK_TO_ZERO: go-back-N resumes at a multiple of this many bytes; 0: at the lost packet (section 4). */
  readonly backToZeroBytes: number;
  /** Settings of `irn`. */
  readonly irn: IrnPlan;
  /** How long a pause lasts after its last frame, picoseconds (section 7). */
  readonly pauseTimePs: number;
  /** Which path data takes. */
  readonly balancing: LossyBalancing;
  /** Settings of `conweave`. */
  readonly conWeave: ConWeavePlan;
  /**
   * Node indices of the switches with a link that the topology lists host first (section 9: ToR), ascending.
   */
  readonly leaves: readonly number[];
  /** FLOWGEN_START_TIME: from then on, the simulator checks every `checkEveryPs` whether all flows have ended (section 1). */
  readonly checkFromPs: number;
  /** Interval of this check, 100 us (section 1). */
  readonly checkEveryPs: number;
  /** Error rate of each port's link, and its random generator. */
  readonly linkErrors: readonly LinkErrors[];
  /** Arrivals of data at a switch that are dropped (X_DROP). */
  readonly forcedDrops: readonly ForcedDrop[];
}

/** Errors of a link; the same for both of its ports. */
export interface LinkErrors {
  readonly share: number;
  /** Index of its random generator. 0: shared by all links without their own rate; others have one each, from 1. */
  readonly generator: number;
}

export interface IrnPlan {
  /** Maximum bytes in flight (section 5.3). */
  readonly windowBytes: number;
  /** Timeout with at most three packets in flight, and with more (section 5.4). */
  readonly timeoutLowPs: number;
  readonly timeoutHighPs: number;
}

/** Settings of ConWeave (section 9), picoseconds. */
export interface ConWeavePlan {
  /** CONWEAVE_TX_EXPIRY_TIME. */
  readonly expiryPs: number;
  /** CONWEAVE_REPLY_TIMEOUT_EXTRA. */
  readonly replyExtraPs: number;
  /** CONWEAVE_PATH_PAUSE_TIME. */
  readonly pathPausePs: number;
  /** CONWEAVE_EXTRA_VOQ_FLUSH_TIME. */
  readonly flushExtraPs: number;
  /** CONWEAVE_DEFAULT_VOQ_WAITING_TIME. */
  readonly defaultWaitPs: number;
}

/** An arrival of a data packet at a switch that is dropped before admission. Arrivals count from 1 over all switches. */
export interface ForcedDrop {
  /** Index of the flow. */
  readonly flow: number;
  /** The packet's first byte in its flow. */
  readonly sequence: number;
  /** The arrival that is dropped, from 1. */
  readonly arrival: number;
}
