/** Packets that left captured ports, and what paused ports. */
import { defineRecord, f64, u16, u32, u8 } from './define-record.js';

/** SimPort.captured: what is traced of a port, by bit. */
export const CAPTURE_PACKETS = 1;
export const CAPTURE_PAUSES = 2;

/** Instead of the kind of a packet: a class of a port is paused, its pause is extended, a frame ends it. */
export const TRACE_PAUSED = 16;
export const TRACE_PAUSED_AGAIN = 17;
export const TRACE_RESUMED = 18;
/** It ends without a frame: the pause has expired, or the link has failed. */
export const TRACE_PAUSE_LAPSED = 19;

/** Bits of PacketTrace.message: bit 0 set, first packet of its message, last one, and messages of the QP before it. */
export const TRACE_MESSAGE_FIRST_SHIFT = 1;
export const TRACE_MESSAGE_LAST_SHIFT = 2;
export const TRACE_MESSAGES_BEFORE_SHIFT = 3;

/** Bits of PacketTrace.tunnel: bit 0 set, inner and outer ECN field, an END.CON SID leads it, segments that it has reached. */
export const TUNNEL_INNER_ECN_SHIFT = 1;
export const TUNNEL_OUTER_ECN_SHIFT = 3;
export const TUNNEL_WRAPPED_SHIFT = 5;
export const TUNNEL_VISITED_SHIFT = 6;

/** Bits of PacketTrace.mrc: bit 0 set, it asks for a SACK, is a retransmission, reports a mark; TRIM_* in two bits; it is a SACK of a probe; it says ALWAYS_SKIP. */
export const TRACE_MRC_ASKS_SHIFT = 1;
export const TRACE_MRC_AGAIN_SHIFT = 2;
export const TRACE_MRC_ECHO_SHIFT = 3;
export const TRACE_MRC_TRIMMED_SHIFT = 4;
export const TRACE_MRC_PROBE_SHIFT = 6;
export const TRACE_MRC_ALWAYS_SKIP_SHIFT = 7;
/** 8 bits, NACK_*. */
export const TRACE_MRC_REASON_SHIFT = 8;

/** A packet that leaves a port, or a change of a pause. */
export const PACKET_TRACE = /* @__PURE__ */ defineRecord('PacketTrace', 88, {
  timePs: f64,
  /** Sequence number; of pause frames the class. */
  sequence: f64,
  port: u32,
  /** PACKET_*, or TRACE_PAUSED and the others. */
  kind: u32,
  /** SIM_NONE: none. */
  flow: u32,
  lenBytes: u32,
  payloadBytes: u32,
  cls: u8,
  marked: u8,
  /** UDP source port, where hosts change it; 0: the flow's own. */
  sourcePort: u16,
  /** Of Fast CNPs, the switch that made it; of ARNs what they hold. */
  origin: u32,
  /** 0: it is in no tunnel; else TUNNEL_* bits. */
  tunnel: u32,
  /** 0: its QP has one message; else TRACE_MESSAGE_* bits. */
  message: u32,
  /** 0: it is none of MRC; else TRACE_MRC_* bits. */
  mrc: u32,
  /** Of packets of MRC, when the data packet left its sender; of SACKs their map, its first packet, the packet that caused them, and received bytes / 256; `received` of a trimmed packet: the payload that it had. */
  sentPs: f64,
  mapFirst: f64,
  mapLow: u32,
  mapHigh: u32,
  cause: u32,
  received: u32,
});
