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
