/** Messages whose flows share records; only in plans with `messages: 'sums'`. */
import { defineRecord, f64, part, u32 } from './define-record.js';
import { SIM_FLOW } from './network.js';

/** A message. */
export const MESSAGE = /* @__PURE__ */ defineRecord('Message', 16, {
  sizeBytes: f64,
  /** Index of its pattern. */
  pattern: u32,
  /** Source port in the high half. */
  udpPorts: u32,
});

/** What messages have in common. */
export const PATTERN = /* @__PURE__ */ defineRecord('Pattern', 264, {
  /** The record of a flow, as the host writes it. */
  flow: part(SIM_FLOW),
  parameterSet: u32,
  job: u32,
});

/** Use of a flow's record. */
export const RECORD_USE = /* @__PURE__ */ defineRecord('RecordUse', 8, {
  /** Job of its present message. */
  job: u32,
  /** Packets of the message in the network. */
  packets: u32,
});

/** Sums of a job over its messages. */
export const MESSAGE_SUMS = /* @__PURE__ */ defineRecord('MessageSums', 104, {
  /** Messages that are done. */
  done: f64,
  deliveredBytes: f64,
  retransmittedPackets: f64,
  retransmittedBytes: f64,
  timeouts: f64,
  cnps: f64,
  duplicateNotifications: f64,
  /** Data packets that arrived ahead of the expected byte. */
  outOfOrderPackets: f64,
  /** Packets that one of them was ahead, at most. */
  reorderingDepthPackets: f64,
  duplicatePackets: f64,
  naks: f64,
  /** From start to last ACK, summed. */
  completionPs: f64,
  /** From start to last ACK, at most. */
  mostCompletionPs: f64,
});
