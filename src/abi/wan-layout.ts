/**
 * Records of a WAN with tunnels in linear memory, shared by host and sim.wasm: byte offsets, little-endian. They are there only where a
 * plan has one.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only. Times are picoseconds; counts
 * that can pass 2^32 are f64.
 */

// ---- Of the network as a whole, 64 bytes: u32 each but the times, f64.
export const WAN_NETWORK_BYTES = 64;
/** ECN field of data as senders write it; 1: nodes of the WAN mark also what is not ECN-capable. */
export const WAN_DATA_ECN = 0;
export const WAN_MARKS_ALL = 4;
/** Bytes that END.CON puts before a Fast CNP; length of an ARN frame. */
export const WAN_WRAPPER_BYTES = 8;
export const WAN_ARN_BYTES = 12;
/** WAN_LEVEL_*. */
export const WAN_LEVEL = 16;
/** 1: resuming ARNs are sent. */
export const WAN_RESUMES = 20;
/** f64: how long an ARN pauses, and after what time it is repeated. */
export const WAN_PAUSE_TIME = 24;
export const WAN_REFRESH = 32;

export const WAN_LEVEL_SERVICE = 0;
export const WAN_LEVEL_FLOW = 1;
export const WAN_LEVEL_PRIORITY = 2;

// ---- Node, 256 bytes.
export const WAN_NODE_BYTES = 256;
/** u32: 0 and 1, the data centre that it belongs to; 2, the WAN. */
export const WAN_NODE_DOMAIN = 0;
/** u32: of a provider edge its data centre and 1; 0: it is none. */
export const WAN_NODE_EDGE_OF = 4;
/** u32: 1: the outer ECN field is Not-ECT. */
export const WAN_NODE_COMPATIBILITY = 8;
/** u32: of a border the place of its access lists and 1; 0: it is none. */
export const WAN_NODE_LISTS = 12;
/** f64 each: packets that entered and left tunnels here; Fast CNPs that were wrapped towards an END.CON SID and unwrapped there. */
export const WAN_NODE_ENCAPSULATED = 16;
export const WAN_NODE_DECAPSULATED = 24;
export const WAN_NODE_WRAPPED = 32;
export const WAN_NODE_UNWRAPPED = 40;
/** f64 each: Fast CNPs that its access lists denied, on their way in and out. */
export const WAN_NODE_DENIED_IN = 48;
export const WAN_NODE_DENIED_OUT = 56;
/** 16 f64: packets where a tunnel ends, by inner ECN code * 4 + outer ECN code. */
export const WAN_NODE_CELLS = 64;

// ---- Service, 64 bytes: u32 each.
export const WAN_SERVICE_BYTES = 64;
/** Provider edges of both data centres; bytes of the outer headers; number of segments and these, from dc0 to dc1. */
export const WAN_SERVICE_EDGES = 0;
export const WAN_SERVICE_OVERHEAD = 8;
export const WAN_SERVICE_SEGMENT_COUNT = 12;
export const WAN_SERVICE_SEGMENTS = 16;

// ---- Port, 96 bytes.
export const WAN_PORT_BYTES = 96;
/** u32: WAN_CONTROL_*. */
export const WAN_PORT_CONTROL = 0;
/** u32: place of its entries, where it has ARNs. */
export const WAN_PORT_PLACE = 4;
export const WAN_PORT_XOFF = 8;
export const WAN_PORT_XON = 12;
/** f64 each: ARNs that this port sent: first ones, repeated ones, resuming ones; that it received; pauses of it that expired. */
export const WAN_PORT_SENT = 16;
export const WAN_PORT_REFRESHED = 24;
export const WAN_PORT_RESUMES = 32;
export const WAN_PORT_RECEIVED = 40;
export const WAN_PORT_EXPIRED = 48;
/** f64: how long keys were held here, summed over them. */
export const WAN_PORT_HELD = 56;

/** ECN field of CNPs and Fast CNPs: cnpDefaults. */
export const WAN_CNP_ECN = 1;

/** PORT_ECN of sim-layout.ts: it marks; the same in a network with tunnels. */
export const ECN_PLAIN = 1;
export const ECN_TUNNELS = 2;

/** Pause frames; nothing; ARNs. */
export const WAN_CONTROL_PFC = 0;
export const WAN_CONTROL_NONE = 1;
export const WAN_CONTROL_ARN = 2;

// ---- Entry of a port with ARNs, one per key (service, flow or class), 40 bytes.
export const WAN_ENTRY_BYTES = 40;
/** f64: how long the key was held here. */
export const WAN_ENTRY_HELD = 32;
