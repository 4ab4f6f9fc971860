/** Packet trimming in switches, in the form that the kernel reads. Part of a `NetworkPlan`. */

/** Packet trimming of all switches; bytes of queues include headers. */
export interface TrimmingPlan {
  /** Length of a trimmed packet. */
  readonly lenBytes: number;
  /** Its class. */
  readonly trafficClass: number;
  /** Bit c: data of class c is trimmed. */
  readonly dataClasses: number;
  /** Limit of the queue of such a class at ports that lead to switches. */
  readonly queueBytes: number;
  /** The same at ports that lead to hosts. */
  readonly lastHopQueueBytes: number;
  /** Limit of the queue that trimmed packets join. */
  readonly trimmedQueueBytes: number;
}
