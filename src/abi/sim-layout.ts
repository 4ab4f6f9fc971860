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

/** Which of several equal next hops a data packet takes, under `reference-lossy`. */
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
// 65536: records/connections.ts.
/** Its rate is an agent's; its window is (records/agents.ts). */
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

// ---- Reasons of dropped packets.
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

/** PORT_ECN: it marks; the same in a network with tunnels. */
export const ECN_PLAIN = 1;
export const ECN_TUNNELS = 2;
