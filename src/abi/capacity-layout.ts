/**
 * What the host states of an engine's size before `initialise`: u32 each, at this index from CAPACITY_ADDRESS (layout.ts) on.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only. Names: capacity.ts.
 */

/** QPs, endpoints, and addresses of all endpoints. */
export const CAPACITY_QPS = 0;
export const CAPACITY_ENDPOINTS = 1;
export const CAPACITY_ADDRESSES = 2;
/** Events and frames of one batch, and bytes of all its frames. */
export const CAPACITY_EVENTS = 3;
export const CAPACITY_PACKETS = 4;
export const CAPACITY_FRAME_BYTES = 5;
/** Ranges of the access list. */
export const CAPACITY_ACCESS_RANGES = 6;
/** Bits FEATURE_* (codes.ts). */
export const CAPACITY_FEATURES = 7;
/** Hops that a QP keeps, and most hops of an acknowledgement. */
export const CAPACITY_HOPS = 8;
/** Bytes of the tables of parameter sets and of known ports. */
export const CAPACITY_TABLE_BYTES = 9;
/** Records of rate changes; 0 = no trace. */
export const CAPACITY_TRACE_RECORDS = 10;
/** Bytes of the regions of modules with custom algorithms. */
export const CAPACITY_MODULE_BYTES = 11;
export const CAPACITY_COUNT = 16;
