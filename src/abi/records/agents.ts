/** QPs under an agent outside the simulation; only in plans with agents. */
import { defineRecord, f64, free, i64, u32 } from './define-record.js';

/** The agent of a QP, by the flow that leads it, and what its sender has seen since the start. */
export const QP_AGENT = /* @__PURE__ */ defineRecord('QpAgent', 96, {
  /** The agent's rate; 0: the algorithm's. */
  rateBps: f64,
  /** Bytes that may be in flight; 0: as the algorithm has it. */
  windowBytes: u32,
  /** By `simObserve`: the window that holds now, at most 2^32 - 1; 0: none. */
  windowNowBytes: u32,
  /** The rate by which the running gap was set; 0: the algorithm's. */
  gapRateBps: f64,
  /** When the last packet left. */
  sentPs: i64,
  /** Length of that packet; 0: none has left. */
  sentLenBytes: u32,
  /** Packets retransmitted. */
  retransmitted: u32,
  /** Payload that has left, retransmissions included. */
  sentBytes: f64,
  /** By `simObserve`: payload that is acknowledged. */
  ackedBytes: f64,
  /** By `simObserve`: payload in flight. */
  inFlightBytes: f64,
  /** Sum of the round trips of ACKs. */
  rttSumPs: f64,
  /** The shortest round trip since the host last wrote Infinity. */
  rttMinPs: f64,
  /** ACKs and NAKs. */
  acks: u32,
  /** Those of marked packets. */
  markedAcks: u32,
  /** CNPs and Fast CNPs. */
  cnps: u32,
  free92: free(4),
});
