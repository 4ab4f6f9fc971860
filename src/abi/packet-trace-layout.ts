/**
 * Records of packets that left captured ports, and of what paused ports, shared by host and sim.wasm: byte offsets and codes.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only.
 */

// ---- PORT_CAPTURED: what is traced of a port, by bit.
export const CAPTURE_PACKETS = 1;
export const CAPTURE_PAUSES = 2;

// ---- What a trace record is instead of a packet, in the place of its kind: what pauses a port in a class, renews that, and ends it.
export const TRACE_PAUSED = 16;
export const TRACE_PAUSED_AGAIN = 17;
export const TRACE_RESUMED = 18;
/** Without a frame: the pause has expired, or the link has failed. */
export const TRACE_PAUSE_LAPSED = 19;

// ---- Trace record, 56 bytes: time f64 | sequence f64 | port, kind, flow, length, payload u32 | class u8, marked u8, source port u16 | origin u32 | tunnel u32 | message u32.
export const TRACE_BYTES = 56;
export const TRACE_TIME = 0;
export const TRACE_SEQUENCE = 8;
export const TRACE_PORT = 16;
export const TRACE_KIND = 20;
export const TRACE_FLOW = 24;
export const TRACE_LENGTH = 28;
export const TRACE_PAYLOAD = 32;
export const TRACE_CLASS = 36;
export const TRACE_MARKED = 37;
/** u16: UDP source port, where hosts change it; 0: the flow's own. */
export const TRACE_SOURCE_PORT = 38;
/** u32: of Fast CNPs, the switch that made it; of ARNs what they hold. */
export const TRACE_ORIGIN = 40;
/** u32: 0: it is in no tunnel; else by bit: 0 set, 1 inner and 3 outer ECN field, 5 an END.CON SID leads it, 6 segments that it has come to. */
export const TRACE_TUNNEL = 44;
/**
 * u32: 0: its QP has one message; else by bit: 0 set, 1 it is the first packet of its message, 2 the last, and from 3 on the messages of the QP
 * before its sequence number.
 */
export const TRACE_MESSAGE = 48;
export const TRACE_MESSAGE_FIRST_SHIFT = 1;
export const TRACE_MESSAGE_LAST_SHIFT = 2;
export const TRACE_MESSAGES_BEFORE_SHIFT = 3;
export const TUNNEL_INNER_ECN_SHIFT = 1;
export const TUNNEL_OUTER_ECN_SHIFT = 3;
export const TUNNEL_WRAPPED_SHIFT = 5;
export const TUNNEL_VISITED_SHIFT = 6;
