/** A WAN with tunnels; only in plans with one. Counts that can pass 2^32 are f64. */
import { array, defineRecord, f64, free, i64, u32, u8 } from './define-record.js';

export const WAN_NETWORK = /* @__PURE__ */ defineRecord('WanNetwork', 64, {
  dataEcn: u32,
  marksAll: u32,
  wrapperBytes: u32,
  arnBytes: u32,
  level: u32,
  resumes: u32,
  pauseTimePs: f64,
  refreshPs: f64,
  free40: free(24),
});

export const WAN_NODE = /* @__PURE__ */ defineRecord('WanNode', 256, {
  domain: u32,
  edgeOf: u32,
  compatibility: u32,
  lists: u32,
  encapsulated: f64,
  decapsulated: f64,
  wrapped: f64,
  unwrapped: f64,
  deniedIn: f64,
  deniedOut: f64,
  /** Packets where a tunnel ends, by inner ECN code * 4 + outer ECN code. */
  cells: array(f64, 16),
  free192: free(64),
});

export const WAN_SERVICE = /* @__PURE__ */ defineRecord('WanService', 64, {
  edge0: u32,
  edge1: u32,
  overheadBytes: u32,
  segmentCount: u32,
  /** From dc0 to dc1. */
  segments: array(u32, 8),
  free48: free(16),
});

export const WAN_PORT = /* @__PURE__ */ defineRecord('WanPort', 96, {
  control: u32,
  place: u32,
  xoffBytes: u32,
  xonBytes: u32,
  sent: f64,
  refreshed: f64,
  resumes: f64,
  received: f64,
  expired: f64,
  heldPs: f64,
  /** Number of keys held here, and of keys that the peer was asked to hold. */
  held: u32,
  asked: u32,
  /** Whether an event is scheduled. */
  expiryScheduled: u32,
  refreshScheduled: u32,
  free80: free(16),
});

/** A service, flow or class at a port with ARNs, in both directions. */
export const ARN_ENTRY = /* @__PURE__ */ defineRecord('ArnEntry', 40, {
  /** Bytes in the buffer that arrived here. */
  bytes: u32,
  /** Whether the peer was asked to hold it. */
  asked: u32,
  /** Time of the next repetition of this request. */
  refreshPs: i64,
  /** Departing packets are held until then; -1, or 0 with `heldSincePs` -1: not held. */
  untilPs: i64,
  /** -1: it is not held. */
  sincePs: i64,
  heldPs: f64,
});

/** The additional part of a packet: its outer header. */
export const WAN_PART = /* @__PURE__ */ defineRecord('WanPart', 16, {
  /** Destination node of the outer header; SIM_NONE: there is none. */
  end: u32,
  /** Bytes of the outer headers. */
  overheadBytes: u32,
  innerEcn: u8,
  /** ECN field as written at the ingress; CE once marked. */
  outerEcn: u8,
  /** Number of segments reached. */
  visited: u8,
  /** 1: a Fast CNP on its way to an END.CON SID. */
  wrapped: u8,
  free12: free(4),
});
