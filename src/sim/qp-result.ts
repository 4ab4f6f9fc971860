/** QPs that carry several messages, as part of a result. */

/** A QP that carries several flows as messages. */
export interface QpResult {
  /** Index of its first flow. */
  readonly qp: number;
  /** Name of the sending host. */
  readonly from: string;
  /** Name of the receiving host. */
  readonly to: string;
  /** Messages, and those of them that are done. */
  readonly messages: number;
  /** Messages acknowledged. */
  readonly messagesDone: number;
  /** Payload of all its messages, bytes. */
  readonly sizeBytes: number;
  /** Received in order, bytes. */
  readonly deliveredBytes: number;
  /** When its first message was posted, picoseconds; null: none was. */
  readonly openedPs: number | null;
  /** Last ACK of its last message that is done, picoseconds; null: none is. */
  readonly lastAckPs: number | null;
  /** Packets retransmitted. */
  readonly retransmittedPackets: number;
  /** Retransmission timeouts. */
  readonly timeouts: number;
  /** Notifications that it reacted to. */
  readonly cnps: number;
  /** Times that it restarted at line rate after idle time. */
  readonly restarts: number;
  /** Lowest rate with which a message began, bits per second; null: none did. */
  readonly minBeganRateBps: number | null;
  /** At the end of the run, bits per second. */
  readonly finalRateBps: number;
}
