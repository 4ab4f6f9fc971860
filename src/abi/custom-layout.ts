/**
 * Custom algorithms and custom congestion points of switches, written by users: the linear memory that their handlers
 * see, shared by host, kernel and user modules. Byte offsets, little-endian.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

// ---- Algorithms: the record of a QP. Handlers get the address of the rate; a guard precedes it.
/** f64 [bit/s]: 0 < rate <= line rate. */
export const CUSTOM_RATE = 0;
/** f64; 0 = no window. */
export const CUSTOM_WINDOW = 8;
/** f64 [ps]: earliest time of the next packet. */
export const CUSTOM_NEXT_SEND = 16;
/** f64 [ps] each; Infinity = not running. */
export const CUSTOM_TIMERS = 24;
export const CUSTOM_TIMER_COUNT = 4;
/** f64 [bit/s]; read-only, like the following fields up to the flags. */
export const CUSTOM_LINE_RATE = 56;
/** f64 [ps]: time of the previous event. */
export const CUSTOM_LAST_EVENT = 64;
/** u32 [bytes]: length of the last packet sent. */
export const CUSTOM_LAST_LENGTH = 72;
/** u32; bits CUSTOM_PACED and CUSTOM_RATE_SET. */
export const CUSTOM_FLAGS = 76;
/** u32; 1 + index into the algorithm's reasons, 0 = none. */
export const CUSTOM_REASON = 80;
/** u32; 1 = PSNs of 24 bits, 0 = sequence numbers of 32 bits. Read-only. */
export const CUSTOM_SEQUENCE = 84;
/** f64 [ps] each: when each timer was set. Used only by the kernel. */
export const CUSTOM_TIMERS_SET = 88;
/** f64 [ps]; when a timer handler is called: timers up to this time expire now. Read-only. */
export const CUSTOM_UNTIL = 128;
/** f64 each, as declared by the algorithm. */
export const CUSTOM_STATE = 136;
export const CUSTOM_STATE_BYTES_MAX = 1024;
/** Bytes of the guard before the record, and of the one after its state. */
export const CUSTOM_GUARD_BYTES = 16;
/** The first half of a guard, u32; the second is its complement. */
export const CUSTOM_GUARD = 0x5afe_c0de;

/** Packets are paced at the QP's rate; else they leave immediately. */
export const CUSTOM_PACED = 1;
/**
 * The handler has set the rate, even to the same value; the kernel clears the bit before each call. A changed rate
 * counts as set.
 */
export const CUSTOM_RATE_SET = 2;

// ---- The parameter set, after its common head: indices of the handlers in the function table, u16 each, 0 = none.
export const CUSTOM_HANDLERS = 24;
export const HANDLER_OPEN = 0;
export const HANDLER_SENT = 1;
export const HANDLER_ACK = 2;
export const HANDLER_CNP = 3;
export const HANDLER_FAST_CNP = 4;
export const HANDLER_LOSS = 5;
export const HANDLER_TIMER = 6;
export const HANDLER_NACK = 7;
export const HANDLER_COUNT = 8;
/** u8: how a new rate affects the gap, CUSTOM_GAP_*. */
export const CUSTOM_PACING = 40;
/** u8; unit of the send gap: 0 = picoseconds, 1 = whole nanoseconds as in the ns-3 reference simulator. */
export const CUSTOM_SEND_GAP = 41;
/** u8 [ps]; timers due at least this long before a packet event precede it. */
export const CUSTOM_TIE_GAP = 42;
/** u8; 1 = PSNs of 24 bits, 0 = sequence numbers of 32 bits. */
export const CUSTOM_SEQUENCE_MODE = 43;
/** u16; bytes of state. */
export const CUSTOM_STATE_BYTES = 44;
/** The algorithm's own parameters, f64 each, as passed to handlers. */
export const CUSTOM_PARAMETERS = 48;
export const CUSTOM_PARAMETER_COUNT_MAX = 34;

/** A new rate applies from the next gap on. */
export const CUSTOM_GAP_NEXT_PACKET = 0;
/** A new rate stretches or shortens the running gap. */
export const CUSTOM_GAP_RUNNING = 1;
/** The handler for sent packets sets the time of the next one. */
export const CUSTOM_GAP_OWN = 2;

// ---- What a handler returns.
export const HANDLED_USED = 0;
export const HANDLED_NOT_USED = 1;
export const HANDLED_NO_SIGNAL = 2;

// ---- The current call; the host names it if it ends in a trap.
export const CUSTOM_CALL_ADDRESS = 10240;
/** u32 HANDLER_*; HANDLER_COUNT = none. */
export const CALL_HANDLER = 0;
/** u32: the QP. */
export const CALL_QP = 4;
/** u32 FAULT_*; 0 = the handler itself trapped. */
export const CALL_FAULT = 8;
/** f64 [ps]: time of the event. */
export const CALL_TIME = 16;
/** f64: the invalid value. */
export const CALL_VALUE = 24;

export const FAULT_RATE = 1;
export const FAULT_WINDOW = 2;
export const FAULT_NEXT_SEND = 3;
export const FAULT_TIMER = 4;
/** Timers expire endlessly. */
export const FAULT_TIMER_BUDGET = 5;
/** A guard was overwritten. */
export const FAULT_GUARD = 6;
/** A handler returned a value other than HANDLED_*. */
export const FAULT_RESULT = 7;
/** A read-only field was written. */
export const FAULT_READ_ONLY = 8;

/** Maximum number of timer expiries before one event. */
export const CUSTOM_TIMER_BUDGET = 1_048_576;

// ---- Static data of modules: their first region of memory, allocated only if there are modules.
export const MODULE_REGION = 16384;
/** Bytes of one module. */
export const MODULE_REGION_BYTES = 65536;

// ---- Congestion points: node flags (SimNode.congestion), bits.
/** A switch sends Fast CNPs by the built-in rule; a host accepts them. */
export const CONGESTION_FAST_CNP = 1;
/** The switch has a custom congestion point. */
export const CONGESTION_CUSTOM = 2;
/** Some switch of the network has a custom congestion point; set at all switches. */
export const CONGESTION_NEAR_CUSTOM = 4;

// ---- The region of congestion points: header, call record with a guard before and after it, an entry per node, then parameters and states.
/**
 * u32 flags: whether some congestion point has a handler for packets that join a queue, and for packets that leave one.
 */
export const POINTS_SEE_ARRIVALS = 0;
export const POINTS_SEE_DEPARTURES = 4;
/** u32 HANDLER_* of the current call; POINT_HANDLER_NONE = none. */
export const POINT_CALL_HANDLER = 8;
/** u32 POINT_FAULT_*; 0 = the handler itself trapped. */
export const POINT_CALL_FAULT = 12;
/** f64 [ps]: time of the call. */
export const POINT_CALL_TIME = 16;
/** f64: the invalid value. */
export const POINT_CALL_VALUE = 24;
export const POINT_GUARD_BYTES = 16;
/** The record that handlers get, after a guard. */
export const POINT_RECORD_AT = 48;
/** Entries of the nodes begin here, after the longest record and its guard. */
export const POINT_NODES_AT = 3264;

// ---- The call record, read-only except for the states.
/** f64 [bytes] in the queue of the packet's class: including a packet that joins, without one that leaves. */
export const POINT_QUEUE_BYTES = 0;
/** f64 [bytes] in all queues of the port. */
export const POINT_TOTAL_QUEUE_BYTES = 8;
/** f64 [bit/s]: rate of the port. */
export const POINT_LINE_RATE = 16;
/** f64 [bytes] Kmin and Kmax, f64 pmax: thresholds of the port from the scenario. */
export const POINT_KMIN = 24;
export const POINT_KMAX = 32;
export const POINT_PMAX = 40;
/** f64, 0 <= r < 1: the next random number of the generator that the switch's built-in rule would use. */
export const POINT_RANDOM = 48;
/** u32 each: node, index of the port within it, traffic class. */
export const POINT_NODE = 56;
export const POINT_PORT = 60;
export const POINT_CLASS = 64;
/** u32 each, about the packet: flow, length in bytes, POINT_PACKET_* bits. */
export const POINT_FLOW = 68;
export const POINT_LENGTH = 72;
export const POINT_PACKET = 76;
/**
 * f64 each: the states of the queue (port and class), of the port, and of the flow at this switch, one after the other.
 */
export const POINT_STATE = 80;

/** Bits: it is a data packet; the switch can mark it; it is marked; its sender accepts Fast CNPs. */
export const POINT_PACKET_DATA = 1;
export const POINT_PACKET_MARKABLE = 2;
export const POINT_PACKET_MARKED = 4;
export const POINT_PACKET_ACCEPTS_FAST_CNPS = 8;

// ---- Result of a handler: bits, plus the number of Fast CNPs times POINT_SEND_FAST_CNP.
export const POINT_NOTHING = 0;
/** Mark the packet, if it can be marked. */
export const POINT_MARK = 1;
/** The number at POINT_RANDOM was used, so another one must be drawn. */
export const POINT_DREW = 2;
/** Send a Fast CNP to the packet's sender. */
export const POINT_SEND_FAST_CNP = 4;
export const POINT_FAST_CNP_SHIFT = 2;
export const POINT_FAST_CNPS_MAX = 16;

// ---- An entry per node, 32 bytes: u32 each.
export const POINT_NODE_BYTES = 32;
/** Indices of the handlers in the function table; 0 = none. */
export const POINT_NODE_ENQUEUE = 0;
export const POINT_NODE_DEQUEUE = 4;
/** Addresses of the parameters, and of the states of the queues (port by port, class by class), ports, and flows. */
export const POINT_NODE_PARAMETERS = 8;
export const POINT_NODE_QUEUES = 12;
export const POINT_NODE_PORTS = 16;
export const POINT_NODE_FLOWS = 20;
/** u16 each: bytes of the state of one queue, port, and flow. */
export const POINT_NODE_QUEUE_BYTES = 24;
export const POINT_NODE_PORT_BYTES = 26;
export const POINT_NODE_FLOW_BYTES = 28;

export const POINT_HANDLER_NONE = 0;
export const POINT_HANDLER_ENQUEUE = 1;
export const POINT_HANDLER_DEQUEUE = 2;

/** A handler returned something other than POINT_* bits and a number of Fast CNPs. */
export const POINT_FAULT_RESULT = 1;
/** Memory outside the record was overwritten. */
export const POINT_FAULT_GUARD = 2;
/** A Fast CNP for a packet other than data, or under a fidelity without Fast CNPs. */
export const POINT_FAULT_FAST_CNP = 3;

/** The first half of a guard, u32; the second is its complement. */
export const POINT_GUARD = 0x5afe_c0de;
