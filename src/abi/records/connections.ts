/** QPs that carry several messages; only in plans with connections. Each flow is then a message. */
import { defineRecord, f64, free, i64, u32 } from './define-record.js';

/** A message of a QP, by the number of its flow. */
export const QP_MESSAGE = /* @__PURE__ */ defineRecord('QpMessage', 160, {
  /** The flow that leads its QP; SIM_NONE: the flow has its own QP. */
  leader: u32,
  /** QP_MESSAGE_*. */
  flags: u32,
  /** Sequence numbers of its first byte and after it; messages begin at whole packets, as PSNs count them. */
  first: i64,
  end: i64,
  /** Sequence numbers that the messages before it leave unused, as their last packets are short. */
  padding: i64,
  postedPs: f64,
  beganPs: f64,
  finishPs: f64,
  beganRateBps: f64,
  firstNotificationPs: f64,
  retransmitted: f64,
  retransmittedBytes: f64,
  timeouts: f64,
  cnps: u32,
  fastCnps: u32,
  duplicateNotifications: u32,
  outOfOrder: u32,
  depth: u32,
  duplicates: u32,
  naks: u32,
  sacked: u32,
  beyond: u32,
  restarted: u32,
  /** The message that was posted after it. */
  next: u32,
  /** Messages posted before it. */
  ordinal: u32,
  sizeBytes: i64,
  free152: free(8),
});

/** The messages of a QP, by the number of the flow that leads it; SIM_NONE: there is none. */
export const QP_STREAM = /* @__PURE__ */ defineRecord('QpStream', 48, {
  /** Messages that are not done, whether posted or not. */
  left: u32,
  /** The oldest message that is not acknowledged; that is not received; the one that was posted last. */
  acking: u32,
  receiving: u32,
  last: u32,
  /** The message of `sndNxt`, or one near it. */
  sending: u32,
  /** The message that was posted first. */
  first: u32,
  /** Unused sequence numbers of all messages posted so far. */
  padding: i64,
  /** When the last byte in flight was acknowledged. */
  idleSincePs: i64,
  free40: free(8),
});
