/** Flows whose verb is not a plain RDMA WRITE; only in plans with `verbs`. */
import { defineRecord, f64, free, i64, u32 } from './define-record.js';

/** The verb of a flow. */
export const FLOW_VERB = /* @__PURE__ */ defineRecord('FlowVerb', 64, {
  /** SEND: the time at which its receiver has posted a receive. */
  readyPs: f64,
  /** Wait after an RNR NAK, as given by the receiver's timer code. */
  rnrTimerPs: f64,
  /** Maximum number of waits before it fails; SIM_NONE: no limit. */
  rnrRetryLimit: u32,
  /** READ: length of a request. */
  requestBytes: u32,
  /** Number of READ requests sent. */
  requests: u32,
  /** Number of RNR NAKs that its sender received. */
  rnrNaks: u32,
  /** Total time of its RNR waits. */
  rnrWaitedPs: f64,
  /** Requester of a READ: when it last sent a request or accepted a response. */
  progressPs: i64,
  /** Responder of a READ: 1 if its first request has arrived. */
  responding: u32,
  /** Receiver of a SEND: 1 if it has sent an RNR NAK, and the rejected packet was not received again yet. */
  rejecting: u32,
  /** Sender of a SEND: number of RNR waits so far. */
  rnrRetries: u32,
  free60: free(4),
});
