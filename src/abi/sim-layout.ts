/**
 * Records of the simulator in linear memory, shared by host and sim.wasm: byte offsets and codes, little-endian.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only. Times are picoseconds; counts
 * that can pass 2^32 are f64. What the host writes comes first in each record, then what the kernel keeps.
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
/** A READ request, from the requester to the responder; an RNR NAK, from a receiver that has posted no receive. */
export const PACKET_READ_REQUEST = 41;
export const PACKET_RNR_NAK = 42;

// ---- How a slice of a run ended.
export const RUN_REACHED = 0;
export const RUN_BUDGET = 1;
export const RUN_IDLE = 2;
export const RUN_TRACE_FULL = 3;
export const RUN_NO_MEMORY = 4;
/** The host is to sample the queues. */
export const RUN_SAMPLE = 5;
/** What is left to happen waits for packets that wait for each other. */
export const RUN_DEADLOCK = 6;
/** All records that messages share are in use. */
export const RUN_NO_RECORD = 7;
/** A flow is done, in a run that flows are added to. */
export const RUN_FLOW_DONE = 8;

// ---- Size of the network, stated before `initialise`: u32 each, at this index from SIM_CAPACITY_ADDRESS (layout.ts) on.
export const SIM_CAPACITY_NODES = 0;
export const SIM_CAPACITY_PORTS = 1;
export const SIM_CAPACITY_FLOWS = 2;
/** Words of the routes and of the groups that they name. */
export const SIM_CAPACITY_ROUTE_WORDS = 3;
export const SIM_CAPACITY_GROUP_WORDS = 4;
export const SIM_CAPACITY_LINK_EVENTS = 5;
/** Packet records; 0 = none are written. */
export const SIM_CAPACITY_TRACE_RECORDS = 6;
/** Switches that send Fast CNPs, and token buckets of all their ports and flows. */
export const SIM_CAPACITY_CONGESTION_POINTS = 7;
export const SIM_CAPACITY_BUCKETS = 8;
/** Log2 of the slots of the event queue's wheel. */
export const SIM_CAPACITY_WHEEL_BITS = 9;
/** Fidelity `reference-lossy`: 1; then paths between leaves, words of the records of all, flowlets, forced drops, generators of link errors. */
export const SIM_CAPACITY_LOSSY = 10;
export const SIM_CAPACITY_PATHS = 11;
export const SIM_CAPACITY_PATH_WORDS = 12;
export const SIM_CAPACITY_FLOWLETS = 13;
export const SIM_CAPACITY_FORCED_DROPS = 14;
export const SIM_CAPACITY_GENERATORS = 15;
/** 1: DRILL's table of ports is needed. */
export const SIM_CAPACITY_DRILL = 16;
/** Operations of a graph (graph-layout.ts), what waits for them, their lanes, channels and queues; 0 = no graph. */
export const SIM_CAPACITY_OPERATIONS = 17;
export const SIM_CAPACITY_EDGES = 18;
export const SIM_CAPACITY_LANES = 19;
export const SIM_CAPACITY_CHANNELS = 20;
export const SIM_CAPACITY_OPERATION_QUEUES = 21;
/** Bytes of the region of load balancing under `standard` (balancing-layout.ts); 0: it has none. */
export const SIM_CAPACITY_BALANCING = 22;
/** Records and rings of flows with another transport than the default, bytes. */
export const SIM_CAPACITY_TRANSPORT_BYTES = 23;
/** 1: the run is over when all operations are done. */
export const SIM_CAPACITY_ENDS_WITH_JOBS = 24;
// 25 to 27: message-layout.ts. 28: pool-layout.ts.
/** A WAN with tunnels (wan-layout.ts): 1, and the number of services, 0 = none; ports with ARNs, and keys of each. */
export const SIM_CAPACITY_SERVICES = 29;
export const SIM_CAPACITY_ARN_PORTS = 30;
export const SIM_CAPACITY_ARN_KEYS = 32;
/** PFC's hazards (hazard-layout.ts): 1, and the number of pause storms; 0 = none. */
export const SIM_CAPACITY_HAZARDS = 31;
// 33: route-layout.ts.
// 34: connection-layout.ts. 36: verb-layout.ts. 37: agent-layout.ts. 38: custom-point-layout.ts.
/** Flows whose sender checks for losses by time (`tolerant`): all of them, or 0. */
export const SIM_CAPACITY_LOSS_CHECKS = 35;
/** Flows for which there is memory, and which are added while the run goes (`simAddStarts`); and the length of all QP lists, 0 = as many as flows. */
export const SIM_CAPACITY_RESERVED_FLOWS = 39;
export const SIM_CAPACITY_LIST_ENTRIES = 40;
export const SIM_CAPACITY_COUNT = 41;

// ---- Rules: f64 each, at this index.
export const RULE_TX_NS3 = 0;
export const RULE_WIRE_OVERHEAD = 2;
export const RULE_PAUSE_BYTES = 3;
export const RULE_CNP_BYTES = 4;
export const RULE_FAST_CNP_BYTES = 5;
export const RULE_CNP_PACKETS = 6;
export const RULE_CNP_CLASS = 8;
export const RULE_STRICT_CLASSES = 9;
export const RULE_MARK_AT_ENQUEUE = 10;
export const RULE_MARK_ECT_ONLY = 11;
/** TELEMETRY_* of ack-layout.ts. */
export const RULE_TELEMETRY = 12;
export const RULE_INT_MULTIPLIER = 13;
export const RULE_NAK_INTERVAL = 14;
export const RULE_PACING = 16;
export const RULE_RESUME_OFFSET = 17;
export const RULE_RESERVED = 18;
export const RULE_REFERENCE = 19;
export const RULE_SEED = 20;
/** Longest path in switches: telemetry records per packet. */
export const RULE_HOPS = 21;
/** Wheel: log2 of picoseconds per slot. */
export const RULE_SLOT_SHIFT = 22;
/** T of HPCC-PINT's switches, picoseconds; 0 = no PINT. */
export const RULE_PINT_RTT = 23;
/** Logarithm base of PINT's encoding, and its largest value. */
export const RULE_PINT_BASE = 24;
export const RULE_PINT_MAX = 25;
/** A switch copies the telemetry of the path so far into its Fast CNPs. */
export const RULE_FAST_CNP_TELEMETRY = 26;
/** Class whose pause holds a host's ACKs; 0: none does; SIM_NONE: their own. */
export const RULE_ACK_PAUSE_CLASS = 27;
/** Bytes of a flow that get ACKs at multiples of the chunk alone; 0: none. */
export const RULE_SILENCE = 28;
export const RULE_SILENCE_CHUNK = 29;
// Of fidelity `reference-lossy`.
export const RULE_IRN = 30;
export const RULE_IRN_WINDOW = 31;
export const RULE_IRN_TIMEOUT_LOW = 32;
export const RULE_IRN_TIMEOUT_HIGH = 33;
export const RULE_BACK_TO_ZERO = 34;
export const RULE_PAUSE_TIME = 35;
/** Whether any switch pauses its neighbours. */
export const RULE_ANY_PFC = 36;
/** BALANCING_*. */
export const RULE_BALANCING = 37;
export const RULE_EXPIRY = 38;
export const RULE_REPLY_EXTRA = 39;
export const RULE_PATH_PAUSE = 40;
export const RULE_FLUSH_EXTRA = 41;
export const RULE_DEFAULT_WAIT = 42;
export const RULE_CHECK_FROM = 43;
export const RULE_CHECK_EVERY = 44;
/** Bit per class with memory set aside at each port, and how often it is set aside there. */
export const RULE_GUARANTEED = 45;
export const RULE_SET_ASIDE = 46;
/** SIM_NONE: of a host's flows the one that began first sends next; 0: round-robin. */
export const RULE_FIRST_COME = 47;
/** Bytes in which responses name packets that arrived ahead, under `standard`: IRN one, 8; `tolerant` a map, 16; 0: none do. */
export const RULE_SACKS = 48;
export const RULE_COUNT = 50;

export const BALANCING_ECMP = 0;
export const BALANCING_DRILL = 1;
export const BALANCING_LETFLOW = 2;
export const BALANCING_CONGA = 3;
export const BALANCING_CONWEAVE = 4;

// ---- Node, 64 bytes.
export const NODE_BYTES = 64;
export const NODE_IS_SWITCH = 0;
export const NODE_FIRST_PORT = 4;
export const NODE_PORT_COUNT = 8;
export const NODE_BUFFER = 12;
export const NODE_PFC = 16;
/** u32 bits CONGESTION_* (custom-point-layout.ts). */
export const NODE_CONGESTION = 20;
export const NODE_HASH_SEED = 24;
export const NODE_ADDRESS = 28;
// 32: route-layout.ts.
/** u32: address of its congestion point's record, written by `simStart`. */
export const NODE_CONGESTION_POINT = 36;
export const NODE_SHARED_USED = 40;
/** f64: a host's notification point holds CNPs back so long. */
export const NODE_CNP_DELAY = 56;

// ---- Port; behind its own fields a record per class. f64 but for u32: node, peer, headroom, number, list, queues; u8: ecn, shift, captured.
export const PORT_BYTES = 576;
export const PORT_CLASSES = 320;
export const CLASS_BYTES = 32;
export const PORT_NODE = 0;
export const PORT_PEER = 4;
export const PORT_RATE = 192;
export const PORT_DELAY = 200;
export const PORT_ECN = 78;
export const PORT_SHIFT = 23;
export const PORT_HEADROOM = 24;
export const PORT_NUMBER = 172;
export const PORT_KMIN = 128;
export const PORT_KMAX = 136;
export const PORT_PMAX = 144;
export const PORT_DATA_LOSS = 208;
export const PORT_ACK_LOSS = 216;
export const PORT_CNP_LOSS = 224;
export const PORT_CORRUPTION = 232;
export const PORT_CAPTURED = 77;
/** u32: first entry in the lists of QPs, hosts only. */
export const PORT_LIST = 152;
export const PORT_TX_PACKETS = 96;
export const PORT_TX_BYTES = 104;
export const PORT_BUSY = 112;
export const PORT_MARKS = 240;
export const PORT_DATA_MARKS = 248;
export const PORT_DROPS = 256;
export const PORT_PAUSES_SENT = 264;
export const PORT_RESUMES_SENT = 272;
export const PORT_PAUSES_RECEIVED = 280;
export const PORT_PAUSED = 288;
/** u8: bit per class that its peer has paused; i64 in the record of the class: since when, or since the last account. */
export const PORT_PAUSED_CLASSES = 20;
export const CLASS_PAUSED_SINCE = 24;
export const PORT_FAST_CNPS = 296;
/** Byte times picosecond. */
export const PORT_QUEUE_INTEGRAL = 88;
/** i64: up to when, picoseconds. */
export const PORT_QUEUE_SINCE = 80;
export const PORT_MAX_CLASS_QUEUE = 72;
export const PORT_MAX_QUEUE = 68;
export const PORT_QUEUE = 64;
/** i64: when the running or last transmission ends. */
export const PORT_FREE_AT = 40;
/** u32: most shared memory of a class that came in here, and the least pause threshold when it took some. */
export const PORT_MAX_SHARED = 28;
export const PORT_MIN_THRESHOLD = 32;

// ---- Flow, 256 bytes.
export const FLOW_BYTES = 256;
export const FLOW_SOURCE = 72;
export const FLOW_DESTINATION = 76;
export const FLOW_SOURCE_PORT = 64;
export const FLOW_RESPONSE_PORT = 68;
export const FLOW_SIZE = 144;
export const FLOW_START = 152;
/** u32: the first flow that waits for this one, and the next one that waits for the same. */
export const FLOW_FIRST_DEPENDENT = 176;
export const FLOW_NEXT_DEPENDENT = 180;
export const FLOW_DATA_CLASS = 16;
export const FLOW_ACK_CLASS = 20;
/** Source port in the high half. */
export const FLOW_UDP_PORTS = 80;
export const FLOW_ALGORITHM = 8;
export const FLOW_WINDOW = 160;
/** u16: WINDOW_MODE_*. And u16, in the high half: does it read telemetry? */
export const FLOW_WINDOW_MODE = 12;
export const FLOW_HEADER = 24;
export const FLOW_ACK_BYTES = 28;
/** u32: payload of its sender's full packets. */
export const FLOW_MTU = 84;
export const FLOW_LINE_RATE = 168;
/** u32: QP of the engine. */
export const FLOW_QP = 4;
export const FLOW_FLAGS = 0;
export const FLOW_FINISH = 200;
export const FLOW_RETRANSMITTED = 208;
export const FLOW_TIMEOUTS = 216;
/** u32: number of the operation whose message it is, and 1; 0 = none. */
export const FLOW_OPERATION = 184;
export const FLOW_CNPS = 188;
export const FLOW_FAST_CNPS = 192;
export const FLOW_DUPLICATES = 196;
/** f64; -1 = none came. */
export const FLOW_FIRST_NOTIFICATION = 224;
export const FLOW_DELIVERED = 120;
/** i64: sequence number that the receiver expects. */
export const FLOW_EXPECTED = 112;
/** u32: TIMEOUT_*. */
export const FLOW_TIMEOUT_STATE = 92;
/** f64: retransmission timeout of the flow's sender, and CNP interval of its receiver. */
export const FLOW_TIMEOUT = 232;
export const FLOW_CNP_INTERVAL = 240;
/** f64: how long without progress is borne where the timeout adapts; 0 = not beyond the timeout. */
export const FLOW_PATH_TIMEOUT = 248;

export const FLOW_STARTED = 1;
export const FLOW_DONE = 2;
export const FLOW_RECEIVED = 4;
/** Fidelity `reference`: a NAK has set the next byte back, and ACKs leave it there. */
export const FLOW_SET_BACK = 8;
/** Its receiver keeps what comes ahead; it is IRN's; its retries are exhausted; it has a record of its transport; it is `tolerant`. */
export const FLOW_SELECTIVE = 16;
export const FLOW_IRN = 32;
export const FLOW_FAILED = 64;
export const FLOW_OWN_TRANSPORT = 128;
export const FLOW_TOLERANT = 256;
/** It is an RDMA READ; its receiver may not be ready; its sender waits after an RNR NAK; its RNR retries are exhausted. */
export const FLOW_READ = 1024;
export const FLOW_NOT_READY = 2048;
export const FLOW_RNR_WAIT = 4096;
export const FLOW_RNR_EXCEEDED = 8192;
// 65536: connection-layout.ts.
/** Its rate is an agent's; its window is (agent-layout.ts). */
export const FLOW_AGENT_RATE = 131072;
export const FLOW_AGENT_WINDOW = 262144;

// ---- What is counted of a flow's losses, 32 bytes: u32 each, but the retransmitted bytes, f64.
export const FLOW_LOSSES_BYTES = 32;
/** Data packets that came ahead of the byte expected, how far at most, in packets; that came again; NAKs at the sender. */
export const LOSSES_OUT_OF_ORDER = 0;
export const LOSSES_DEPTH = 4;
export const LOSSES_DUPLICATES = 8;
export const LOSSES_NAKS = 12;
export const LOSSES_RETRANSMITTED_BYTES = 16;
/** u32: address of the flow's transport; 0: the default one. */
export const LOSSES_TRANSPORT = 24;

// ---- A flow's transport, 160 bytes; u32 each, but the cap and the loss time, f64. What the host writes, and two counters.
export const TRANSPORT_BYTES = 160;
export const TRANSPORT_WINDOW = 0;
/** Address and mask of the ring of what the receiver keeps, and of what the sender knows of it. */
export const TRANSPORT_KEPT_RING = 4;
export const TRANSPORT_KEPT_MASK = 8;
export const TRANSPORT_SACKED_RING = 12;
export const TRANSPORT_SACKED_MASK = 16;
export const TRANSPORT_FEW = 20;
/** SIM_NONE: none. */
export const TRANSPORT_RETRY_LIMIT = 24;
/** LOSS_REACTION_*. */
export const TRANSPORT_LOSS_REACTION = 28;
export const TRANSPORT_CAP = 32;
export const TRANSPORT_SACKED = 96;
export const TRANSPORT_BEYOND = 100;
/** Of `tolerant`: distance of a loss in packets, SIM_NONE: none; its time, with the address of a ring of times, 0: none. */
export const TRANSPORT_DISTANCE = 104;
export const TRANSPORT_PASSED_RING = 108;
export const TRANSPORT_LOSS_TIME = 112;

/** What a loss is to congestion control: what its algorithm makes of it, nothing, or a CNP. */
export const LOSS_REACTION_ALGORITHM = 0;
export const LOSS_REACTION_NONE = 1;
export const LOSS_REACTION_CNP = 2;

/** The retransmission timeout is not in the event queue, is in it, or its host has none. */
export const TIMEOUT_IDLE = 0;
export const TIMEOUT_SET = 1;
export const TIMEOUT_OFF = 2;

export const WINDOW_MODE_NONE = 0;
export const WINDOW_MODE_FIXED = 1;
export const WINDOW_MODE_VARIABLE = 2;

// ---- What fidelity `reference-lossy` has in addition.
export const LOSSY_FLOW_BYTES = 192;
export const LOSSY_FLOW_FLOWLET = 56;
/** u32 each: data packets sent, received, received ahead, received again; ACKs, NAKs, answers with a mark; data dropped. */
export const LOSSY_FLOW_SENT = 64;
export const LOSSY_FLOW_RECEIVED = 68;
export const LOSSY_FLOW_OUT_OF_ORDER = 72;
export const LOSSY_FLOW_DUPLICATES = 76;
export const LOSSY_FLOW_ACKS = 80;
export const LOSSY_FLOW_NAKS = 84;
export const LOSSY_FLOW_CNPS = 88;
export const LOSSY_FLOW_DROPS = 92;
export const LOSSY_PORT_BYTES = 160;
/** u32: which generator; f64: share of frames lost. */
export const LOSSY_PORT_GENERATOR = 20;
export const LOSSY_PORT_SHARE = 24;
export const LOSSY_NODE_BYTES = 80;
/** The switch's generator of marks. */
export const LOSSY_NODE_GENERATOR = 32;
/** Six u64. */
export const GENERATOR_BYTES = 48;
/** u32 flow | u32 arrival | f64 sequence | u32 arrivals so far | u32: of a response, not of data. */
export const FORCED_DROP_BYTES = 24;
export const FORCED_DROP_RESPONSE = 20;

// ---- Link event, 16 bytes: time f64 | port u32 | up u32.
export const LINK_EVENT_BYTES = 16;

// ---- Totals: f64 each, at this index.
export const TOTAL_PACKETS_IN = 0;
export const TOTAL_PACKETS_OUT = 1;
export const TOTAL_BYTES_IN = 2;
export const TOTAL_BYTES_OUT = 3;
export const TOTAL_BYTES_DROPPED = 4;
/** Packets by reason: buffer, no route, link down, loss, corrupt. */
export const TOTAL_DROPS = 5;
export const DROP_BUFFER = 0;
export const DROP_NO_ROUTE = 1;
export const DROP_LINK_DOWN = 2;
export const DROP_LOSS = 3;
export const DROP_CORRUPT = 4;
export const DROP_REASONS = 5;
/** Reasons that hazards have: wrong frame check sequence, full receive buffer, watchdog; their totals. */
export const DROP_BIT_ERRORS = 5;
export const DROP_RECEIVE_BUFFER = 6;
export const DROP_WATCHDOG = 7;
export const DROP_ACCESS_LIST = 8;
export const DROP_TUNNEL_ECN = 9;
/** Packets made, by kind. */
export const TOTAL_KINDS = 10;
export const TOTAL_TIMEOUTS = 18;
export const TOTAL_EVENTS = 19;
export const TOTAL_HOPS = 20;
export const TOTAL_FLOWS_DONE = 21;
export const TOTAL_DELIVERED = 22;
export const TOTAL_FLOWS_FAILED = 23;
export const TOTAL_OPERATIONS_DONE = 24;
/** Records of flows that messages have shared so far. */
export const TOTAL_RECORDS_USED = 25;
/** Packets by reason from DROP_BIT_ERRORS on. */
export const TOTAL_HAZARD_DROPS = 44;
/** The last ones are those of PACKET_ARN, PACKET_READ_REQUEST and PACKET_RNR_NAK, as kinds. */
export const TOTAL_COUNT = 53;
