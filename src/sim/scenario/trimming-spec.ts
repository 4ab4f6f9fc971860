/** Settings of packet trimming as plain data; part of spec.ts. */

/**
 * A switch cuts the payload off data packets of `mrc` for whose queue it has no room, and sends the rest in another class; the receiver asks
 * for them again at once.
 */
export interface TrimmingSpec {
  /** Default true where the other settings are given, otherwise false. */
  readonly enabled?: boolean;
  /** Bytes kept of a packet, from the Ethernet header on, without FCS. Default 128. */
  readonly sizeBytes?: number;
  /** Traffic class of trimmed packets. Default 6, that of CNPs, which ports send before the data. */
  readonly trafficClass?: number;
  /** Classes whose data are trimmed. Default: all in which flows of `mrc` send. */
  readonly dataClasses?: readonly number[];
  /**
   * A packet is trimmed if its queue would exceed this many bytes, at ports that lead to switches. Default: the largest product of base round
   * trip and least rate of all pairs of hosts. Without room in the packet memory it is trimmed in any case.
   */
  readonly queueBytes?: number;
  /** The same at ports that lead to hosts. Default: 1.5 times that product. */
  readonly lastHopQueueBytes?: number;
  /** A trimmed packet is dropped if its queue would exceed this many bytes. Default: that product. */
  readonly trimmedQueueBytes?: number;
}
