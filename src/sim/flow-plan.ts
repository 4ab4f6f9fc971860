/** A flow in the form that the kernel reads. */

/** One flow, with the parameters of its QP. */
export interface FlowPlan {
  /** Index of the sending host. */
  readonly source: number;
  /** Index of the receiving host. */
  readonly destination: number;
  /** Index of the sending host's port that data leaves by. */
  readonly sourcePort: number;
  /** Index of the receiver's port that ACKs leave by. */
  readonly responsePort: number;
  /** Payload, bytes: above 0, up to 2^53 - 1. */
  readonly sizeBytes: number;
  /** Earliest time of its first packet, picoseconds; with `after`, relative to the arrival of that flow. */
  readonly startPs: number;
  /** Index of a flow whose last byte must have arrived at this flow's source first, or -1. */
  readonly after: number;
  /** Traffic class of data. */
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
  /** Bytes before and after the payload of a data packet. */
  readonly headerBytes: number;
  /** Length of an ACK, bytes. */
  readonly ackBytes: number;
  /** Minimum time from start to the last ACK in an idle network, picoseconds. */
  readonly idealPs: number;
  /** Retransmission timeout, if longer than the sender's, picoseconds. Omitted: the sender's applies. */
  readonly pathTimeoutPs?: number | undefined;
}
