/**
 * Memory for selecting the next QP of hosts with many QPs (assembly/simulator/ready-qps.ts): which networks have it,
 * and its size.
 */

/**
 * Bytes per QP for the tree of gaps and for the sets of positions, and in total; bytes per flow for its position in the
 * port's list.
 */
export const READY_GAP_BYTES = 32;
export const READY_SET_BYTES = 4;
export const READY_QP_BYTES = 36;
export const READY_FLOW_BYTES = 4;
/** Networks with more QPs do not use it. */
export const READY_QPS_MAX = 2_097_152;
