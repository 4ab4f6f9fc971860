/** What is kept of the QPs of hosts that have many (assembly/simulator/ready-qps.ts): which networks have it, and what it takes. */

/** Bytes per QP: of the tree of gaps, and of the sets of places. Per flow: its place in the list of its port. */
export const READY_GAP_BYTES = 32;
export const READY_SET_BYTES = 4;
export const READY_QP_BYTES = 36;
export const READY_FLOW_BYTES = 4;
/** Networks of more QPs have none. */
export const READY_QPS_MAX = 2_097_152;
