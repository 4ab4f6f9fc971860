/**
 * Records of QPs that carry several messages, in linear memory, shared by host and sim.wasm: byte offsets, little-endian. They are
 * there only where a plan has connections: one record per flow, as each flow is then a message.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only. Times are picoseconds.
 */

/** Bit of a flow's flags: its record is that of a QP with several messages. */
export const FLOW_CONNECTION = 65536;

// ---- Message, 160 bytes. What the host writes comes first.
export const QP_MESSAGE_BYTES = 160;
/** u32: the flow whose record its QP has, which is the QP's first message; SIM_NONE: the flow has its own QP. */
export const QP_MESSAGE_LEADER = 0;
/** u32: QP_MESSAGE_POSTED and the others. */
export const QP_MESSAGE_FLAGS = 4;
/** i64: sequence numbers of its first byte and after it, whole packets. */
export const QP_MESSAGE_FIRST = 8;
export const QP_MESSAGE_END = 16;
/** f64: when it was posted, when its first packet left, when its last byte was acknowledged. */
export const QP_MESSAGE_POSTED_AT = 32;
export const QP_MESSAGE_BEGAN_AT = 40;
export const QP_MESSAGE_FINISHED_AT = 48;
/** f64: rate of the QP when its first packet left, bits per second. */
export const QP_MESSAGE_BEGAN_RATE = 56;
// Counters of the QP while the message was its oldest unacknowledged one; f64, then u32.
export const QP_MESSAGE_FIRST_NOTIFICATION = 64;
export const QP_MESSAGE_RETRANSMITTED = 72;
export const QP_MESSAGE_RETRANSMITTED_BYTES = 80;
export const QP_MESSAGE_TIMEOUTS = 88;
export const QP_MESSAGE_CNPS = 96;
export const QP_MESSAGE_FAST_CNPS = 100;
export const QP_MESSAGE_DUPLICATE_NOTIFICATIONS = 104;
export const QP_MESSAGE_OUT_OF_ORDER = 108;
export const QP_MESSAGE_DEPTH = 112;
export const QP_MESSAGE_DUPLICATES = 116;
export const QP_MESSAGE_NAKS = 120;
export const QP_MESSAGE_SACKED = 124;
export const QP_MESSAGE_BEYOND = 128;
/** u32: times that its post restarted the QP at line rate, 0 or 1. */
export const QP_MESSAGE_RESTARTED = 132;

export const QP_MESSAGE_POSTED = 1;
export const QP_MESSAGE_DONE = 2;
export const QP_MESSAGE_RECEIVED = 4;
export const QP_MESSAGE_FAILED = 8;
/** Its counters are in its record; until then those of its QP are its own, once it is the oldest unacknowledged message. */
export const QP_MESSAGE_COUNTED = 16;

// ---- State of a QP with several messages, by the flow that leads it, 48 bytes.
export const QP_STREAM_BYTES = 48;
/** u32: messages that are not done; the host writes how many the QP will have. */
export const QP_STREAM_LEFT = 0;
/** u32: the oldest message that is not acknowledged, or SIM_NONE. */
export const QP_STREAM_ACKING = 4;
