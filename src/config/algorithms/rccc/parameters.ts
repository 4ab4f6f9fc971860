/**
 * The parameters of RCCC, receiver-credit congestion control of Ultra Ethernet: a sender sends what its receiver has granted.
 *
 *   largest window = max(packet, floor(maxWindowBdps floor(baseRtt / 1e12 floor(line rate / 8))))
 *
 * What each does: assembly/algorithms/rccc/transitions.ts. Limits: validate.ts.
 */

/** What a timeout grants a sender without credit: one packet, or nothing, where the transport sends a request (RTS) instead. */
export type RcccTimeoutCredit = 'packet' | 'none';

/** Everything that the sender of RCCC can be set to; the preset `rcccUet` fills it in. */
export interface RcccParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'rccc';
  /** Rate of the port, bits per second: the sender's rate, which RCCC never changes, and part of the bandwidth-delay product. */
  readonly maxRateBps: number;
  /** A full packet on the wire, bytes [mtu]: the least that a sender asks for while it speculates, and what a timeout grants. */
  readonly packetBytes: number;
  /** Base round trip of the network, picoseconds. */
  readonly baseRttPs: number;
  /** Largest window, bandwidth-delay products: the most credit, and the most that a sender asks for [max_cwnd]. */
  readonly maxWindowBdps: number;
  /** Speculative credit of a new QP, bytes; 0 = the largest window. */
  readonly initialCreditBytes: number;
  /** What a timeout grants a sender without credit. */
  readonly timeoutCredit: RcccTimeoutCredit;
}
