/** The simulated network. */
import { array, defineRecord, f64, free, i64, u16, u32, u64, u8, wideU8 } from './define-record.js';

/** SimPort.ecn: the port marks; it marks in a network with tunnels. */
export const ECN_PLAIN = 1;
export const ECN_TUNNELS = 2;

/** SimFlow.timeoutState: the retransmission timeout is not in the event queue, is in it, or its host has none. */
export const TIMEOUT_IDLE = 0;
export const TIMEOUT_SET = 1;
export const TIMEOUT_OFF = 2;

export const WINDOW_MODE_NONE = 0;
export const WINDOW_MODE_FIXED = 1;
export const WINDOW_MODE_VARIABLE = 2;

/** A host or a switch. */
export const SIM_NODE = /* @__PURE__ */ defineRecord('SimNode', 64, {
  isSwitch: u16,
  /** 1: the adapter of a host with ports into several planes. */
  isAdapter: u16,
  firstPort: u32,
  portCount: u32,
  /** Memory for packets, without the pool of lossy classes. */
  bufferBytes: u32,
  /** 1: it pauses its neighbours. */
  pfc: u32,
  /** Bits CONGESTION_*. */
  congestion: u32,
  hashSeed: u32,
  address: u32,
  /** Of a switch: its index in each column of the routes. */
  routeRow: u32,
  /** Address of its congestion point's record, written by `simStart`. */
  congestionPoint: u32,
  /** Shared buffer in use. */
  sharedUsed: u32,
  /** Buffer that can be shared when nothing is: all of it less headrooms and reserves. */
  sharable: u32,
  /** CNPs that wait for the notification point's delay, first and last. */
  delayedHead: u32,
  delayedTail: u32,
  /** Delay of CNPs at a host's notification point. */
  cnpDelayPs: f64,
});

/** A class of a port: its queue, and what arrived by the port. One per class, after the port's record. */
export const SIM_CLASS = /* @__PURE__ */ defineRecord('SimClass', 32, {
  /** First and last packet. */
  head: u32,
  tail: u32,
  /** Bytes waiting. */
  bytes: u32,
  /** Bytes in the buffer that arrived by this port, within reserve and share. */
  ingress: u32,
  /** The same, in the headroom. */
  headroom: u32,
  /** Bytes of this queue in the pool of lossy classes. */
  pooled: u32,
  /** Since when its peer has paused it, or since the last account. */
  pausedSincePs: i64,
});

/**
 * A port. Every packet needs the first two cache lines and the line of its class, which are the cost of a hop in a network of a
 * thousand ports. A packet that arrives by a port needs only its first line.
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
  /** Loses or corrupts packets. */
  faulty: u8,
  /** Bit per class: its peer has paused it. */
  paused: wideU8,
  /** Bit per class: packets wait. */
  waiting: wideU8,
  /** Bit per class: this port has asked its peer to pause. */
  pausing: wideU8,
  /** Of the dynamic threshold: alpha = 2^-shift. */
  thresholdShift: u8,
  headroomBytes: u32,
  /** Maximum shared memory of a class that arrived here. */
  maxShared: u32,
  /** Minimum pause threshold when a class took some of it. */
  minThreshold: u32,
  /** Serialisation times by length; 0 = none kept. */
  txTable: u32,
  /** When the running or last transmission ends. */
  freeAtPs: i64,
  /** Order of that end among events of the same instant. */
  freeOrder: i64,
  /** `delayPs` as a whole number. */
  delay: i64,
  // Second line.
  /** Bytes waiting, all classes. */
  queueBytes: u32,
  maxQueueBytes: u32,
  maxClassQueueBytes: u32,
  /** Class served last by round-robin. */
  lastServed: u8,
  /** CAPTURE_PACKETS, CAPTURE_PAUSES. */
  captured: u8,
  /** 0: it marks nothing; ECN_PLAIN, ECN_TUNNELS. */
  ecn: u8,
  /** 1: its link is down, and adapters do not know it yet. */
  unnoticed: u8,
  /** Time of the last change of `queueBytes`. */
  queueSincePs: i64,
  /** Bytes times picoseconds. */
  queueIntegral: f64,
  txPackets: f64,
  txBytes: f64,
  /** Time spent sending, counted when a transmission begins. */
  busyPs: f64,
  /** Duration of the running or last transmission. */
  lastTxPs: i64,
  // Third line: of queues that grow, and of hosts.
  kminBytes: f64,
  kmaxBytes: f64,
  pmax: f64,
  /** Of a host: first entry in the lists of QPs. */
  list: u32,
  /** QPs of this port. */
  qpCount: u32,
  /** The one served last. */
  lastQp: u32,
  /** Places that the sets of its QPs have room for: assembly/simulator/ready-qps.ts; 0: it has none. */
  leaves: u32,
  wakePending: u8,
  /** Bit per class: of the data of its QPs. */
  qpClasses: wideU8,
  /** Whether finished QPs may still be in the list. */
  someDone: u8,
  /** `lastQp` is the number of QPs before the one served last, not a place; only with sets. */
  lastIsRank: u8,
  /** Its number within the node. */
  number: u32,
  /** When the pending wake-up was set. */
  wakeSetPs: i64,
  // What only some packets need.
  /** HPCC-PINT. */
  pintU: f64,
  rateBps: f64,
  delayPs: f64,
  /** Share of packets lost on the link. */
  dataLoss: f64,
  ackLoss: f64,
  cnpLoss: f64,
  /** Share of packets corrupted on the link. */
  corruption: f64,
  marks: f64,
  /** Data packets marked. */
  dataMarks: f64,
  drops: f64,
  pausesSent: f64,
  /** Frames sent that end a pause. */
  resumesSent: f64,
  pausesReceived: f64,
  /** Summed over classes. */
  pausedPs: f64,
  fastCnps: f64,
  pintLastPs: i64,
  pintLastBytes: u32,
  /** Places used in the list of QPs; with sets, those of QPs that have left are empty. */
  listed: u32,
  /** By class. */
  classes: array(SIM_CLASS, 8),
});

/** A flow. */
export const SIM_FLOW = /* @__PURE__ */ defineRecord('SimFlow', 256, {
  /** FLOW_* of src/abi/sim-codes.ts, FLOW_CONNECTION. */
  flags: u32,
  /** QP of the engine. */
  qp: u32,
  /** ALGORITHM_*. */
  algorithm: u32,
  /** WINDOW_MODE_*. */
  windowMode: u16,
  /** 1: it reads telemetry. */
  telemetry: u16,
  dataClass: u32,
  ackClass: u32,
  /** Bytes of a data packet besides its payload. */
  headerBytes: u32,
  /** Length of an ACK. */
  ackBytes: u32,
  // Sender.
  size: i64,
  sndNxt: i64,
  sndUna: i64,
  nextAvailPs: i64,
  // Second line.
  sourcePort: u32,
  responsePort: u32,
  source: u32,
  destination: u32,
  /** Source port in the high half. */
  udpPorts: u32,
  /** Payload of a full packet, of the sender's host. */
  mtuBytes: u32,
  free88: free(4),
  /** TIMEOUT_*. */
  timeoutState: u32,
  lastProgressPs: i64,
  /** Highest byte ever sent: anything sent below it is a retransmission. */
  sentUpTo: i64,
  // Receiver.
  /** Sequence number that the receiver expects. */
  expected: i64,
  /** Bytes. */
  delivered: f64,
  // What only some packets need.
  lastNak: i64,
  nakAgainPs: i64,
  sizeBytes: f64,
  startPs: f64,
  /** 0: none. */
  windowBytes: f64,
  lineRateBps: f64,
  /** The first flow that waits for this one; SIM_NONE: none. */
  firstDependent: u32,
  /** The next flow that waits for the same. */
  nextDependent: u32,
  /** The operation whose message it is, + 1; 0 = none. */
  operation: u32,
  cnps: u32,
  fastCnps: u32,
  /** Duplicate notifications. */
  duplicates: u32,
  /** Last ACK. */
  finishPs: f64,
  /** Packets. */
  retransmitted: f64,
  timeouts: f64,
  /** -1: none arrived. */
  firstNotificationPs: f64,
  /** Retransmission timeout of the sender. */
  timeoutPs: f64,
  /** CNP interval of the receiver. */
  cnpIntervalPs: f64,
  /** Maximum time without progress on the flow's path; 0 = the timeout alone applies. */
  pathTimeoutPs: f64,
}, { adjacent: [['windowMode', 'telemetry']] });

/** A packet anywhere in the network, followed by telemetry records (PacketHop). Its payload is its length less its flow's headers. */
export const SIM_PACKET = /* @__PURE__ */ defineRecord('SimPacket', 60, {
  /** First byte (data), byte expected next (ACK, NAK), pull number (credit), class (pause frames). */
  sequence: i64,
  /** When the data packet left its sender; ACKs repeat it. */
  sentPs: i64,
  /** Due time of the next packet on the same link or in the same delay. */
  behindPs: i64,
  /** Order of that one among simultaneous events. */
  behindOrder: i64,
  next: u32,
  kind: u8,
  /** Queue and pause class. */
  cls: u8,
  marked: u8,
  hops: u8,
  flow: u32,
  lenBytes: u32,
  /** Ingress port at the current node. */
  inPort: u32,
  /** HPCC-PINT. A Fast CNP: the switch that made it. Data under receiver credit: the low 32 bits of the pull target. */
  power: u32,
  /** 1: its ICRC is wrong. */
  corrupted: u8,
  /** Of a response: the acknowledged packet was marked. */
  echo: u8,
  /** Number of switches reached. */
  passed: u8,
  /** Number of UDP source-port changes of its flow when it was sent, modulo 256; only if hosts change ports. */
  detours: u8,
});

/** Telemetry of one hop, after a packet. Time and bytes are whole numbers below 2^53; the port's number fills both words' low bits. */
export const PACKET_HOP = /* @__PURE__ */ defineRecord('PacketHop', 20, {
  timeAndPort: u64,
  /** Bytes that the port has sent before this packet. */
  bytesAndPort: u64,
  /** Bytes that wait behind it. */
  queueBytes: u32,
});

/** LinkEvent.change. */
export const LINK_DOWN = 0;
export const LINK_UP = 1;
export const LINK_LOSSES = 2;
/** Not of a link: a controller denies an entropy of each flow, whose number is `port`, or denies it no more. */
export const ENTROPY_DENIAL = 3;
export const ENTROPY_RETURN = 4;
/** A link fails, but adapters do not know it yet; they do now. */
export const LINK_DOWN_UNNOTICED = 5;
export const LINK_NOTICED = 6;

/** A link fails or recovers, or what arrives from a port is lost with other chances from now on; or entropies are denied. */
export const LINK_EVENT = /* @__PURE__ */ defineRecord('LinkEvent', 40, {
  timePs: f64,
  port: u32,
  /** LINK_*. */
  change: u32,
  /** Of LINK_LOSSES: shares of data, of ACKs and of CNPs. */
  dataLoss: f64,
  ackLoss: f64,
  cnpLoss: f64,
});
