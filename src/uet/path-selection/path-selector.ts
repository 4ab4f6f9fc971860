/** What every path selector has: the next entropy value, and feedback on those that were used. */

/** What an ACK, NACK or timeout says about the path of its packet. */
export type PathFeedback = 'good' | 'ecn' | 'nack' | 'timeout';

export interface PathSelector {
  /**
   * The entropy value of the next packet.
   * @param seq number of the packet; for a retransmission, of the next new packet.
   * @param windowPackets congestion window in full payloads, cut to a whole number.
   */
  next(seq: number, windowPackets: number): number;
  /** @param ev of the packet; 0 for a timeout, as the reference does not remember it. */
  feedback(ev: number, feedback: PathFeedback): void;
}
