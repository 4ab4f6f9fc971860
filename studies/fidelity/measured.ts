/** The few numbers that fidelities are compared by. */
export interface Measured {
  /** Of the flows that end, start to last ACK. */
  readonly meanNs: number;
  /** Most bytes of one class waiting at a switch's port: the reference's measure. */
  readonly maxQueueBytes: number;
  readonly marks: number;
  readonly pauses: number;
  readonly sentAgain: number;
  readonly unfinished: number;
}
