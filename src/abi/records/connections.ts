/** QPs that carry several messages; only in plans with connections. Each flow is then a message. */
import { defineRecord, f64, free, i64, u32 } from './define-record.js';

/** Bit of a flow's flags: its record is that of a QP with several messages. */
export const FLOW_CONNECTION = 65536;

/** Flags of a message. */
export const QP_MESSAGE_POSTED = 1;
export const QP_MESSAGE_DONE = 2;
export const QP_MESSAGE_RECEIVED = 4;
export const QP_MESSAGE_FAILED = 8;
/** Its counters are in its record; until then those of its QP are its own, once it is the oldest unacknowledged message. */
export const QP_MESSAGE_COUNTED = 16;

/** A message of a QP, by the number of its flow. Counters are those of the QP while it was the oldest unacknowledged message. */
export const QP_MESSAGE = /* @__PURE__ */ defineRecord('QpMessage', 160, {
  /** The flow that leads its QP; SIM_NONE: the flow has its own QP. */
  leader: u32,
  /** QP_MESSAGE_POSTED and the others. */
  flags: u32,
  /** Sequence number of its first byte; messages begin at whole packets, as PSNs count them. */
  first: i64,
  /** Sequence number after its last byte. */
  end: i64,
  /** Sequence numbers that the messages before it leave unused, as their last packets are short. */
  padding: i64,
  /** When it was posted. */
  postedPs: f64,
  /** When its first packet left. */
  beganPs: f64,
  /** When its last byte was acknowledged. */
  finishPs: f64,
  /** Rate of the QP when its first packet left. */
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
  /** 1: its post restarted the QP at line rate. */
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
  /** Messages that are not done, posted or not; the host writes how many the QP will have. */
  left: u32,
  /** The oldest message that is not acknowledged. */
  acking: u32,
  /** The oldest message that is not received. */
  receiving: u32,
  /** The message that was posted last. */
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
