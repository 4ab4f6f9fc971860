/** Settings of load balancing under `standard`; part of spec.ts. */

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
 * `oblivious`, entropies in turn; `bitmap`, those without a penalty; `reps`, those whose ACK came back without a mark.
 */
export type PathSelection = 'flow' | 'oblivious' | 'bitmap' | 'reps';

/** REPS: T. Bonato et al., "REPS: Recycled Entropy Packet Spraying for Adaptive Load Balancing and Failure Mitigation", 2024. */
export interface RepsSpec {
  /** How long only known entropies are used after a timeout, microseconds. Default 10,000, as in uet-htsim. */
  readonly freezeUs?: number;
  /** Packets with new entropies after that time. Default 16, as there. */
  readonly explorePackets?: number;
}
