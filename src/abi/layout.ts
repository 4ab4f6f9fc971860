/**
 * Record layouts in linear memory, shared by host and engine.wasm: sizes and byte offsets. Little-endian.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only. The records of
 * `assembly/memory/records.ts` are checked against it at compile time.
 */

// ---- Event, 16 bytes: time f64 [ps] | qp u32 | kind (4 bits) value (28 bits).
export const EVENT_BYTES = 16;
export const EVENT_TIME = 0;
export const EVENT_QP = 8;
export const EVENT_ARG = 12;
export const EVENT_KIND_SHIFT = 28;
export const EVENT_VALUE_MAX = 0x0fffffff;

// ---- FastCnpEvent, 48 bytes: the contents of a Fast CNP, for callers that parse packets themselves.
export const FAST_CNP_EVENT_BYTES = 48;
export const FAST_CNP_SOURCE = 0;
export const FAST_CNP_ORIGINAL_DESTINATION = 16;
export const FAST_CNP_DEST_QPN = 32;
/** u32; 1 + index of the AckEvent record with the reported hops; 0 = none. */
export const FAST_CNP_TELEMETRY = 36;

// ---- Packet descriptor, 24 bytes: time f64 [ps] | offset u32 | captured length u32 | original length u32 | link u32.
export const DESCRIPTOR_BYTES = 24;
export const DESCRIPTOR_TIME = 0;
export const DESCRIPTOR_OFFSET = 8;
export const DESCRIPTOR_CAPTURED = 12;
export const DESCRIPTOR_ORIGINAL = 16;
export const DESCRIPTOR_LINK = 20;

// ---- Packet record, 32 bytes: the result of parsing, and the outcome of the frame. Offsets are relative to the
// frame's start.
export const PACKET_BYTES = 32;
export const PACKET_CLASS = 0;
export const PACKET_WHY = 1;
/** 4, 6, or 0 if there is no IP header. */
export const PACKET_IP_VERSION = 2;
/** DSCP (high six bits) and ECN (low two) of the outermost IP header. */
export const PACKET_TRAFFIC_CLASS = 3;
export const PACKET_OPCODE = 4;
export const PACKET_ICRC = 5;
export const PACKET_IP_OFFSET = 6;
/** Offset of the BTH; 0 if there is none. */
export const PACKET_BTH_OFFSET = 8;
/** Offset of the original destination address in a Fast CNP option; 0 if there is none. */
export const PACKET_ORIGINAL_DESTINATION_OFFSET = 10;
/** Offset of the IOAM trace data (its Namespace-ID), which is not copied; 0 if there is none. */
export const PACKET_IOAM_OFFSET = 12;
export const PACKET_IOAM_BYTES = 14;
export const PACKET_DEST_QPN = 16;
/** The engine's QP that the frame belongs to, or NONE. */
export const PACKET_QP = 20;
export const PACKET_OUTCOME = 24;
/** 1 if the frame's source address is the original destination in its Fast CNP option. */
export const PACKET_FROM_RECEIVER = 25;
/** Offset just after the datagram, where the ICRC ends. */
export const PACKET_END_OFFSET = 26;

// ---- Action, 24 bytes: time f64 [ps] | qp u32 | kind u8, reason u8, 16 bits free | value f64.
export const ACTION_BYTES = 24;
export const ACTION_TIME = 0;
export const ACTION_QP = 8;
export const ACTION_KIND = 12;
export const ACTION_REASON = 13;
export const ACTION_VALUE = 16;

// ---- QpState, 64 bytes, one cache line: the reaction point of one QP.
export const QP_BYTES = 64;
export const QP_RATE = 0;
export const QP_TARGET = 8;
export const QP_ALPHA = 16;
export const QP_NEXT_ALPHA = 24;
export const QP_NEXT_INCREASE = 32;
export const QP_LAST_EVENT = 40;
export const QP_NEXT_SEND = 48;
export const QP_BYTES_COUNTED = 56;
export const QP_TIME_STAGE = 60;
export const QP_BYTE_STAGE = 62;

// ---- Parameter sets: one record type per algorithm (src/config/algorithms/*.ts), u32 ALGORITHM_* first. The
// fields that the engine derives follow those that the host writes.
/** Bytes of a parameter set, whole cache lines. */
export const PARAMETER_SET_BYTES = 320;

// ---- Counters, f64 each: outcomes first, then frame classes, then totals.
export const COUNTER_OUTCOMES = 0;
export const COUNTER_CLASSES = 48;
export const COUNTER_EVENTS_IN = 64;
export const COUNTER_PACKETS_IN = 65;
export const COUNTER_PACKET_BYTES_IN = 66;
export const COUNTER_ECN_MARKED = 67;
export const COUNTER_CNP_SENT = 68;
export const COUNTER_CNP_SUPPRESSED = 69;
export const COUNTER_TIMER_STEPS = 70;
export const COUNTER_LATE_CLAMPED = 72;
export const COUNTER_DATA_SENT = 73;
export const COUNTER_COUNT = 80;

// ---- Fixed addresses, in order; the blocks do not overlap: test/engine/fixed-memory.test.ts.
export const COUNTERS_ADDRESS = 64;
/**
 * Capacity that the host writes before `initialise`: records/engine-capacity.ts, and for the simulator
 * records/sim-run.ts.
 */
export const CAPACITY_ADDRESS = 1024;
export const SIM_CAPACITY_ADDRESS = CAPACITY_ADDRESS + 64;
export const SETTINGS_ADDRESS = 4096;
export const HASH_KEYS_ADDRESS = 4352;
export const REGIONS_ADDRESS = 4480;
/** Where the host puts a 16-byte address before a call that takes one. */
export const ADDRESS_ARGUMENT = 4608;
/** Offsets of what `describeQp` writes after the peer's address, u32 each. */
export const DESCRIBED_ENDPOINT = 16;
export const DESCRIBED_LOCAL_QPN = 20;
/** Descriptors of the engine's own hash tables, 32 bytes each. */
export const FLOW_TABLE_ADDRESS = 4672;
export const ENDPOINT_TABLE_ADDRESS = 4736;
export const PEER_TABLE_ADDRESS = 4800;
/** Fields of such a descriptor, u32: addresses of tags and entries, number of slot groups, number of entries in use. */
export const TABLE_TAGS = 0;
export const TABLE_ENTRIES = 4;
export const TABLE_GROUPS = 8;
export const TABLE_USED = 12;
/** Slots per group, and the tag of a free slot. */
export const TABLE_SLOTS = 16;
export const TABLE_FREE = 0x80;
/** u64 filter: a bit is set if some endpoint address may map to it (assembly/table/flow-table.ts). */
export const ENDPOINT_FILTER_ADDRESS = 4864;
/** Space for PARAMETER_SET_COUNT records of PARAMETER_SET_BYTES. */
export const PARAMETER_SETS_ADDRESS = 5120;
/** Where IOAM traces hold the fields that HPCC++ needs (records/telemetry.ts). */
export const TELEMETRY_ADDRESS = 10752;
/** The table of algorithms (assembly/algorithms/registry.ts): ALGORITHM_COUNT entries. */
export const ALGORITHMS_ADDRESS = 11264;
export const ALGORITHM_ENTRY_BYTES = 64;
/** asc places static data from here on (asconfig.json, memoryBase); the build checks both ends (scripts/static-data.mjs). */
export const STATIC_DATA = 12288;
/** Where the variable regions begin. */
export const FIXED_END = 16384;

// ---- Settings, f64 each, at SETTINGS_ADDRESS; applied by `configure`.
export const SETTING_NP_SCOPE = 0;
export const SETTING_NP_WINDOW = 1;
export const SETTING_NP_MIN_TIME = 2;
export const SETTING_FAST_CNP_ENABLED = 3;
export const SETTING_DUPLICATE_WINDOW = 4;
export const SETTING_OPTION_TYPE_1 = 5;
export const SETTING_OPTION_TYPE_2 = 6;
export const SETTING_PARSE_MODE = 7;
export const SETTING_ICRC_CHECK = 8;
export const SETTING_ICRC_POLICY = 9;
export const SETTING_LATE_POLICY = 10;
export const SETTING_RATE_ACTIONS = 11;
export const SETTING_ACCESS_RANGES = 12;
export const SETTING_COUNT = 16;

/** Keys of the flow hash, u64 each, at HASH_KEYS_ADDRESS. */
export const HASH_KEY_COUNT = 8;

// ---- Regions, u32 addresses at REGIONS_ADDRESS, filled by `initialise`.
export const REGION_EVENTS = 0;
export const REGION_FAST_CNP_EVENTS = 1;
export const REGION_DESCRIPTORS = 2;
export const REGION_PACKETS = 3;
export const REGION_FRAMES = 4;
export const REGION_ACTIONS = 5;
export const REGION_QPS = 6;
export const REGION_QP_FLAGS = 7;
export const REGION_ACCESS = 8;
export const REGION_LOCAL_QPNS = 9;
export const REGION_FLOW_ENTRIES = 10;
export const REGION_END = 11;
/** 12 and 13 belong to the js backend. */
export const REGION_ACK_EVENTS = 14;
export const REGION_KEPT_HOPS = 15;
/** Tables of parameter sets, then the known ports (records/telemetry.ts). */
export const REGION_TABLES = 16;
/** CNP windows, next cut checks, and data by QP and by peer for coalescing CNPs by destination. */
export const REGION_CNP_WINDOWS = 17;
export const REGION_CUT_TIMES = 18;
export const REGION_PEER_OF = 19;
/** 20 belongs to the trace (trace-layout.ts). */
export const REGION_PEER_REFERENCES = 21;

/** AccessRange, 24 bytes: first address as high u64, low u64 | allow u32. Sorted; the first one is ::. */
export const ACCESS_BYTES = 24;
export const ACCESS_HIGH = 0;
export const ACCESS_LOW = 8;
export const ACCESS_ALLOW = 16;

/** Flow table entry, 32 bytes: address 16 | peer QPN (24 bits), endpoint (16), QP (24) | last notification, below 2^56. */
export const FLOW_BYTES = 32;
export const FLOW_KEY = 16;
export const FLOW_STAMP = 24;

/** Maximum number of actions per event or frame. */
export const ACTIONS_PER_INPUT = 4;
/** QP numbers have 24 bits, endpoint numbers 16; the highest value of each means "none". */
export const QP_CAPACITY_MAX = 0xffffff;
/** Queue pair numbers have 24 bits. */
export const QPN_MAX = 0xffffff;
export const ENDPOINT_CAPACITY_MAX = 0xffff;
