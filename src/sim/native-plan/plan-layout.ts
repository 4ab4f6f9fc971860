/**
 * The file of a plan for the C library (native/sim_plan.h): a kernel's memory before its start, and the properties of each host
 * that `roce_sim_send` needs.
 *
 * Little-endian. Head, hosts, algorithms, names, templates, then parts of memory: u32 address, u32 length, the bytes, padded to
 * a multiple of 8. A part of length 0 is the last.
 */
/** The first four bytes of the file, "RCPL". */
export const PLAN_MAGIC = 0x4c504352;
export const PLAN_VERSION = 1;
/** The checksum covers the file from this offset on. */
export const PLAN_CHECKED_FROM = 12;

// ---- Head: u32 unless said otherwise.
export const PLAN_HEAD_BYTES = 96;
export const PLAN_HOSTS = 12;
export const PLAN_ALGORITHMS = 16;
/** Flows that may be added; 0 = the flows are in the plan. */
export const PLAN_RESERVED = 20;
export const PLAN_FLOWS_PER_HOST = 24;
/** Flows in the plan. */
export const PLAN_FLOWS = 28;
export const PLAN_PORTS = 32;
export const PLAN_NAME_BYTES = 36;
/** f64: when the run ends; with PLAN_ENDS_AFTER not 0, that long after the last start instead. */
export const PLAN_END = 40;
export const PLAN_ENDS_AFTER = 48;
/** f64: maximum bytes of a flow. */
export const PLAN_FLOW_BYTES = 56;
/** First 16 hexadecimal digits of the SHA-256 of sim.wasm. */
export const PLAN_BUILD = 64;
/** Number of nodes. */
export const PLAN_NODES = 80;

// ---- Host: u32 node, u32 offset of its name, u32 port that its ACKs leave by, u32 free | f64 interval of its CNPs.
export const PLAN_HOST_BYTES = 24;
// ---- Template of a host and an algorithm: u32 parameter set, u32 free | a flow's record.
export const PLAN_TEMPLATE_HEAD = 8;
/** Size of the pages of which a part of memory consists. */
export const PLAN_RUN_BYTES = 4096;
