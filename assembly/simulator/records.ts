/**
 * The records of the simulated network, as unmanaged classes over linear memory. Field order is the layout; what the host
 * reads or writes is at the offsets of src/abi/sim-layout.ts, and the checks at the end stop the build where the two disagree.
 */
import {
  FLOW_BYTES, FLOW_DELIVERED, FLOW_FLAGS, FLOW_LINE_RATE, FLOW_QP, FLOW_START, FLOW_UDP_PORTS, FLOW_WINDOW, NODE_BYTES,
  NODE_SHARED_USED, PORT_BYTES, PORT_CORRUPTION, PORT_FREE_AT, PORT_LIST, PORT_QUEUE, PORT_QUEUE_INTEGRAL, PORT_TX_PACKETS,
} from '../../src/abi/sim-layout';

/** Classes per port; 0 is for pause frames. */
export const CLASSES: u32 = 8;

@unmanaged
export class SimNode {
  isSwitch: u32;
  firstPort: u32;
  portCount: u32;
  bufferBytes: u32;
  pfc: u32;
  fastCnp: u32;
  hashSeed: u32;
  address: u32;
  routes: u32;
  congestionPoint: u32;
  /** Shared buffer in use. */
  sharedUsed: u32;
  /** Buffer that can be shared when nothing is: all of it less headrooms and reserves. */
  sharable: u32;
  /** CNPs that wait for the notification point's delay, first and last. */
  delayedHead: u32;
  delayedTail: u32;
  free56: u64;
}

@unmanaged
export class SimPort {
  node: u32;
  peer: u32;
  rateBps: f64;
  delayPs: f64;
  ecn: u32;
  thresholdShift: u32;
  headroomBytes: u32;
  number: u32;
  kminBytes: f64;
  kmaxBytes: f64;
  pmax: f64;
  dataLoss: f64;
  ackLoss: f64;
  cnpLoss: f64;
  corruption: f64;
  captured: u32;
  list: u32;
  // What the run counts.
  txPackets: f64;
  txBytes: f64;
  busyPs: f64;
  marks: f64;
  dataMarks: f64;
  drops: f64;
  pausesSent: f64;
  resumesSent: f64;
  pausesReceived: f64;
  pausedPs: f64;
  fastCnps: f64;
  queueIntegral: f64;
  maxClassQueueBytes: u32;
  maxQueueBytes: u32;
  /** Bytes waiting, all classes. */
  queueBytes: u32;
  /** Class served last in turn. */
  lastServed: u32;
  /** Since when `queueBytes` has been what it is. */
  queueSincePs: i64;
  /** When the running or last transmission ends, and the place of that end among events of the same instant. */
  freeAtPs: i64;
  freeOrder: i64;
  /** Packets on the way to the peer, in order of arrival. */
  pipeHead: u32;
  pipeTail: u32;
  /** Bit per class. */
  paused: u32;
  waiting: u32;
  /** The end of the transmission is in the event queue. */
  endScheduled: u32;
  up: u32;
  /** Serialisation times by length; 0 = none kept. */
  txTable: u32;
  /** QPs of this port of a host: how many, and the one served last. */
  qpCount: u32;
  lastQp: u32;
  wakePending: u32;
  /** Classes that this port has told its peer to pause. */
  pausing: u32;
  isHost: u32;
  delay: i64;
  /** When the pending wake-up was set. */
  wakeSetPs: i64;
  // Arrays by class: u32 each, then i64.
  head0: u64; head2: u64; head4: u64; head6: u64;
  tail0: u64; tail2: u64; tail4: u64; tail6: u64;
  bytes0: u64; bytes2: u64; bytes4: u64; bytes6: u64;
  ingress0: u64; ingress2: u64; ingress4: u64; ingress6: u64;
  room0: u64; room2: u64; room4: u64; room6: u64;
  since0: i64; since1: i64; since2: i64; since3: i64; since4: i64; since5: i64; since6: i64; since7: i64;
  // HPCC-PINT.
  pintU: f64;
  pintLastPs: i64;
  pintLastBytes: u32;
  free: u32;
  /** How long the running or last transmission takes. */
  lastTxPs: i64;
}

@unmanaged
export class SimFlow {
  source: u32;
  destination: u32;
  sourcePort: u32;
  answerPort: u32;
  sizeBytes: f64;
  startPs: f64;
  firstDependent: u32;
  nextDependent: u32;
  dataClass: u32;
  ackClass: u32;
  udpPorts: u32;
  algorithm: u32;
  windowBytes: f64;
  windowMode: u32;
  headerBytes: u32;
  ackBytes: u32;
  telemetry: u32;
  lineRateBps: f64;
  waits: u32;
  qp: u32;
  flags: u32;
  free100: u32;
  finishPs: f64;
  retransmitted: f64;
  timeouts: f64;
  cnps: u32;
  fastCnps: u32;
  duplicates: u32;
  free140: u32;
  firstNotificationPs: f64;
  delivered: f64;
  // Sender.
  size: i64;
  sndNxt: i64;
  sndUna: i64;
  /** Highest byte ever sent: what lies below and is sent is a retransmission. */
  sentUpTo: i64;
  nextAvailPs: i64;
  lastProgressPs: i64;
  // Receiver.
  expected: i64;
  lastNak: i64;
  nakAgainPs: i64;
  lastLenBytes: u32;
  timeoutPending: u32;
  free240: u64;
  free248: u64;
}

/** A packet anywhere in the network; telemetry records follow it. */
@unmanaged
export class SimPacket {
  next: u32;
  kind: u8;
  /** Queue and pause class. */
  cls: u8;
  marked: u8;
  hops: u8;
  flow: u32;
  lenBytes: u32;
  payloadBytes: u32;
  /** Port of the present node that it came in by. */
  inPort: u32;
  /** First byte (data), byte expected next (ACK, NAK), class (pause frames). */
  sequence: i64;
  /** When the data packet left its sender; ACKs repeat it. */
  sentPs: i64;
  arrivalPs: i64;
  arrivalOrder: i64;
  /** HPCC-PINT. */
  power: u32;
  /** 1: its ICRC is wrong. */
  harm: u16;
  /** An answer: the packet that it answers was marked. */
  echo: u16;
}

/** Telemetry of one hop, behind a packet. */
@unmanaged
export class SimHop {
  timePs: i64;
  txBytes: f64;
  queueBytes: u32;
  port: u32;
}

export const PACKET_BASE_BYTES: u32 = 64;
export const HOP_RECORD_BYTES: u32 = 24;

@inline export function headOf(port: SimPort, cls: u32): usize {
  return changetype<usize>(port) + offsetof<SimPort>('head0') + (<usize>cls << 2);
}

@inline export function tailOf(port: SimPort, cls: u32): usize {
  return changetype<usize>(port) + offsetof<SimPort>('tail0') + (<usize>cls << 2);
}

@inline export function bytesOf(port: SimPort, cls: u32): usize {
  return changetype<usize>(port) + offsetof<SimPort>('bytes0') + (<usize>cls << 2);
}

/** Bytes of a class in the buffer that came in by this port, within reserve and share. */
@inline export function ingressOf(port: SimPort, cls: u32): usize {
  return changetype<usize>(port) + offsetof<SimPort>('ingress0') + (<usize>cls << 2);
}

/** The same, in the headroom. */
@inline export function headroomOf(port: SimPort, cls: u32): usize {
  return changetype<usize>(port) + offsetof<SimPort>('room0') + (<usize>cls << 2);
}

/** Since when a class is paused. */
@inline export function pausedSinceOf(port: SimPort, cls: u32): usize {
  return changetype<usize>(port) + offsetof<SimPort>('since0') + (<usize>cls << 3);
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkSimLayouts(): void {
  if (offsetof<SimNode>() != NODE_BYTES) ERROR('SimNode');
  if (offsetof<SimNode>('sharedUsed') != NODE_SHARED_USED) ERROR('SimNode.sharedUsed');
  if (offsetof<SimPort>() > <usize>PORT_BYTES) ERROR('SimPort');
  if (offsetof<SimPort>('corruption') != PORT_CORRUPTION) ERROR('SimPort.corruption');
  if (offsetof<SimPort>('list') != PORT_LIST) ERROR('SimPort.list');
  if (offsetof<SimPort>('txPackets') != PORT_TX_PACKETS) ERROR('SimPort.txPackets');
  if (offsetof<SimPort>('queueIntegral') != PORT_QUEUE_INTEGRAL) ERROR('SimPort.queueIntegral');
  if (offsetof<SimPort>('queueBytes') != PORT_QUEUE) ERROR('SimPort.queueBytes');
  if (offsetof<SimPort>('freeAtPs') != PORT_FREE_AT) ERROR('SimPort.freeAtPs');
  if (offsetof<SimFlow>() != FLOW_BYTES) ERROR('SimFlow');
  if (offsetof<SimFlow>('startPs') != FLOW_START) ERROR('SimFlow.startPs');
  if (offsetof<SimFlow>('udpPorts') != FLOW_UDP_PORTS) ERROR('SimFlow.udpPorts');
  if (offsetof<SimFlow>('windowBytes') != FLOW_WINDOW) ERROR('SimFlow.windowBytes');
  if (offsetof<SimFlow>('lineRateBps') != FLOW_LINE_RATE) ERROR('SimFlow.lineRateBps');
  if (offsetof<SimFlow>('qp') != FLOW_QP) ERROR('SimFlow.qp');
  if (offsetof<SimFlow>('flags') != FLOW_FLAGS) ERROR('SimFlow.flags');
  if (offsetof<SimFlow>('delivered') != FLOW_DELIVERED) ERROR('SimFlow.delivered');
  if (offsetof<SimPacket>() != PACKET_BASE_BYTES) ERROR('SimPacket');
  if (offsetof<SimHop>() != HOP_RECORD_BYTES) ERROR('SimHop');
}
