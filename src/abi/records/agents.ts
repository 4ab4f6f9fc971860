/** QPs controlled by an agent outside the simulation; only in plans with agents. */
import { defineRecord, f64, free, i64, u32 } from './define-record.js';

/** Control and observation of a QP by an agent, indexed by the flow that leads the QP. Counters run from the start. */
export const QP_AGENT = /* @__PURE__ */ defineRecord('QpAgent', 96, {
  /** Rate set by the agent; 0: the algorithm's rate. */
  rateBps: f64,
  /** Window set by the agent; 0: the algorithm's window. */
  windowBytes: u32,
  /** Written by `simObserve`: the window in effect, at most 2^32 - 1; 0: none. */
  windowNowBytes: u32,
  /** Rate used for the current gap; 0: the algorithm's rate. */
  gapRateBps: f64,
  /** When the last packet was sent. */
  sentPs: i64,
  /** Length of the last packet sent; 0: none was sent. */
  sentLenBytes: u32,
  /** Number of retransmitted packets. */
  retransmitted: u32,
  /** Payload sent, including retransmissions. */
  sentBytes: f64,
  /** Written by `simObserve`: acknowledged payload. */
  ackedBytes: f64,
  /** Written by `simObserve`: payload in flight. */
  inFlightBytes: f64,
  /** Sum of the round-trip times of ACKs. */
  rttSumPs: f64,
  /** Shortest round-trip time since the host last wrote Infinity. */
  rttMinPs: f64,
  /** Number of ACKs and NAKs. */
  acks: u32,
  /** Number of ACKs and NAKs for ECN-marked packets. */
  markedAcks: u32,
  /** Number of CNPs and Fast CNPs. */
  cnps: u32,
  free92: free(4),
});
