/** Settings of load balancing and path selection; part of spec.ts. */

/**
 * Which of several equal paths a data packet takes: `ecmp` by a hash of its flow; `drill` per packet the shortest of some random
 * queues and of those that were short before; `conga` the least loaded one per flowlet, by feedback of the leaves. Under
 * `standard` also `random` and `round-robin` per packet; `flowlet` a random one per flowlet (LetFlow); `least-queue` per packet
 * the port with the shortest queue; `adaptive` per packet a random one of those whose queues are in the lowest class; `wcmp` by
 * the hash, in proportion to the capacity that next hops lead to, and `weighted-random` the same per packet at random. Under
 * `reference-lossy` also `letflow`; and `conweave`, which changes the path when its replies are late and restores the order of
 * packets at the last leaf.
 */
export type LoadBalancing = 'ecmp' | 'random' | 'round-robin' | 'flowlet' | 'drill' | 'conga' | 'least-queue'
  | 'adaptive' | 'wcmp' | 'weighted-random' | 'letflow' | 'conweave';

/** DRILL(d, m): S. Ghorbani et al., SIGCOMM 2017, whose choice is d = 2, m = 1. */
export interface DrillSpec {
  /** d: ports drawn at random per packet, 1 to 16. Default 2. */
  readonly samples?: number;
  /** m: ports remembered as the shortest, 0 to 16. Default 1. */
  readonly memory?: number;
}

/** Times of CONGA: M. Alizadeh et al., SIGCOMM 2014, section 3.6. */
export interface CongaSpec {
  /** Averaging time for the bytes that a port sends, microseconds. Default 160. */
  readonly tauUs?: number;
  /** Reports about a path expire after this time, microseconds. Default 10,000. */
  readonly ageingUs?: number;
}

/** Queue classes of `adaptive`; the same for all switches. */
export interface AdaptiveSpec {
  /**
   * Queue lengths from which a port is in the next class, kilobytes at 100 Gb/s and in proportion to the port's rate; 1 to 7,
   * ascending. Default: 5, 10 and 20 % of the bytes that a port sends in the longest base round trip, which is the limit of a
   * queue in the Ultra Ethernet reference simulator (uet-htsim).
   */
  readonly thresholdsKB?: readonly number[];
  /** A port's class is computed again if it is older than this, nanoseconds. Default 100, as there. */
  readonly refreshNs?: number;
}

/**
 * How a sender chooses the UDP source port of a data packet, whose hash decides on its path: `flow`, one port for all packets;
 * `oblivious`, entropies round-robin; `bitmap`, the same but those with a penalty; `reps`, those whose ACK arrived without a mark.
 */
export type PathSelection = 'flow' | 'oblivious' | 'bitmap' | 'reps';

/** REPS: T. Bonato et al., "REPS: Recycled Entropy Packet Spraying for Adaptive Load Balancing and Failure Mitigation", 2024. */
export interface RepsSpec {
  /** How long only known entropies are used after a timeout, microseconds. Default 10,000, as in uet-htsim. */
  readonly freezeUs?: number;
  /** Packets with new entropies after that time. Default 16, as there. */
  readonly explorePackets?: number;
}

/** Times of ConWeave, microseconds: C. H. Song et al., SIGCOMM 2023; keys of its simulator. */
export interface ConWeaveSpec {
  /** A flow that was idle for longer chooses again (CONWEAVE_TX_EXPIRY_TIME). Default 1,000. */
  readonly expiryUs?: number;
  /** Time beyond the path's delay until a reply is late (CONWEAVE_REPLY_TIMEOUT_EXTRA). Default 4. */
  readonly replyExtraUs?: number;
  /** How long a congested path is not chosen (CONWEAVE_PATH_PAUSE_TIME). Default 8. */
  readonly pathPauseUs?: number;
  /** Time beyond the expected gap until held packets are released (CONWEAVE_EXTRA_VOQ_FLUSH_TIME). Default 32. */
  readonly flushExtraUs?: number;
  /** Expected gap where none is known (CONWEAVE_DEFAULT_VOQ_WAITING_TIME). Default 500. */
  readonly defaultWaitUs?: number;
}
