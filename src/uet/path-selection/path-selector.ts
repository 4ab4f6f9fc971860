/** The interface of path selectors: choose the next entropy value, and take feedback on used ones. */

/** Feedback of an ACK, NACK or timeout on the path of its packet. */
export type PathFeedback = 'good' | 'ecn' | 'nack' | 'timeout';

export interface PathSelector {
  /**
   * The entropy value of the next packet.
   * @param seq number of the packet; for a retransmission, number of the next new packet.
   * @param windowPackets congestion window in full payloads, rounded down.
   */
  next(seq: number, windowPackets: number): number;
  /** @param ev entropy value of the packet; 0 for a timeout, as the reference does not store it. */
  feedback(ev: number, feedback: PathFeedback): void;
}
