/**
 * Records of messages whose flows share records, in linear memory, shared by host and sim.wasm: byte offsets, little-endian. They are
 * there only where a plan has `messages: 'sums'`.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

// ---- Message, 16 bytes: size f64 | its pattern u32 | UDP ports u32, source in the high half.
export const MESSAGE_BYTES = 16;
export const MESSAGE_PATTERN = 8;
export const MESSAGE_PORTS = 12;

// ---- Pattern: what messages have in common. A flow as the host writes it, and behind it parameter set u32 | job u32.
export const PATTERN_BYTES = 264;
export const PATTERN_PARAMETER_SET = 256;
export const PATTERN_JOB = 260;

// ---- Of a flow's record, 8 bytes: job of its present message u32 | packets of the message in the network u32.
export const RECORD_USE_BYTES = 8;
export const RECORD_USE_JOB = 0;

// ---- Sums of a job, 104 bytes, f64 each: messages that are done; bytes delivered; retransmitted packets and bytes; timeouts; CNPs;
// duplicate notifications; data packets that came ahead, how far at most, that came again; NAKs; from start to last ACK, all
// together and at most.
export const MESSAGE_SUMS_BYTES = 104;
export const SUM_DONE = 0;
export const SUM_DELIVERED = 8;
export const SUM_RETRANSMITTED = 16;
export const SUM_RETRANSMITTED_BYTES = 24;
export const SUM_TIMEOUTS = 32;
export const SUM_CNPS = 40;
export const SUM_DUPLICATE_NOTIFICATIONS = 48;
export const SUM_OUT_OF_ORDER = 56;
export const SUM_DEPTH = 64;
export const SUM_DUPLICATES = 72;
export const SUM_NAKS = 80;
export const SUM_COMPLETION = 88;
export const SUM_MOST_COMPLETION = 96;
