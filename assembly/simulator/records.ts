/**
 * The records of the simulated network, as unmanaged classes over linear memory. Field order is the layout; what the host
 * reads or writes is at the offsets of src/abi/sim-layout.ts, and the checks at the end stop the build where the two disagree.
 */
import { CLASS_BYTES, CLASS_PAUSED_SINCE, FLOW_ACK_BYTES, FLOW_BYTES, FLOW_CNP_INTERVAL, FLOW_DELIVERED,
  FLOW_DUPLICATES, FLOW_EXPECTED, FLOW_FIRST_NOTIFICATION, FLOW_LINE_RATE, FLOW_MTU, FLOW_OPERATION, FLOW_PATH_TIMEOUT,
  FLOW_SIZE, FLOW_TIMEOUT, FLOW_TIMEOUT_STATE, FLOW_WINDOW_MODE, NODE_BYTES, NODE_CNP_DELAY, NODE_SHARED_USED,
  PORT_BYTES, PORT_CAPTURED, PORT_CLASSES, PORT_CORRUPTION, PORT_FAST_CNPS, PORT_FREE_AT, PORT_LIST, PORT_MAX_SHARED,
  PORT_MIN_THRESHOLD, PORT_PAUSED_CLASSES, PORT_QUEUE, PORT_QUEUE_INTEGRAL, PORT_QUEUE_SINCE, PORT_RATE, PORT_SHIFT,
  PORT_TX_PACKETS } from '../../src/abi/sim-layout';
import { NODE_ROUTE_ROW } from '../../src/abi/route-layout';

/** Classes per port; 0 is for pause frames. */
export const CLASSES: u32 = 8;

@unmanaged
export class SimNode {
  isSwitch: u32;
  firstPort: u32;
  portCount: u32;
  bufferBytes: u32;
  pfc: u32;
  /** Bits CONGESTION_*. */
  congestion: u32;
  hashSeed: u32;
  address: u32;
  /** Its place in each column of the routes. */
  routeRow: u32;
  congestionPoint: u32;
  /** Shared buffer in use. */
  sharedUsed: u32;
  /** Buffer that can be shared when nothing is: all of it less headrooms and reserves. */
  sharable: u32;
  /** CNPs that wait for the notification point's delay, first and last. */
  delayedHead: u32;
  delayedTail: u32;
  /** Delay of CNPs at a host's notification point, picoseconds. */
  cnpDelayPs: f64;
}

/**
 * A port, 576 bytes. Every packet needs the first two cache lines and the line of its class, which are the cost of a hop in a network of a
 * thousand ports. A packet that arrives by a port needs only its first line.
 */
@unmanaged
export class SimPort {
  node: u32;
  peer: u32;
  /** Packets in flight to the peer, in order of arrival. */
  pipeHead: u32;
  pipeTail: u32;
  isHost: u8;
  up: u8;
  /** How the end of the transmission is handled: transmission.ts. */
  end: u8;
  /** Loses or corrupts packets. */
  faulty: u8;
  private pausedBits: u8;
  private waitingBits: u8;
  private pausingBits: u8;
  thresholdShift: u8;
  headroomBytes: u32;
  /** Most shared memory of a class that came in here, and the least pause threshold when it took some. */
  maxShared: u32;
  minThreshold: u32;
  /** Serialisation times by length; 0 = none kept. */
  txTable: u32;
  /** When the running or last transmission ends, and the place of that end among events of the same instant. */
  freeAtPs: i64;
  freeOrder: i64;
  delay: i64;
  // Second line.
  /** Bytes waiting, all classes. */
  queueBytes: u32;
  maxQueueBytes: u32;
  maxClassQueueBytes: u32;
  /** Class served last by round-robin. */
  lastServed: u8;
  captured: u8;
  ecn: u8;
  free79: u8;
  /** Time of the last change of `queueBytes`. */
  queueSincePs: i64;
  queueIntegral: f64;
  txPackets: f64;
  txBytes: f64;
  busyPs: f64;
  /** Duration of the running or last transmission. */
  lastTxPs: i64;
  // Third line: of queues that grow, and of hosts.
  kminBytes: f64;
  kmaxBytes: f64;
  pmax: f64;
  /** QPs of this port of a host: where their list begins, how many, and the one served last. */
  list: u32;
  qpCount: u32;
  lastQp: u32;
  /** Places that the sets of its QPs have room for: ready-qps.ts; 0: it has none. */
  leaves: u32;
  wakePending: u8;
  private qpClassBits: u8;
  /** Whether finished QPs may still be in the list. */
  someDone: u8;
  /** `lastQp` is the number of QPs before the one served last, not a place; only with sets. */
  lastIsRank: u8;
  number: u32;
  /** When the pending wake-up was set. */
  wakeSetPs: i64;
  // What only some packets need.
  /** HPCC-PINT. */
  pintU: f64;
  rateBps: f64;
  delayPs: f64;
  dataLoss: f64;
  ackLoss: f64;
  cnpLoss: f64;
  corruption: f64;
  marks: f64;
  dataMarks: f64;
  drops: f64;
  pausesSent: f64;
  resumesSent: f64;
  pausesReceived: f64;
  pausedPs: f64;
  fastCnps: f64;
  pintLastPs: i64;
  pintLastBytes: u32;
  /** Places used in the list of QPs; with sets, those of QPs that have left are empty. */
  listed: u32;

  /** Bit per class: its peer has paused them. */
  @inline get paused(): u32 {
    return this.pausedBits;
  }

  @inline set paused(classes: u32) {
    this.pausedBits = <u8>classes;
  }

  /** Bit per class: packets wait. */
  @inline get waiting(): u32 {
    return this.waitingBits;
  }

  @inline set waiting(classes: u32) {
    this.waitingBits = <u8>classes;
  }

  /** Bit per class: this port has asked its peer to pause. */
  @inline get pausing(): u32 {
    return this.pausingBits;
  }

  @inline set pausing(classes: u32) {
    this.pausingBits = <u8>classes;
  }

  /** Bit per class: of the data of its QPs. */
  @inline get qpClasses(): u32 {
    return this.qpClassBits;
  }

  @inline set qpClasses(classes: u32) {
    this.qpClassBits = <u8>classes;
  }
}

/** A class of a port: its queue, and what arrived by the port. One per class, after the port's record. */
@unmanaged
export class SimClass {
  head: u32;
  tail: u32;
  /** Bytes waiting. */
  bytes: u32;
  /** Bytes in the buffer that arrived by this port, within reserve and share. */
  ingress: u32;
  /** The same, in the headroom. */
  headroom: u32;
  /** Bytes of this queue in the pool of lossy classes. */
  pooled: u32;
  pausedSincePs: i64;
}

@unmanaged
export class SimFlow {
  flags: u32;
  qp: u32;
  algorithm: u32;
  windowMode: u16;
  telemetry: u16;
  dataClass: u32;
  ackClass: u32;
  headerBytes: u32;
  ackBytes: u32;
  // Sender.
  size: i64;
  sndNxt: i64;
  sndUna: i64;
  nextAvailPs: i64;
  // Second line.
  sourcePort: u32;
  responsePort: u32;
  source: u32;
  destination: u32;
  udpPorts: u32;
  /** Payload of a full packet, of the sender's host. */
  mtuBytes: u32;
  free88: u32;
  /** TIMEOUT_*. */
  timeoutState: u32;
  lastProgressPs: i64;
  /** Highest byte ever sent: anything sent below it is a retransmission. */
  sentUpTo: i64;
  // Receiver.
  expected: i64;
  delivered: f64;
  // What only some packets need.
  lastNak: i64;
  nakAgainPs: i64;
  sizeBytes: f64;
  startPs: f64;
  windowBytes: f64;
  lineRateBps: f64;
  firstDependent: u32;
  nextDependent: u32;
  /** The operation whose message it is, + 1; 0 = none. */
  operation: u32;
  cnps: u32;
  fastCnps: u32;
  duplicates: u32;
  finishPs: f64;
  retransmitted: f64;
  timeouts: f64;
  firstNotificationPs: f64;
  /** Of the sender's host. */
  timeoutPs: f64;
  /** Of the receiver's host. */
  cnpIntervalPs: f64;
  /** Maximum time without progress on the flow's path; 0 = the timeout alone applies. */
  pathTimeoutPs: f64;
}

/** A packet anywhere in the network, 60 bytes, followed by telemetry records. Its payload is its length less its flow's headers. */
@unmanaged
export class SimPacket {
  /** First byte (data), byte expected next (ACK, NAK), class (pause frames). */
  sequence: i64;
  /** When the data packet left its sender; ACKs repeat it. */
  sentPs: i64;
  /** Due time of the next packet on the same link or in the same delay, and its place among simultaneous events. */
  behindPs: i64;
  behindOrder: i64;
  next: u32;
  kind: u8;
  /** Queue and pause class. */
  cls: u8;
  marked: u8;
  hops: u8;
  flow: u32;
  lenBytes: u32;
  /** Ingress port at the current node. */
  inPort: u32;
  /** HPCC-PINT. A Fast CNP: the switch that made it. */
  power: u32;
  /** 1: its ICRC is wrong. */
  corrupted: u8;
  /** Of a response: the acknowledged packet was marked. */
  echo: u8;
  /** Number of switches reached. */
  passed: u8;
  /** Number of UDP source-port changes of its flow when it was sent, modulo 256; only if hosts change ports. */
  detours: u8;
}

export const PACKET_BASE_BYTES: u32 = 60;
/** Telemetry of one hop, after a packet: telemetry.ts. */
export const HOP_RECORD_BYTES: u32 = 20;

@inline export function classOf(port: SimPort, cls: u32): SimClass {
  return changetype<SimClass>(changetype<usize>(port) + PORT_CLASSES + <usize>cls * CLASS_BYTES);
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkSimLayouts(): void {
  if (offsetof<SimNode>() != NODE_BYTES) ERROR('SimNode');
  if (offsetof<SimNode>('routeRow') != NODE_ROUTE_ROW) ERROR('SimNode.routeRow');
  if (offsetof<SimNode>('sharedUsed') != NODE_SHARED_USED) ERROR('SimNode.sharedUsed');
  if (offsetof<SimNode>('cnpDelayPs') != NODE_CNP_DELAY) ERROR('SimNode.cnpDelayPs');
  if (offsetof<SimPort>() != PORT_CLASSES) ERROR('SimPort');
  if (offsetof<SimClass>() != CLASS_BYTES) ERROR('SimClass');
  if (offsetof<SimClass>('pausedSincePs') != CLASS_PAUSED_SINCE) ERROR('SimClass.pausedSincePs');
  if (PORT_CLASSES + CLASSES * CLASS_BYTES != PORT_BYTES) ERROR('PORT_BYTES');
  if (offsetof<SimPort>('freeAtPs') != PORT_FREE_AT) ERROR('SimPort.freeAtPs');
  if (offsetof<SimPort>('queueBytes') != PORT_QUEUE) ERROR('SimPort.queueBytes');
  if (offsetof<SimPort>('pausedBits') != PORT_PAUSED_CLASSES) ERROR('SimPort.pausedBits');
  if (offsetof<SimPort>('queueSincePs') != PORT_QUEUE_SINCE) ERROR('SimPort.queueSincePs');
  if (offsetof<SimPort>('queueIntegral') != PORT_QUEUE_INTEGRAL) ERROR('SimPort.queueIntegral');
  if (offsetof<SimPort>('captured') != PORT_CAPTURED) ERROR('SimPort.captured');
  if (offsetof<SimPort>('thresholdShift') != PORT_SHIFT) ERROR('SimPort.thresholdShift');
  if (offsetof<SimPort>('txPackets') != PORT_TX_PACKETS) ERROR('SimPort.txPackets');
  if (offsetof<SimPort>('list') != PORT_LIST) ERROR('SimPort.list');
  if (offsetof<SimPort>('rateBps') != PORT_RATE) ERROR('SimPort.rateBps');
  if (offsetof<SimPort>('corruption') != PORT_CORRUPTION) ERROR('SimPort.corruption');
  if (offsetof<SimPort>('fastCnps') != PORT_FAST_CNPS) ERROR('SimPort.fastCnps');
  if (offsetof<SimPort>('maxShared') != PORT_MAX_SHARED) ERROR('SimPort.maxShared');
  if (offsetof<SimPort>('minThreshold') != PORT_MIN_THRESHOLD) ERROR('SimPort.minThreshold');
  if (offsetof<SimFlow>() != FLOW_BYTES) ERROR('SimFlow');
  if (offsetof<SimFlow>('ackBytes') != FLOW_ACK_BYTES) ERROR('SimFlow.ackBytes');
  if (offsetof<SimFlow>('telemetry') != FLOW_WINDOW_MODE + 2) ERROR('SimFlow.telemetry');
  if (offsetof<SimFlow>('mtuBytes') != FLOW_MTU) ERROR('SimFlow.mtuBytes');
  if (offsetof<SimFlow>('timeoutState') != FLOW_TIMEOUT_STATE) ERROR('SimFlow.timeoutState');
  if (offsetof<SimFlow>('timeoutPs') != FLOW_TIMEOUT) ERROR('SimFlow.timeoutPs');
  if (offsetof<SimFlow>('cnpIntervalPs') != FLOW_CNP_INTERVAL) ERROR('SimFlow.cnpIntervalPs');
  if (offsetof<SimFlow>('pathTimeoutPs') != FLOW_PATH_TIMEOUT) ERROR('SimFlow.pathTimeoutPs');
  if (offsetof<SimFlow>('expected') != FLOW_EXPECTED) ERROR('SimFlow.expected');
  if (offsetof<SimFlow>('delivered') != FLOW_DELIVERED) ERROR('SimFlow.delivered');
  if (offsetof<SimFlow>('sizeBytes') != FLOW_SIZE) ERROR('SimFlow.sizeBytes');
  if (offsetof<SimFlow>('lineRateBps') != FLOW_LINE_RATE) ERROR('SimFlow.lineRateBps');
  if (offsetof<SimFlow>('operation') != FLOW_OPERATION) ERROR('SimFlow.operation');
  if (offsetof<SimFlow>('duplicates') != FLOW_DUPLICATES) ERROR('SimFlow.duplicates');
  if (offsetof<SimFlow>('firstNotificationPs') != FLOW_FIRST_NOTIFICATION) ERROR('SimFlow.firstNotificationPs');
  if (offsetof<SimPacket>() != PACKET_BASE_BYTES) ERROR('SimPacket');
}
