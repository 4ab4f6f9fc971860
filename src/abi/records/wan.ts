/** A WAN with tunnels; only in plans with one. Counters that can exceed 2^32 are f64. */
import { array, defineRecord, f64, free, i64, u32, u8 } from './define-record.js';

/** Granularity of ARNs. */
export const WAN_LEVEL_SERVICE = 0;
export const WAN_LEVEL_FLOW = 1;
export const WAN_LEVEL_PRIORITY = 2;

/** How a port controls its peer: pause frames, not at all, ARNs. */
export const WAN_CONTROL_PFC = 0;
export const WAN_CONTROL_NONE = 1;
export const WAN_CONTROL_ARN = 2;

/** ECN field of CNPs and Fast CNPs: cnpDefaults. */
export const WAN_CNP_ECN = 1;

/** WAN settings of the whole network. */
export const WAN_NETWORK = /* @__PURE__ */ defineRecord('WanNetwork', 64, {
  /** ECN field of data packets as senders set it. */
  dataEcn: u32,
  /** 1: nodes of the WAN also mark packets that are not ECN-capable. */
  marksAll: u32,
  /** Bytes of the outer headers that carry a Fast CNP to END.CON. */
  wrapperBytes: u32,
  /** Length of an ARN frame. */
  arnBytes: u32,
  /** Granularity of ARNs, WAN_LEVEL_*. */
  level: u32,
  /** 1: resuming ARNs are sent. */
  resumes: u32,
  /** Pause time of an ARN. */
  pauseTimePs: f64,
  /** Interval at which an ARN is repeated. */
  refreshPs: f64,
  free40: free(24),
});

/** State of a node in a network with a WAN. */
export const WAN_NODE = /* @__PURE__ */ defineRecord('WanNode', 256, {
  /** 0 or 1: the data centre that it belongs to; 2: the WAN. */
  domain: u32,
  /** Provider edge: 1 + its data centre; 0: not a provider edge. */
  edgeOf: u32,
  /** 1: tunnels use compatibility mode, in which the outer ECN field is Not-ECT. */
  compatibility: u32,
  /** Border: 1 + the index of its access lists; 0: not a border. */
  lists: u32,
  /** Packets that entered tunnels here. */
  encapsulated: f64,
  /** Packets that left tunnels here. */
  decapsulated: f64,
  /** Fast CNPs encapsulated towards an END.CON SID. */
  wrapped: f64,
  /** Fast CNPs that arrived at an END.CON SID here. */
  unwrapped: f64,
  /** Inbound Fast CNPs denied by its access lists. */
  deniedIn: f64,
  /** Outbound Fast CNPs denied by its access lists. */
  deniedOut: f64,
  /** Packets at the end of a tunnel, by inner ECN code * 4 + outer ECN code. */
  cells: array(f64, 16),
  free192: free(64),
});

/** A service: a tunnel between provider edges. */
export const WAN_SERVICE = /* @__PURE__ */ defineRecord('WanService', 64, {
  /** Provider edges of the two data centres. */
  edges: array(u32, 2),
  /** Bytes of the outer headers. */
  overheadBytes: u32,
  segmentCount: u32,
  /** Segments from dc0 to dc1. */
  segments: array(u32, 8),
  free48: free(16),
});

/** State of a port in a network with a WAN. */
export const WAN_PORT = /* @__PURE__ */ defineRecord('WanPort', 96, {
  /** How the port controls its peer, WAN_CONTROL_*. */
  control: u32,
  /** With ARNs: index of its entries. */
  place: u32,
  /** Bytes of a key at which the peer is asked to pause it, and at which it is resumed. */
  xoffBytes: u32,
  xonBytes: u32,
  /** ARNs sent to begin a pause. */
  sent: f64,
  /** ARNs sent to repeat a pause. */
  refreshed: f64,
  /** ARNs sent to end a pause. */
  resumes: f64,
  /** ARNs received. */
  received: f64,
  /** Expired pauses of its egress queues. */
  expired: f64,
  /** How long keys were paused here, summed over keys. */
  heldPs: f64,
  /** Number of keys paused here. */
  held: u32,
  /** Number of keys that the peer was asked to pause. */
  asked: u32,
  /** Whether the events for expiry and repetition are scheduled. */
  expiryScheduled: u32,
  refreshScheduled: u32,
  free80: free(16),
});

/** A key (service, flow or class) at a port with ARNs, for both directions. */
export const ARN_ENTRY = /* @__PURE__ */ defineRecord('ArnEntry', 40, {
  /** Buffered bytes that arrived here. */
  bytes: u32,
  /** Whether the peer was asked to pause it. */
  asked: u32,
  /** Time at which this request is repeated. */
  refreshPs: i64,
  /** Packets to be sent are held until then; -1, or 0 with `sincePs` -1: not held. */
  untilPs: i64,
  /** Since when it is held; -1: not held. */
  sincePs: i64,
  /** How long it was held here. */
  heldPs: f64,
});

/** Fields added to a packet for its outer header. */
export const WAN_PART = /* @__PURE__ */ defineRecord('WanPart', 16, {
  /** Destination node of the outer header; SIM_NONE: no outer header. */
  end: u32,
  /** Bytes of the outer headers. */
  overheadBytes: u32,
  innerEcn: u8,
  /** Outer ECN field as set at the ingress; CE once marked. */
  outerEcn: u8,
  /** Number of segments reached. */
  visited: u8,
  /** 1: a Fast CNP on its way to an END.CON SID. */
  wrapped: u8,
  free12: free(4),
});
