/** Messages whose flows share records; only in plans with `messages: 'sums'`. */
import { defineRecord, f64, part, u32 } from './define-record.js';
import { SIM_FLOW } from './network.js';

/** A message: size, pattern and ports. */
export const MESSAGE = /* @__PURE__ */ defineRecord('Message', 16, {
  sizeBytes: f64,
  /** Index of its pattern. */
  pattern: u32,
  /** UDP ports, source port in the high half. */
  udpPorts: u32,
});

/** Properties shared by messages. */
export const PATTERN = /* @__PURE__ */ defineRecord('Pattern', 264, {
  /** The initial record of a flow, as the host writes it. */
  flow: part(SIM_FLOW),
  parameterSet: u32,
  job: u32,
});

/** Current use of a flow's record. */
export const RECORD_USE = /* @__PURE__ */ defineRecord('RecordUse', 8, {
  /** Job of its current message. */
  job: u32,
  /** Packets of the current message in the network. */
  packets: u32,
});

/** Sums of a job over its messages. */
export const MESSAGE_SUMS = /* @__PURE__ */ defineRecord('MessageSums', 104, {
  /** Number of finished messages. */
  done: f64,
  deliveredBytes: f64,
  retransmittedPackets: f64,
  retransmittedBytes: f64,
  timeouts: f64,
  cnps: f64,
  duplicateNotifications: f64,
  /** Data packets that arrived ahead of the expected byte. */
  outOfOrderPackets: f64,
  /** Maximum number of packets by which a data packet arrived ahead. */
  reorderingDepthPackets: f64,
  duplicatePackets: f64,
  naks: f64,
  /** Completion times from start to last ACK, summed. */
  completionPs: f64,
  /** Maximum completion time, from start to last ACK. */
  mostCompletionPs: f64,
});
