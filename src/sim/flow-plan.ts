/** A flow as the kernel is given it. */

/** One flow, with the parameters of its QP. */
export interface FlowPlan {
  /** Node indices. */
  readonly source: number;
  /** Index of the receiving host. */
  readonly destination: number;
  /** The host's port that data leaves by, and the one that the receiver answers by. */
  readonly sourcePort: number;
  /** Index of the receiver's port that ACKs leave by. */
  readonly responsePort: number;
  /** Above 0, up to 2^53 - 1. */
  readonly sizeBytes: number;
  /** From when it may be sent; with `after`, from when the flow before is received. */
  readonly startPs: number;
  /** Index of a flow whose last byte must have arrived at this flow's source first, or -1. */
  readonly after: number;
  /** Queue and pause class of data and ACKs. */
  readonly dataClass: number;
  /** Traffic class of ACKs. */
  readonly ackClass: number;
  /** UDP source port, which ECMP hashes. */
  readonly udpSourcePort: number;
  /** UDP destination port, which ECMP hashes. */
  readonly udpDestinationPort: number;
  /** Index of the parameter set. */
  readonly parameterSet: number;
  /** Base window; 0 = none. */
  readonly windowBytes: number;
  /** Whether a window limits the bytes in flight, and whether it follows the rate. */
  readonly windowMode: 'none' | 'fixed' | 'variable';
  /** Bytes before and behind the payload of a data packet, and of an ACK in all. */
  readonly headerBytes: number;
  /** Length of an ACK, bytes. */
  readonly ackBytes: number;
  /** Least time from start until the last ACK, alone in the network. */
  readonly idealPs: number;
  /** How long without progress is borne where that is longer than the sender's timeout. Left out: the timeout holds. */
  readonly pathTimeoutPs?: number | undefined;
}
