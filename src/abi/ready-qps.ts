/** Trees over the QPs of hosts (assembly/simulator/ready-qps.ts): which networks have them, and what they take. */

/** Bytes per QP, and per flow: its place in the list of its port. */
export const READY_QP_BYTES = 32;
export const READY_FLOW_BYTES = 4;
/** Networks of more QPs have none. */
export const READY_QPS_MAX = 2_097_152;
