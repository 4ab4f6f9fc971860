/**
 * Codes of the simulator, shared by host and sim.wasm, and the numbers of its regions in linear memory. Its records:
 * records/network.ts and others.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

export const SIM_NONE = 0xffffffff;

// ---- Kinds of packets.
export const PACKET_DATA = 0;
export const PACKET_ACK = 1;
export const PACKET_NAK = 2;
export const PACKET_CNP = 3;
export const PACKET_FAST_CNP = 4;
export const PACKET_PAUSE = 5;
export const PACKET_RESUME = 6;
/** A response of ConWeave's last leaf to the first one. */
export const PACKET_CONTROL = 7;
/** An adaptive routing notification between neighbours of a WAN. */
export const PACKET_ARN = 40;
/** A READ request from requester to responder; an RNR NAK from a receiver without a posted receive. */
export const PACKET_READ_REQUEST = 41;
export const PACKET_RNR_NAK = 42;
/** MRC: a receiver requests a retransmission. */
export const PACKET_NACK = 43;
/** MRC: a probe of a path, as counted and traced. In the network it is a data packet, identified by MrcPacket.probe. */
export const PACKET_PROBE = 30;
/** MRC: endpoint packets in the same way, data or ACKs on their way. */
export const PACKET_ENDPOINT_REQUEST = 29;
export const PACKET_ENDPOINT_RESPONSE = 28;
/** A receiver grants credit. */
export const PACKET_CREDIT = 44;

// ---- Why a slice of a run ended.
export const RUN_REACHED = 0;
export const RUN_BUDGET = 1;
export const RUN_IDLE = 2;
export const RUN_TRACE_FULL = 3;
export const RUN_NO_MEMORY = 4;
/** The host must sample the queues. */
export const RUN_SAMPLE = 5;
/** All remaining work depends on packets that wait for each other. */
export const RUN_DEADLOCK = 6;
/** All shared message records are in use. */
export const RUN_NO_RECORD = 7;
/** A flow is done, in a run to which flows are added. */
export const RUN_FLOW_DONE = 8;

// ---- Flags of a flow.
export const FLOW_STARTED = 1;
export const FLOW_DONE = 2;
export const FLOW_RECEIVED = 4;
/** Fidelity `reference`: a NAK has moved the next byte back, and ACKs leave it there. */
export const FLOW_SET_BACK = 8;
/** The receiver keeps out-of-order packets; uses IRN; retries are exhausted; has a transport record; is `tolerant`. */
export const FLOW_SELECTIVE = 16;
export const FLOW_IRN = 32;
export const FLOW_FAILED = 64;
export const FLOW_OWN_TRANSPORT = 128;
export const FLOW_TOLERANT = 256;
/** The flow uses MRC. */
export const FLOW_MRC = 512;
/**
 * It is an RDMA READ; its receiver may not be ready; its sender waits after an RNR NAK; its RNR retries are exhausted.
 */
export const FLOW_READ = 1024;
export const FLOW_NOT_READY = 2048;
export const FLOW_RNR_WAIT = 4096;
export const FLOW_RNR_EXCEEDED = 8192;
/** The flow's receiver grants credit. */
export const FLOW_CREDIT = 16384;
// 65536 is defined in records/flows.ts.
/** An agent sets its rate; its window (records/flows.ts). */
export const FLOW_AGENT_RATE = 131072;
export const FLOW_AGENT_WINDOW = 262144;
/** It failed because its receiver reported an error. */
export const FLOW_REMOTE_ERROR = 524288;

// ---- Why packets are dropped.
export const DROP_BUFFER = 0;
export const DROP_NO_ROUTE = 1;
export const DROP_LINK_DOWN = 2;
export const DROP_LOSS = 3;
export const DROP_CORRUPT = 4;
export const DROP_REASONS = 5;
/** Reasons from hazards: bad frame check sequence, full receive buffer, watchdog; then access list, tunnel, missing uSID. */
export const DROP_BIT_ERRORS = 5;
export const DROP_RECEIVE_BUFFER = 6;
export const DROP_WATCHDOG = 7;
export const DROP_ACCESS_LIST = 8;
export const DROP_TUNNEL_ECN = 9;
export const DROP_WRONG_USID = 10;

// Regions of a network in linear memory, numbered for `simRegion` of sim.wasm, which returns their addresses, and sizes
// of what is in no record.

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
