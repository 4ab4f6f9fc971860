/** Trace of packets sent by captured ports, and of pauses of these ports. */
import { defineRecord, f64, free, u16, u32, u8 } from './define-record.js';

/** SimPort.captured bits: what is traced. */
export const CAPTURE_PACKETS = 1;
export const CAPTURE_PAUSES = 2;

/** Kinds other than those of packets: a class of a port is paused; its pause is extended; a frame ends it. */
export const TRACE_PAUSED = 16;
export const TRACE_PAUSED_AGAIN = 17;
export const TRACE_RESUMED = 18;
/** A pause ends without a frame: it has expired, or the link has failed. */
export const TRACE_PAUSE_LAPSED = 19;

/**
 * Bits of PacketTrace.message: bit 0 always set; first packet of its message; last packet; number of earlier messages
 * of the QP.
 */
export const TRACE_MESSAGE_FIRST_SHIFT = 1;
export const TRACE_MESSAGE_LAST_SHIFT = 2;
export const TRACE_MESSAGES_BEFORE_SHIFT = 3;

/**
 * Bits of PacketTrace.tunnel: bit 0 always set; inner ECN field; outer ECN field; destination is an END.CON SID;
 * segments reached.
 */
export const TUNNEL_INNER_ECN_SHIFT = 1;
export const TUNNEL_OUTER_ECN_SHIFT = 3;
export const TUNNEL_WRAPPED_SHIFT = 5;
export const TUNNEL_VISITED_SHIFT = 6;

/**
 * Bits of PacketTrace.mrc: bit 0 always set; requests a SACK; retransmission; reports a mark; TRIM_* (two bits); SACK
 * of a probe; ALWAYS_SKIP.
 */
export const TRACE_MRC_ACK_REQUEST_SHIFT = 1;
export const TRACE_MRC_AGAIN_SHIFT = 2;
export const TRACE_MRC_ECHO_SHIFT = 3;
export const TRACE_MRC_TRIMMED_SHIFT = 4;
export const TRACE_MRC_PROBE_SHIFT = 6;
export const TRACE_MRC_ALWAYS_SKIP_SHIFT = 7;
/** An endpoint packet leads to the destination of its flow. */
export const TRACE_MRC_FORWARD_SHIFT = 16;
/** 8 bits, NACK_*. */
export const TRACE_MRC_REASON_SHIFT = 8;
/** 8 bits: MrcPacket.range. */
export const TRACE_MRC_RANGE_SHIFT = 17;

/** A packet sent by a port, or a change of a pause. */
export const PACKET_TRACE = /* @__PURE__ */ defineRecord('PacketTrace', 96, {
  timePs: f64,
  /** Sequence number; for pause frames the class. */
  sequence: f64,
  port: u32,
  /** PACKET_* or TRACE_*. */
  kind: u32,
  /** Flow of the packet; SIM_NONE: none. */
  flow: u32,
  lenBytes: u32,
  payloadBytes: u32,
  cls: u8,
  marked: u8,
  /** UDP source port, if hosts change it; 0: the flow's own. */
  sourcePort: u16,
  /** Fast CNP: the switch that sent it. ARN: its contents. */
  origin: u32,
  /** 0: not in a tunnel; else TUNNEL_* bits. */
  tunnel: u32,
  /** 0: its QP has only one message; else TRACE_MESSAGE_* bits. */
  message: u32,
  /** 0: not an MRC packet; else TRACE_MRC_* bits. */
  mrc: u32,
  /** Of packets of MRC, when the data packet left its sender; of SACKs their map, its first packet, the packet that caused them, and received bytes / 256; of endpoint packets the map has ports and `cause` the number; `received` of a trimmed packet: the payload that it had. */
  sentPs: f64,
  mapFirst: f64,
  mapLow: u32,
  mapHigh: u32,
  cause: u32,
  received: u32,
  /** Of SACKs of MRC: MrcPacket.windowDemand. */
  windowDemand: u32,
  free92: free(4),
});
