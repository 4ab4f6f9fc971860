/** Settings of transports as plain data; part of spec.ts. */

/**
 * How congestion control reacts to a loss: `algorithm`, as the algorithm defines (Swift and HPCC++ reduce their rates); `none`,
 * it is not notified; `cnp`, as to a CNP.
 */
export type LossReaction = 'algorithm' | 'none' | 'cnp';

/**
 * How receivers take packets that arrive out of order: they drop them and send a NAK, hold them and send a NAK, or hold them
 * without a NAK.
 */
export type Reordering = 'none' | 'selective-repeat' | 'tolerant';

/** When a sender of `tolerant` takes a packet as lost that later ones have overtaken; otherwise at its timeout. */
export interface TolerantSpec {
  /** A packet this many later is acknowledged; 0: never. Default 0. */
  readonly distancePackets?: number;
  /** Time since the first later packet was acknowledged, microseconds; 0: never. Default 0. */
  readonly lossTimeUs?: number;
}

/** Choices that OCP MRC 1.0 leaves open, under transport `mrc` (docs/sources.md, O9 and O14). */
export interface MrcSpec {
  /**
   * A receiver sends a SACK once more bytes than this have arrived since the last one, besides the SACKs that are sent at once; 0: for each
   * packet. Default 16,384.
   */
  readonly sackBytes?: number;
  /**
   * A packet that later ones have overtaken is lost if one sent this much later is acknowledged, microseconds; 0: never, only NACKs and timeouts
   * find losses. Default: the longest base round trip, with trimming 0.75 of it.
   */
  readonly reorderUs?: number;
  /** Traffic class of SACKs and NACKs. Default 6. */
  readonly controlClass?: number;
}

/** Limits of IRN: R. Mittal et al., SIGCOMM 2018, and under `reference-lossy` its reading in ConWeave's simulator. */
export interface IrnSpec {
  /** Maximum bytes in flight. Default: the largest product of round trip and least rate of all pairs of hosts. */
  readonly windowBytes?: number;
  /** Timeout with few packets in flight. Default 100. */
  readonly timeoutLowUs?: number;
  /** Timeout with more. Default 320. */
  readonly timeoutHighUs?: number;
  /** Under `standard`: at most this many packets are few. Default 3. */
  readonly fewPackets?: number;
}
