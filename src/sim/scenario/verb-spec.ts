/** Verbs of flows as plain data; part of spec.ts. */

/**
 * What a flow is to RDMA: a WRITE; a SEND, which needs a receive posted by its receiver; a READ, which its receiver requests. The three
 * differ in what starts the data, and in who recovers from losses.
 */
export type Operation = 'write' | 'send' | 'read';

/** Keys of flows and of workloads of independent flows. */
export interface OperationSpec {
  /**
   * Verb of its flows, fidelity `standard` only. With `read`, data still go from `from` to `to`: `to` requests them. Default
   * `write`.
   */
  readonly operation?: Operation;
  /** Of `send`: time of the run from which its receivers have posted a receive, microseconds. Default: from the start. */
  readonly receiverReadyUs?: number;
}

/** Settings of hosts whose receivers are not ready. */
export interface RnrSpec {
  /**
   * Under `standard`: the wait that a host as a receiver states in its RNR NAKs, by IBTA's code (vol. 1, 9.7.5.2.8), 0 to 31.
   * Default 12: 640 us.
   */
  readonly rnrTimerCode?: number;
  /** Under `standard`: waits after RNR NAKs until a flow of this sender fails, 0 to 7; 7: unlimited. Default 7. */
  readonly rnrRetryCount?: number;
}
