/** Packet trimming in switches, in the form that the kernel reads. Part of a `NetworkPlan`. */

/** Packet trimming of all switches. Queue limits include headers. */
export interface TrimmingPlan {
  /** Length of a trimmed packet. */
  readonly lenBytes: number;
  /** Class of trimmed packets. */
  readonly trafficClass: number;
  /** Bit c: data of class c is trimmed. */
  readonly dataClasses: number;
  /** Limit of a data class's queue at ports that lead to switches. */
  readonly queueBytes: number;
  /** Limit of a data class's queue at ports that lead to hosts. */
  readonly lastHopQueueBytes: number;
  /** Limit of the queue that trimmed packets join. */
  readonly trimmedQueueBytes: number;
}
