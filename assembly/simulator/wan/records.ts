/** The records of a WAN with tunnels, as unmanaged classes over linear memory; offsets are those of src/abi/wan-layout.ts. */
import { WAN_ARN_BYTES, WAN_DATA_ECN, WAN_ENTRY_BYTES, WAN_ENTRY_HELD, WAN_LEVEL, WAN_MARKS_ALL, WAN_NETWORK_BYTES,
  WAN_NODE_BYTES, WAN_NODE_CELLS, WAN_NODE_COMPATIBILITY, WAN_NODE_DENIED_OUT, WAN_NODE_DOMAIN, WAN_NODE_EDGE_OF,
  WAN_NODE_LISTS, WAN_PORT_BYTES, WAN_PORT_CONTROL, WAN_PORT_EXPIRED, WAN_PORT_HELD, WAN_PORT_PLACE, WAN_PORT_SENT,
  WAN_PORT_XOFF, WAN_PORT_XON, WAN_REFRESH, WAN_RESUMES, WAN_SERVICE_BYTES, WAN_SERVICE_OVERHEAD, WAN_SERVICE_SEGMENTS,
  WAN_SERVICE_SEGMENT_COUNT, WAN_WRAPPER_BYTES } from '../../../src/abi/wan-layout';

@unmanaged
export class WanNetwork {
  dataEcn: u32;
  marksAll: u32;
  wrapperBytes: u32;
  arnBytes: u32;
  level: u32;
  resumes: u32;
  pauseTimePs: f64;
  refreshPs: f64;
  free40: f64;
  free48: f64;
  free56: f64;
}

@unmanaged
export class WanNode {
  domain: u32;
  edgeOf: u32;
  compatibility: u32;
  lists: u32;
  encapsulated: f64;
  decapsulated: f64;
  wrapped: f64;
  unwrapped: f64;
  deniedIn: f64;
  deniedOut: f64;
}

@unmanaged
export class WanService {
  edge0: u32;
  edge1: u32;
  overheadBytes: u32;
  segmentCount: u32;
}

@unmanaged
export class WanPort {
  control: u32;
  place: u32;
  xoffBytes: u32;
  xonBytes: u32;
  sent: f64;
  refreshed: f64;
  resumes: f64;
  received: f64;
  expired: f64;
  heldPs: f64;
  /** Number of keys held here, and of keys that the peer was asked to hold. */
  held: u32;
  asked: u32;
  /** Whether an event is scheduled. */
  expiryScheduled: u32;
  refreshScheduled: u32;
  free80: f64;
  free88: f64;
}

/** A service, flow or class at a port with ARNs, in both directions. */
@unmanaged
export class ArnEntry {
  /** Bytes in the buffer that arrived here. */
  bytes: u32;
  /** Whether the peer was asked to hold it. */
  asked: u32;
  /** Time of the next repetition of this request. */
  refreshPs: i64;
  /** Departing packets are held until then; -1, or 0 with `heldSincePs` -1: not held. */
  untilPs: i64;
  /** -1: it is not held. */
  sincePs: i64;
  heldPs: f64;
}

/** The additional part of a packet: its outer header. */
@unmanaged
export class WanPart {
  /** Destination node of the outer header; SIM_NONE: there is none. */
  end: u32;
  /** Bytes of the outer headers. */
  overheadBytes: u32;
  innerEcn: u8;
  /** ECN field as written at the ingress; CE once marked. */
  outerEcn: u8;
  /** Number of segments reached. */
  visited: u8;
  /** 1: a Fast CNP on its way to an END.CON SID. */
  wrapped: u8;
  free12: u32;
}

export const WAN_PART_BYTES: u32 = 16;

/** Compiled only while a layout disagrees: stops the build. */
export function checkWanLayouts(): void {
  checkPorts();
  if (offsetof<WanNetwork>() != WAN_NETWORK_BYTES) ERROR('WanNetwork');
  if (offsetof<WanNetwork>('dataEcn') != WAN_DATA_ECN) ERROR('WanNetwork.dataEcn');
  if (offsetof<WanNetwork>('marksAll') != WAN_MARKS_ALL) ERROR('WanNetwork.marksAll');
  if (offsetof<WanNetwork>('wrapperBytes') != WAN_WRAPPER_BYTES) ERROR('WanNetwork.wrapperBytes');
  if (offsetof<WanNetwork>('arnBytes') != WAN_ARN_BYTES) ERROR('WanNetwork.arnBytes');
  if (offsetof<WanNetwork>('level') != WAN_LEVEL) ERROR('WanNetwork.level');
  if (offsetof<WanNetwork>('resumes') != WAN_RESUMES) ERROR('WanNetwork.resumes');
  if (offsetof<WanNetwork>('refreshPs') != WAN_REFRESH) ERROR('WanNetwork.refreshPs');
  checkNodes();
  if (offsetof<WanPart>() != WAN_PART_BYTES) ERROR('WanPart');
}

function checkNodes(): void {
  if (offsetof<WanNode>('domain') != WAN_NODE_DOMAIN) ERROR('WanNode.domain');
  if (offsetof<WanNode>('edgeOf') != WAN_NODE_EDGE_OF) ERROR('WanNode.edgeOf');
  if (offsetof<WanNode>('compatibility') != WAN_NODE_COMPATIBILITY) ERROR('WanNode.compatibility');
  if (offsetof<WanNode>('lists') != WAN_NODE_LISTS) ERROR('WanNode.lists');
  if (offsetof<WanNode>('deniedOut') != WAN_NODE_DENIED_OUT) ERROR('WanNode.deniedOut');
  if (offsetof<WanNode>() != WAN_NODE_CELLS) ERROR('WanNode');
  if (WAN_NODE_CELLS + 128 > WAN_NODE_BYTES) ERROR('WAN_NODE_BYTES');
  if (offsetof<WanService>('overheadBytes') != WAN_SERVICE_OVERHEAD) ERROR('WanService.overheadBytes');
  if (offsetof<WanService>('segmentCount') != WAN_SERVICE_SEGMENT_COUNT) ERROR('WanService.segmentCount');
  if (offsetof<WanService>() != WAN_SERVICE_SEGMENTS) ERROR('WanService');
  if (WAN_SERVICE_SEGMENTS + 32 > WAN_SERVICE_BYTES) ERROR('WAN_SERVICE_BYTES');
}

function checkPorts(): void {
  if (offsetof<WanPort>('control') != WAN_PORT_CONTROL) ERROR('WanPort.control');
  if (offsetof<WanPort>('place') != WAN_PORT_PLACE) ERROR('WanPort.place');
  if (offsetof<WanPort>('xoffBytes') != WAN_PORT_XOFF) ERROR('WanPort.xoffBytes');
  if (offsetof<WanPort>('xonBytes') != WAN_PORT_XON) ERROR('WanPort.xonBytes');
  if (offsetof<WanPort>('sent') != WAN_PORT_SENT) ERROR('WanPort.sent');
  if (offsetof<WanPort>('expired') != WAN_PORT_EXPIRED) ERROR('WanPort.expired');
  if (offsetof<WanPort>('heldPs') != WAN_PORT_HELD) ERROR('WanPort.heldPs');
  if (offsetof<WanPort>() != WAN_PORT_BYTES) ERROR('WanPort');
  if (offsetof<ArnEntry>() != WAN_ENTRY_BYTES) ERROR('ArnEntry');
  if (offsetof<ArnEntry>('heldPs') != WAN_ENTRY_HELD) ERROR('ArnEntry.heldPs');
}
