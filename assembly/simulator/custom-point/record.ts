/** The records that handlers of a custom congestion point see; src/abi/custom-layout.ts has the same offsets for them. */
import { POINT_CALL_FAULT, POINT_CALL_HANDLER, POINT_CALL_TIME, POINT_CALL_VALUE, POINT_CLASS, POINT_FLOW, POINT_KMAX,
  POINT_KMIN, POINT_LENGTH, POINT_LINE_RATE, POINT_NODE, POINT_NODES_AT, POINT_NODE_BYTES, POINT_NODE_DEQUEUE,
  POINT_NODE_FLOWS, POINT_NODE_FLOW_BYTES, POINT_NODE_PARAMETERS, POINT_NODE_PORTS, POINT_NODE_PORT_BYTES,
  POINT_NODE_QUEUES, POINT_NODE_QUEUE_BYTES, POINT_PACKET, POINT_PMAX, POINT_PORT, POINT_RANDOM, POINT_RECORD_AT,
  POINT_STATE, POINT_TOTAL_QUEUE_BYTES, POINTS_SEE_DEPARTURES, POINT_GUARD_BYTES,
  CUSTOM_STATE_BYTES_MAX } from '../../../src/abi/custom-layout';

/** Header of the region: whether points decide on enqueue or dequeue, and the current call. */
@unmanaged
export class PointCall {
  seesArrivals: u32;
  seesDepartures: u32;
  /** Handler of the current call, POINT_HANDLER_*. */
  handler: u32;
  /** Fault of the current call, POINT_FAULT_*. */
  fault: u32;
  timePs: f64;
  value: f64;
}

/** The input of a call: a packet at a queue. */
@unmanaged
export class PointRecord {
  queueBytes: f64;
  totalQueueBytes: f64;
  lineRateBps: f64;
  kminBytes: f64;
  kmaxBytes: f64;
  pmax: f64;
  random: f64;
  node: u32;
  port: u32;
  cls: u32;
  flow: u32;
  lenBytes: u32;
  /** Properties of the packet, POINT_PACKET_*. */
  packet: u32;
}

/** The congestion point of a node. */
@unmanaged
export class PointNode {
  /** Indices of the handlers in the function table; 0 = none. */
  enqueue: u32;
  dequeue: u32;
  parameters: u32;
  queues: u32;
  ports: u32;
  flows: u32;
  queueBytes: u16;
  portBytes: u16;
  flowBytes: u16;
  free30: u16;
}

/** Fails the build if a class does not match the offsets that handlers use. */
export function checkPointLayouts(): void {
  checkCall();
  checkRecord();
  checkNode();
}

function checkCall(): void {
  if (offsetof<PointCall>('seesDepartures') != POINTS_SEE_DEPARTURES) ERROR('PointCall.seesDepartures');
  if (offsetof<PointCall>('handler') != POINT_CALL_HANDLER) ERROR('PointCall.handler');
  if (offsetof<PointCall>('fault') != POINT_CALL_FAULT) ERROR('PointCall.fault');
  if (offsetof<PointCall>('timePs') != POINT_CALL_TIME) ERROR('PointCall.timePs');
  if (offsetof<PointCall>('value') != POINT_CALL_VALUE) ERROR('PointCall.value');
  if (offsetof<PointCall>() + POINT_GUARD_BYTES != POINT_RECORD_AT) ERROR('POINT_RECORD_AT');
  const recordEnd = POINT_RECORD_AT + POINT_STATE + 3 * CUSTOM_STATE_BYTES_MAX + POINT_GUARD_BYTES;
  if (recordEnd > POINT_NODES_AT) ERROR('POINT_NODES_AT');
}

function checkRecord(): void {
  if (offsetof<PointRecord>('totalQueueBytes') != POINT_TOTAL_QUEUE_BYTES) ERROR('PointRecord.totalQueueBytes');
  if (offsetof<PointRecord>('lineRateBps') != POINT_LINE_RATE) ERROR('PointRecord.lineRateBps');
  if (offsetof<PointRecord>('kminBytes') != POINT_KMIN) ERROR('PointRecord.kminBytes');
  if (offsetof<PointRecord>('kmaxBytes') != POINT_KMAX) ERROR('PointRecord.kmaxBytes');
  if (offsetof<PointRecord>('pmax') != POINT_PMAX) ERROR('PointRecord.pmax');
  if (offsetof<PointRecord>('random') != POINT_RANDOM) ERROR('PointRecord.random');
  if (offsetof<PointRecord>('node') != POINT_NODE) ERROR('PointRecord.node');
  if (offsetof<PointRecord>('port') != POINT_PORT) ERROR('PointRecord.port');
  if (offsetof<PointRecord>('cls') != POINT_CLASS) ERROR('PointRecord.cls');
  if (offsetof<PointRecord>('flow') != POINT_FLOW) ERROR('PointRecord.flow');
  if (offsetof<PointRecord>('lenBytes') != POINT_LENGTH) ERROR('PointRecord.lenBytes');
  if (offsetof<PointRecord>('packet') != POINT_PACKET) ERROR('PointRecord.packet');
  if (offsetof<PointRecord>() != POINT_STATE) ERROR('PointRecord ends before or after POINT_STATE');
}

function checkNode(): void {
  if (offsetof<PointNode>('dequeue') != POINT_NODE_DEQUEUE) ERROR('PointNode.dequeue');
  if (offsetof<PointNode>('parameters') != POINT_NODE_PARAMETERS) ERROR('PointNode.parameters');
  if (offsetof<PointNode>('queues') != POINT_NODE_QUEUES) ERROR('PointNode.queues');
  if (offsetof<PointNode>('ports') != POINT_NODE_PORTS) ERROR('PointNode.ports');
  if (offsetof<PointNode>('flows') != POINT_NODE_FLOWS) ERROR('PointNode.flows');
  if (offsetof<PointNode>('queueBytes') != POINT_NODE_QUEUE_BYTES) ERROR('PointNode.queueBytes');
  if (offsetof<PointNode>('portBytes') != POINT_NODE_PORT_BYTES) ERROR('PointNode.portBytes');
  if (offsetof<PointNode>('flowBytes') != POINT_NODE_FLOW_BYTES) ERROR('PointNode.flowBytes');
  if (offsetof<PointNode>() != POINT_NODE_BYTES) ERROR('PointNode');
}
