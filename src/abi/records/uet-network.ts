/** The network of a run of uet.wasm: switches, links with their queues, hosts. */
import { defineRecord, f64, free, part, u32, u64, wideU8 } from './define-record.js';
import { UET_EVENT } from './uet-run.js';

/** Tiers of switches. */
export const UET_TIER_LEAF = 0;
export const UET_TIER_AGGREGATION = 1;
export const UET_TIER_CORE = 2;

/** Which class of packets a queue is serving. */
export const UET_SERVING_NONE = 0;
export const UET_SERVING_LOW = 1;
export const UET_SERVING_HIGH = 2;

/** A FIFO list of addresses, in memory that doubles when full. */
export const UET_RING = /* @__PURE__ */ defineRecord('UetRing', 16, {
  at: u32,
  head: u32,
  length: u32,
  /** Number of slots, a power of two; 0: no memory allocated yet. */
  capacity: u32,
});

/** An output queue of a switch, and its link. */
export const UET_LINK = /* @__PURE__ */ defineRecord('UetLink', 192, {
  served: part(UET_EVENT),
  arrived: part(UET_EVENT),
  psPerByte: f64,
  /** Limit of the data queue; the header queue may hold twice as much. */
  limitBytes: f64,
  lowBytes: f64,
  highBytes: f64,
  /** First and last packet of each list; 0: empty. */
  lowHead: u32,
  lowTail: u32,
  highHead: u32,
  highTail: u32,
  pipeHead: u32,
  pipeTail: u32,
  /** Which class the queue is serving, UET_SERVING_*. */
  serving: u32,
  /** Address of the switch that it leads to; 0: it leads to a host. */
  next: u32,
  delayPs: f64,
  /** Marking threshold; Infinity: no marking. */
  markLowBytes: f64,
  markHighBytes: f64,
  levelPs: f64,
  level: u32,
  /** Headers served while data was waiting. */
  highPackets: u32,
  free168: free(24),
});

/** A switch: its delay line and its next hops. */
export const UET_SWITCH = /* @__PURE__ */ defineRecord('UetSwitch', 128, {
  left: part(UET_EVENT),
  delayPs: f64,
  pipeHead: u32,
  pipeTail: u32,
  /** Tier of the switch, UET_TIER_*. */
  tier: u32,
  salt: u32,
  /** First host below it, their number, and how many of them share a list of downlinks. */
  firstHost: u32,
  hostsBelow: u32,
  hostsPerList: u32,
  /** Links per list; address of the first list. Lists are contiguous. */
  downWidth: u32,
  downAt: u32,
  upWidth: u32,
  upAt: u32,
  /** Whether a leaf's uplink list has been shuffled. */
  isShuffled: u32,
  /** Aggregation switch: by host, address of its uplink list; 0: not created yet. */
  upByHostAt: u32,
  /** Round-robin: the next position. */
  roundPlace: u32,
  /** Sticky selection: UetFlowlet by rank of the flow's id; 0: not created yet. */
  flowletsAt: u32,
  free100: free(28),
});

/** A switch's record of a flow. */
export const UET_FLOWLET = /* @__PURE__ */ defineRecord('UetFlowlet', 16, {
  lastPs: f64,
  /** Selected link; 0: the flow is new. */
  output: u32,
  free12: free(4),
});

/** A class of a host's output queue: a list per flow, ordered by flow id. */
export const UET_FLOW_ROUND = /* @__PURE__ */ defineRecord('UetFlowRound', 24, {
  /** UetFlowList records; how many are used; how many have memory. */
  listsAt: u32,
  lists: u32,
  capacity: u32,
  /** Where the next search begins: 0 to the number of lists. */
  place: u32,
  packets: u32,
  free20: free(4),
});

/** Packets of a flow in one class. */
export const UET_FLOW_LIST = /* @__PURE__ */ defineRecord('UetFlowList', 16, {
  rank: u32,
  head: u32,
  tail: u32,
  free12: free(4),
});

/** A host: output queue and link, NIC, pull pacer, congestion control for oversubscribed networks. */
export const UET_HOST = /* @__PURE__ */ defineRecord('UetHost', 448, {
  served: part(UET_EVENT),
  arrived: part(UET_EVENT),
  nicSent: part(UET_EVENT),
  pull: part(UET_EVENT),
  interval: part(UET_EVENT),
  psPerByte: f64,
  delayPs: f64,
  /** Address of its leaf switch. */
  leaf: u32,
  /** Address of the packet being sent; 0: none. */
  sending: u32,
  pipeHead: u32,
  pipeTail: u32,
  isNicBusy: u32,
  /** Round-robin between control packets and senders. */
  turn: u32,
  controlHead: u32,
  controlTail: u32,
  /** Flows that wait for the NIC. */
  waiting: part(UET_RING),
  high: part(UET_FLOW_ROUND),
  middle: part(UET_FLOW_ROUND),
  low: part(UET_FLOW_ROUND),
  /** RCCC: flows whose senders requested more credit; other flows that received a pull. */
  active: part(UET_RING),
  idle: part(UET_RING),
  quantumPs: f64,
  isPulling: u32,
  free340: free(4),
  /** Packets that arrived in the current interval of the control for oversubscribed networks. */
  packets: f64,
  marked: f64,
  trimmedLastHop: f64,
  trimmedElsewhere: f64,
  rate: f64,
  marks: f64,
  /** 2 to the power of the number of consecutive increases. */
  power: f64,
  free400: free(48),
});

/** Kinds of packets. */
export const UET_PACKET_DATA = 0;
export const UET_PACKET_ACK = 1;
export const UET_PACKET_NACK = 2;
export const UET_PACKET_PULL = 3;
export const UET_PACKET_RTS = 4;
export const UET_PACKET_PROBE = 5;

/** A packet. */
export const UET_PACKET = /* @__PURE__ */ defineRecord('UetPacket', 96, {
  /** Addresses of its neighbours in a list; 0: none. */
  next: u32,
  previous: u32,
  /** In a pipe: when it leaves. */
  duePs: f64,
  /** In a switch: address of its output link. */
  output: u32,
  /** Destination host. */
  destination: u32,
  /** The flow's id, as hash input and as rank among all ids. */
  flowWord: u32,
  flowRank: u32,
  /** Entropy value of the packet. */
  ev: u32,
  sizeBytes: u32,
  /** Address of its flow. */
  flow: u32,
  seq: u32,
  /** Kind of packet, UET_PACKET_*. */
  kind: wideU8,
  isHeaderOnly: wideU8,
  /** Class at a host: 0 high, 1 middle, 2 low. */
  hostClass: wideU8,
  isMarked: wideU8,
  /** Trimmed packet: whether the queue that trimmed it leads to the host. */
  isTrimmedAtLastHop: wideU8,
  isRetransmission: wideU8,
  wantsAck: wideU8,
  /** Whether it is the ACK of a probe. */
  isProbe: wideU8,
  /** Whether it is the ACK of an RTS; not reset when the memory of an ACK is reused. */
  isForRts: wideU8,
  free57: free(3),
  /** ACK: number of packets received above the lowest missing one. */
  outOfOrder: u32,
  /** Data and RTS: the requested pull number; pull: the granted one; ACK: bytes received. */
  number: f64,
  /** ACK: the lowest missing number; the first number of the map; the map. */
  cumulative: u32,
  mapBase: u32,
  map: u64,
  free88: free(8),
});
