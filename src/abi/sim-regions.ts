/**
 * Regions of a network in linear memory, numbered for `simRegion` of sim.wasm, which returns their addresses, and sizes
 * of what is in no record.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

export const SIM_NODES = 0;
export const SIM_PORTS = 1;
export const SIM_FLOWS = 2;
export const SIM_ROUTES = 3;
export const SIM_GROUPS = 4;
export const SIM_STARTS = 5;
export const SIM_LINK_EVENTS = 6;
export const SIM_RULES = 7;
export const SIM_TOTALS = 8;
export const SIM_TRACE = 9;
export const SIM_LISTS = 10;
export const SIM_CONGESTION_POINTS = 11;
export const SIM_LOSSY_FLOWS = 12;
export const SIM_LOSSY_PORTS = 13;
export const SIM_LOSSY_NODES = 14;
export const SIM_PATH_WORDS = 15;
export const SIM_FORCED_DROPS = 16;
export const SIM_GENERATORS = 17;
export const SIM_OPERATIONS = 18;
export const SIM_OPERATION_EDGES = 19;
export const SIM_CHANNELS = 20;
export const SIM_FLOW_LOSSES = 21;
export const SIM_TRANSPORTS = 22;
export const SIM_BALANCING = 23;
export const SIM_MESSAGES = 24;
export const SIM_PATTERNS = 25;
export const SIM_MESSAGE_SUMS = 26;
export const SIM_RECORD_USES = 27;
export const SIM_POOLS = 28;
export const SIM_HAZARD_NETWORK = 29;
export const SIM_HAZARD_PORTS = 30;
export const SIM_HAZARD_FLOWS = 31;
export const SIM_HAZARD_NODES = 32;
export const SIM_HAZARD_STORMS = 33;
export const SIM_HAZARD_DEADLOCKS = 34;
export const SIM_WAN_NETWORK = 35;
export const SIM_WAN_NODES = 36;
export const SIM_WAN_SERVICES = 37;
/** u32 per flow: its service. */
export const SIM_WAN_FLOWS = 38;
/** u8 per access list, direction (in, out) and node: whether Fast CNPs of that switch pass. */
export const SIM_WAN_LISTS = 39;
export const SIM_WAN_PORTS = 40;
export const SIM_WAN_ENTRIES = 41;
/** QPs that carry several messages: by flow, and by the flow that leads a QP. */
export const SIM_QP_MESSAGES = 42;
export const SIM_QP_STREAMS = 43;
export const SIM_VERBS = 44;
export const SIM_AGENTS = 45;
export const SIM_POINTS = 46;
/** Packet trimming: by port and class. */
export const SIM_TRIMMING = 47;
/** Pairs of hosts with port status updates. */
export const SIM_PORT_STATUS = 48;

export const SIM_REGION_COUNT = 49;

// ---- Memory for selecting the next QP of hosts with many QPs (assembly/simulator/ready-qps.ts).
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
