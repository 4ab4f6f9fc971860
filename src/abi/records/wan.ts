/** A WAN with tunnels; only in plans with one. Counts that can pass 2^32 are f64. */
import { array, defineRecord, f64, free, i64, u32, u8 } from './define-record.js';

/** What ARNs distinguish. */
export const WAN_LEVEL_SERVICE = 0;
export const WAN_LEVEL_FLOW = 1;
export const WAN_LEVEL_PRIORITY = 2;

/** How a port controls its peer: by pause frames, not at all, by ARNs. */
export const WAN_CONTROL_PFC = 0;
export const WAN_CONTROL_NONE = 1;
export const WAN_CONTROL_ARN = 2;

/** ECN field of CNPs and Fast CNPs: cnpDefaults. */
export const WAN_CNP_ECN = 1;

/** The network as a whole. */
export const WAN_NETWORK = /* @__PURE__ */ defineRecord('WanNetwork', 64, {
  /** ECN field of data as senders write it. */
  dataEcn: u32,
  /** 1: nodes of the WAN mark also what is not ECN-capable. */
  marksAll: u32,
  /** Bytes that END.CON puts before a Fast CNP. */
  wrapperBytes: u32,
  /** Length of an ARN frame. */
  arnBytes: u32,
  /** WAN_LEVEL_*. */
  level: u32,
  /** 1: resuming ARNs are sent. */
  resumes: u32,
  /** How long an ARN pauses. */
  pauseTimePs: f64,
  /** Time after which an ARN is repeated. */
  refreshPs: f64,
  free40: free(24),
});

/** A node. */
export const WAN_NODE = /* @__PURE__ */ defineRecord('WanNode', 256, {
  /** 0 and 1: the data centre that it belongs to; 2: the WAN. */
  domain: u32,
  /** Of a provider edge its data centre and 1; 0: it is none. */
  edgeOf: u32,
  /** 1: the outer ECN field is Not-ECT. */
  compatibility: u32,
  /** Of a border the index of its access lists and 1; 0: it is none. */
  lists: u32,
  /** Packets that entered tunnels here. */
  encapsulated: f64,
  /** Packets that left tunnels here. */
  decapsulated: f64,
  /** Fast CNPs that were wrapped towards an END.CON SID. */
  wrapped: f64,
  /** Fast CNPs that arrived at an END.CON SID here. */
  unwrapped: f64,
  /** Fast CNPs that its access lists denied on their way in. */
  deniedIn: f64,
  /** Fast CNPs that its access lists denied on their way out. */
  deniedOut: f64,
  /** Packets where a tunnel ends, by inner ECN code * 4 + outer ECN code. */
  cells: array(f64, 16),
  free192: free(64),
});

/** A service: a tunnel between provider edges. */
export const WAN_SERVICE = /* @__PURE__ */ defineRecord('WanService', 64, {
  /** Provider edges of both data centres. */
  edges: array(u32, 2),
  /** Bytes of the outer headers. */
  overheadBytes: u32,
  segmentCount: u32,
  /** From dc0 to dc1. */
  segments: array(u32, 8),
  free48: free(16),
});

/** A port. */
export const WAN_PORT = /* @__PURE__ */ defineRecord('WanPort', 96, {
  /** WAN_CONTROL_*. */
  control: u32,
  /** With ARNs: index of its entries. */
  place: u32,
  /** Bytes of a key from which its peer is asked to hold it, and down to which it is released. */
  xoffBytes: u32,
  xonBytes: u32,
  /** ARNs that it sent to begin a pause. */
  sent: f64,
  /** ARNs that it repeated. */
  refreshed: f64,
  /** ARNs that it sent to end a pause. */
  resumes: f64,
  /** ARNs that it received. */
  received: f64,
  /** Pauses of its egress queues that expired. */
  expired: f64,
  /** How long keys were held here, summed over them. */
  heldPs: f64,
  /** Number of keys held here. */
  held: u32,
  /** Number of keys that the peer was asked to hold. */
  asked: u32,
  /** Whether these events are scheduled. */
  expiryScheduled: u32,
  refreshScheduled: u32,
  free80: free(16),
});

/** A key (service, flow or class) at a port with ARNs, in both directions. */
export const ARN_ENTRY = /* @__PURE__ */ defineRecord('ArnEntry', 40, {
  /** Bytes in the buffer that arrived here. */
  bytes: u32,
  /** Whether the peer was asked to hold it. */
  asked: u32,
  /** Time of the next repetition of this request. */
  refreshPs: i64,
  /** Departing packets are held until then; -1, or 0 with `sincePs` -1: not held. */
  untilPs: i64,
  /** Since when it is held; -1: it is not. */
  sincePs: i64,
  /** How long it was held here. */
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
