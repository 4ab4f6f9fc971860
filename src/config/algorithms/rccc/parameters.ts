/**
 * The parameters of RCCC, Ultra Ethernet's receiver-credit congestion control: a sender sends only what its receiver has granted.
 *
 *   largest window = max(packet, floor(maxWindowBdps floor(baseRtt / 1e12 floor(line rate / 8))))
 *
 * Their effects: assembly/algorithms/rccc/transitions.ts. Limits: validate.ts.
 */

/** Credit after a timeout of a sender without credit: one packet, or none if the transport sends a request (RTS) instead. */
export type RcccTimeoutCredit = 'packet' | 'none';

/** All settings of RCCC's sender; the preset `rcccUet` fills them in. */
export interface RcccParameters {
  /** Name of the algorithm. */
  readonly algorithm: 'rccc';
  /** Rate of the port, bits per second: the sender's rate, which RCCC never changes, and part of the bandwidth-delay product. */
  readonly maxRateBps: number;
  /** A full packet on the wire, bytes [mtu]: the smallest request of a speculating sender, and the credit after a timeout. */
  readonly packetBytes: number;
  /** Base round trip of the network, picoseconds. */
  readonly baseRttPs: number;
  /** Largest window, bandwidth-delay products: upper limit of the credit and of a sender's requests [max_cwnd]. */
  readonly maxWindowBdps: number;
  /** Speculative credit of a new QP, bytes; 0 = the largest window. */
  readonly initialCreditBytes: number;
  /** Credit after a timeout of a sender without credit. */
  readonly timeoutCredit: RcccTimeoutCredit;
}
