/**
 * Records of flows whose verb is not a plain RDMA WRITE, in linear memory, shared by host and sim.wasm: byte offsets, little-endian. They
 * are there only where a plan has `verbs`.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

// ---- Of each flow, 64 bytes. What the host writes: f64 time from which its receiver has posted a receive, f64 wait after an RNR NAK,
// u32 waits after which it fails (SIM_NONE: unlimited), u32 length of a READ request.
export const VERB_BYTES = 64;
export const VERB_READY = 0;
export const VERB_RNR_TIMER = 8;
export const VERB_RNR_RETRY_LIMIT = 16;
export const VERB_REQUEST = 20;
/** u32 each: READ requests sent, RNR NAKs that its sender received. */
export const VERB_REQUESTS = 24;
export const VERB_RNR_NAKS = 28;
/** f64: total time of its waits, picoseconds. */
export const VERB_RNR_WAITED = 32;
