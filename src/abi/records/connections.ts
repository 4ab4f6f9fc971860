/** QPs that carry several messages; only in plans with connections. Then each flow is a message. */
import { defineRecord, f64, free, i64, u32 } from './define-record.js';

/** Flow flag: its record is the record of a QP with several messages. */
export const FLOW_CONNECTION = 65536;

/** Flags of a message. */
export const QP_MESSAGE_POSTED = 1;
export const QP_MESSAGE_DONE = 2;
export const QP_MESSAGE_RECEIVED = 4;
export const QP_MESSAGE_FAILED = 8;
/**
 * Its counters are in its record. Before that, once it is the oldest unacknowledged message, the QP's counters are its
 * own.
 */
export const QP_MESSAGE_COUNTED = 16;

/** A message of a QP, indexed by its flow. Counters are the QP's while this was the oldest unacknowledged message. */
export const QP_MESSAGE = /* @__PURE__ */ defineRecord('QpMessage', 160, {
  /** The flow that leads its QP; SIM_NONE: the flow has a separate QP. */
  leader: u32,
  /** QP_MESSAGE_* flags. */
  flags: u32,
  /** Sequence number of its first byte; messages begin at packet boundaries, as PSNs count packets. */
  first: i64,
  /** Sequence number after its last byte. */
  end: i64,
  /** Number of sequence numbers left unused by the short last packets of earlier messages. */
  padding: i64,
  /** When it was posted. */
  postedPs: f64,
  /** When its first packet was sent. */
  beganPs: f64,
  /** When its last byte was acknowledged. */
  finishPs: f64,
  /** Rate of the QP when its first packet was sent. */
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
  /** 1: posting it restarted the QP at line rate. */
  restarted: u32,
  /** The message that was posted after it. */
  next: u32,
  /** Number of messages posted before it. */
  ordinal: u32,
  sizeBytes: i64,
  discarded: u32,
  free156: free(4),
});

/** The messages of a QP, indexed by the flow that leads it; SIM_NONE: none. */
export const QP_STREAM = /* @__PURE__ */ defineRecord('QpStream', 48, {
  /** Number of unfinished messages, posted or not; the host writes the total of the QP. */
  left: u32,
  /** The oldest unacknowledged message. */
  acking: u32,
  /** The oldest message that is not yet received. */
  receiving: u32,
  /** The last message posted. */
  last: u32,
  /** The message that contains `sndNxt`, or a neighbour. */
  sending: u32,
  /** The first message posted. */
  first: u32,
  /** Unused sequence numbers of all messages posted so far. */
  padding: i64,
  /** When the last byte in flight was acknowledged. */
  idleSincePs: i64,
  free40: free(8),
});
