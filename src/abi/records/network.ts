/**
 * Nodes, ports, flows and packets of the simulated network, its routes, and pools of memory.
 *
 * Routes are u32 each. A group is given by the index of its first word in the region of groups.
 *
 *   column   by node: start of its column, in words from the first entry; SIM_NONE: unreachable
 *   direct   by node: the group of the link from its switch; SIM_NONE: none
 *   entries  by column, then by switch (SimNode.routeRow): a group; SIM_NONE: no path; SIM_DIRECT: the group in
 *            `direct`
 */
import { array, defineRecord, f64, free, i64, u16, u32, u64, u8, wideU8 } from './define-record.js';

/** SimPort.ecn: the port marks with ECN; ECN_TUNNELS: it marks in a network with tunnels. */
export const ECN_PLAIN = 1;
export const ECN_TUNNELS = 2;

/**
 * SimFlow.timeoutState: the retransmission timeout is not in the event queue; it is in the queue; the host has none.
 */
export const TIMEOUT_IDLE = 0;
export const TIMEOUT_SET = 1;
export const TIMEOUT_OFF = 2;

export const WINDOW_MODE_NONE = 0;
export const WINDOW_MODE_FIXED = 1;
export const WINDOW_MODE_VARIABLE = 2;

/** Entry of the routes: the destination is a host of this switch. */
export const SIM_DIRECT = 0xfffffffe;
/** Words of the routes per node before the entries. */
export const ROUTE_WORDS_PER_NODE = 2;

/** A host or a switch. */
export const SIM_NODE = /* @__PURE__ */ defineRecord('SimNode', 64, {
  isSwitch: u16,
  /** 1: it is an adapter of a host with ports in several planes. */
  isAdapter: u8,
  /** Host: why it discards packets of MRC, NACK_* (records/transports.ts); 0: it does not. */
  discards: u8,
  firstPort: u32,
  portCount: u32,
  /** Packet memory, excluding the pool of lossy classes. */
  bufferBytes: u32,
  /** 1: it sends PFC pauses to its neighbours. */
  pfc: u32,
  /** CONGESTION_* bits. */
  congestion: u32,
  hashSeed: u32,
  address: u32,
  /** Switch: its index in each column of the routes. */
  routeRow: u32,
  /** Address of its congestion-point record, written by `simStart`. */
  congestionPoint: u32,
  /** Shared buffer in use. */
  sharedUsed: u32,
  /** Maximum shared buffer: the whole buffer less headrooms and reserves. */
  sharable: u32,
  /** First and last CNP waiting for the notification point's delay. */
  delayedHead: u32,
  delayedTail: u32,
  /** Delay of CNPs at a host's notification point. */
  cnpDelayPs: f64,
});

/** A class of a port: its queue, and what arrived by the port. Eight per port, after the port's record. */
export const SIM_CLASS = /* @__PURE__ */ defineRecord('SimClass', 32, {
  /** First and last packet of the queue. */
  head: u32,
  tail: u32,
  /** Bytes in the queue. */
  bytes: u32,
  /** Buffered bytes that arrived by this port, in reserve and shared part. */
  ingress: u32,
  /** Buffered bytes that arrived by this port, in the headroom. */
  headroom: u32,
  /** Bytes of this queue in the pool of lossy classes. */
  pooled: u32,
  /** Since when its peer has paused it, or since the pause was last accounted. */
  pausedSincePs: i64,
});

/**
 * A port. Sending a packet touches the first two cache lines and the line of its class; in a network of a thousand
 * ports these cache misses dominate the cost of a hop. Receiving a packet touches only the first line.
 */
export const SIM_PORT = /* @__PURE__ */ defineRecord('SimPort', 576, {
  node: u32,
  /** Index of the port at the other end of the link. */
  peer: u32,
  /** Packets in flight to the peer, in order of arrival. */
  pipeHead: u32,
  pipeTail: u32,
  isHost: u8,
  up: u8,
  /** How the end of the transmission is handled: assembly/simulator/transmission.ts. */
  end: u8,
  /** Whether it loses or corrupts packets. */
  faulty: u8,
  /** Bit per class: its peer has paused it. */
  paused: wideU8,
  /** Bit per class: packets are waiting. */
  waiting: wideU8,
  /** Bit per class: this port has asked its peer to pause. */
  pausing: wideU8,
  /** Dynamic threshold: alpha = 2^-shift. */
  thresholdShift: u8,
  headroomBytes: u32,
  /** Maximum shared memory in use by a class that arrived here. */
  maxShared: u32,
  /** Minimum pause threshold when a class used shared memory. */
  minThreshold: u32,
  /** Table of serialisation times by length; 0 = none. */
  txTable: u32,
  /** When the current or last transmission ends. */
  freeAtPs: i64,
  /** Order of the end of transmission among simultaneous events. */
  freeOrder: i64,
  /** `delayPs` as an integer. */
  delay: i64,
  // Second cache line.
  /** Bytes waiting, all classes. */
  queueBytes: u32,
  maxQueueBytes: u32,
  maxClassQueueBytes: u32,
  /** Class served last by round-robin. */
  lastServed: u8,
  /** CAPTURE_* bits. */
  captured: u8,
  /** 0: no ECN marking; else ECN_PLAIN or ECN_TUNNELS. */
  ecn: u8,
  /** PORT_*: what only its packets, or adapters that do not know of it, meet. */
  hiddenFaults: u8,
  /** Time of the last change of `queueBytes`. */
  queueSincePs: i64,
  /** Integral of the queue length over time, bytes times picoseconds. */
  queueIntegral: f64,
  txPackets: f64,
  txBytes: f64,
  /** Time spent sending, counted at the start of each transmission. */
  busyPs: f64,
  /** Duration of the current or last transmission. */
  lastTxPs: i64,
  // Third cache line: for congested queues, and for hosts.
  kminBytes: f64,
  kmaxBytes: f64,
  pmax: f64,
  /** Host: first entry of this port in the lists of QPs. */
  list: u32,
  /** Number of QPs of this port. */
  qpCount: u32,
  /** The QP served last. */
  lastQp: u32,
  /** Number of positions in the sets of its QPs: assembly/simulator/ready-qps.ts; 0: it has no sets. */
  leaves: u32,
  wakePending: u8,
  /** Bit per class: some QP sends data in it. */
  qpClasses: wideU8,
  /** Whether finished QPs may still be in the list. */
  someDone: u8,
  /** 1: `lastQp` is the rank of the QP served last, not its position; only with sets. */
  lastIsRank: u8,
  /** Index of the port within its node. */
  number: u32,
  /** When the pending wake-up was set. */
  wakeSetPs: i64,
  // Cold fields, which only some packets need.
  /** HPCC-PINT: smoothed utilisation. */
  pintU: f64,
  rateBps: f64,
  delayPs: f64,
  /** Fraction of data packets lost on the link; then of ACKs and of CNPs. */
  dataLoss: f64,
  ackLoss: f64,
  cnpLoss: f64,
  /** Fraction of packets corrupted on the link. */
  corruption: f64,
  marks: f64,
  /** Number of data packets marked. */
  dataMarks: f64,
  drops: f64,
  pausesSent: f64,
  /** Pause frames sent that end a pause. */
  resumesSent: f64,
  pausesReceived: f64,
  /** Time paused, summed over classes. */
  pausedPs: f64,
  fastCnps: f64,
  pintLastPs: i64,
  pintLastBytes: u32,
  /** Positions used in the list of QPs; with sets, including empty positions of QPs that have left. */
  listed: u32,
  /** Queues and buffer use, by class. */
  classes: array(SIM_CLASS, 8),
});

/** A flow. */
export const SIM_FLOW = /* @__PURE__ */ defineRecord('SimFlow', 256, {
  /** FLOW_* flags of src/abi/sim-codes.ts, and FLOW_CONNECTION. */
  flags: u32,
  /** QP of the flow in the engine. */
  qp: u32,
  /** Congestion-control algorithm, ALGORITHM_*. */
  algorithm: u32,
  /** How the window is used, WINDOW_MODE_*. */
  windowMode: u16,
  /** 1: it uses telemetry. */
  telemetry: u16,
  dataClass: u32,
  ackClass: u32,
  /** Bytes of a data packet without its payload. */
  headerBytes: u32,
  /** Length of an ACK. */
  ackBytes: u32,
  // Sender state.
  size: i64,
  sndNxt: i64,
  sndUna: i64,
  nextAvailPs: i64,
  // Second cache line.
  sourcePort: u32,
  responsePort: u32,
  source: u32,
  destination: u32,
  /** UDP ports, source port in the high half. */
  udpPorts: u32,
  /** Payload of a full packet, from the sender's host. */
  mtuBytes: u32,
  free88: free(4),
  /** State of the retransmission timeout, TIMEOUT_*. */
  timeoutState: u32,
  lastProgressPs: i64,
  /** Highest byte ever sent; anything below it is a retransmission. */
  sentUpTo: i64,
  // Receiver state.
  /** Sequence number that the receiver expects. */
  expected: i64,
  /** Bytes delivered. */
  delivered: f64,
  // Cold fields, which only some packets need.
  lastNak: i64,
  nakAgainPs: i64,
  sizeBytes: f64,
  startPs: f64,
  /** Initial window; 0: none. */
  windowBytes: f64,
  lineRateBps: f64,
  /** First flow that waits for this one; SIM_NONE: none. */
  firstDependent: u32,
  /** Next flow that waits for the same flow. */
  nextDependent: u32,
  /** 1 + the operation that the message belongs to; 0 = none. */
  operation: u32,
  cnps: u32,
  fastCnps: u32,
  /** Number of duplicate notifications. */
  duplicates: u32,
  /** Time of the last ACK. */
  finishPs: f64,
  /** Number of retransmitted packets. */
  retransmitted: f64,
  timeouts: f64,
  /** Time of the first congestion notification; -1: none arrived. */
  firstNotificationPs: f64,
  /** Retransmission timeout of the sender. */
  timeoutPs: f64,
  /** CNP interval of the receiver. */
  cnpIntervalPs: f64,
  /** Maximum time without progress on the flow's path; 0 = only the timeout applies. */
  pathTimeoutPs: f64,
}, { adjacent: [['windowMode', 'telemetry']] });

/**
 * A packet anywhere in the network, followed by telemetry records (PacketHop). Its payload is its length minus its
 * flow's headers.
 */
export const SIM_PACKET = /* @__PURE__ */ defineRecord('SimPacket', 60, {
  /** Data: first byte. ACK, NAK: next expected byte. Credit: pull number. Pause frames: class. */
  sequence: i64,
  /** When the data packet was sent; ACKs repeat it. */
  sentPs: i64,
  /** Due time of the next packet on the same link or in the same delay. */
  behindPs: i64,
  /** Order of the next packet's due time among simultaneous events. */
  behindOrder: i64,
  next: u32,
  kind: u8,
  /** Class of its queue and of pauses. */
  cls: u8,
  marked: u8,
  hops: u8,
  flow: u32,
  lenBytes: u32,
  /** Ingress port at the current node. */
  inPort: u32,
  /**
   * HPCC-PINT: power. Fast CNP: the switch that sent it. Data under receiver credit: the low 32 bits of the pull
   * target.
   */
  power: u32,
  /** 1: its ICRC is wrong. */
  corrupted: u8,
  /** Response: the acknowledged packet was marked. */
  echo: u8,
  /** Number of switches passed. */
  passed: u8,
  /** Number of source-port changes of its flow when it was sent, modulo 256; only if hosts change ports. */
  detours: u8,
});

/**
 * Telemetry of one hop, after a packet. Time and bytes are integers below 2^53; the port number is split over the free
 * low bits of both words.
 */
export const PACKET_HOP = /* @__PURE__ */ defineRecord('PacketHop', 20, {
  timeAndPort: u64,
  /** Bytes that the port had sent before this packet. */
  bytesAndPort: u64,
  /** Bytes waiting after this packet. */
  queueBytes: u32,
});

/** Changes of a link, in LinkEvent.change. */
export const LINK_DOWN = 0;
export const LINK_UP = 1;
export const LINK_LOSSES = 2;
/** Not a link event: a controller denies an entropy of each flow, or a plane, or lifts the denial. `port` has the number, or DENIED_PLANE + the plane. */
export const ENTROPY_DENIAL = 3;
export const ENTROPY_RETURN = 4;
/** A link fails, but adapters do not know it yet; they do now; it recovers, and they do not know that yet. */
export const LINK_DOWN_UNNOTICED = 5;
export const LINK_NOTICED = 6;
export const LINK_UP_UNNOTICED = 7;
/** The table of a switch loses the uSID that leads to a port, or has it again. */
export const USID_WITHDRAWN = 8;
export const USID_RESTORED = 9;
/** A host discards packets of MRC from now on, or accepts them again. `port` has its node. */
export const HOST_DISCARDS = 10;

/** SimPort.hiddenFaults: its link has gone down or come up, and adapters do not know it yet; the table of its switch lacks the uSID that leads to it. */
export const PORT_UNNOTICED = 1;
export const PORT_WITHOUT_USID = 2;

/** A link fails or recovers, or the loss rates of a port change from now on, an entropy is denied, or a host discards packets. */
export const LINK_EVENT = /* @__PURE__ */ defineRecord('LinkEvent', 48, {
  timePs: f64,
  port: u32,
  /** Kind of change, LINK_*, ENTROPY_*, USID_* or HOST_DISCARDS. */
  change: u32,
  /** For LINK_LOSSES: fractions of data, ACKs and CNPs lost. */
  dataLoss: f64,
  ackLoss: f64,
  cnpLoss: f64,
  /** For HOST_DISCARDS: SimNode.discards from now on. */
  reason: u32,
  free44: free(4),
});

/** A node's pool of memory, which the queues of lossy classes share; only in plans with `service-pools`. */
export const POOL = /* @__PURE__ */ defineRecord('Pool', 32, {
  /** Size of its shared part. */
  sharedBytes: u32,
  /** Reserve of each queue. */
  reservedBytes: u32,
  alpha: f64,
  /** Bit per lossy class. */
  lossyClasses: u32,
  /** Bytes of the shared part in use. */
  usedBytes: u32,
  /** Maximum of `usedBytes` so far. */
  mostUsedBytes: u32,
  free28: free(4),
});
