/** Custom congestion points: what their handlers see. */
import { defineRecord, f64, free, u16, u32 } from './define-record.js';

/** Header of the region: which ends of queues the points decide at, and the current call. */
export const POINT_CALL = /* @__PURE__ */ defineRecord('PointCall', 32, {
  seesArrivals: u32,
  seesDepartures: u32,
  /** POINT_HANDLER_* */
  handler: u32,
  /** POINT_FAULT_* */
  fault: u32,
  timePs: f64,
  value: f64,
});

/** One packet at one queue. */
export const POINT_RECORD = /* @__PURE__ */ defineRecord('PointRecord', 80, {
  queueBytes: f64,
  totalQueueBytes: f64,
  lineRateBps: f64,
  kminBytes: f64,
  kmaxBytes: f64,
  pmax: f64,
  random: f64,
  node: u32,
  port: u32,
  cls: u32,
  flow: u32,
  lenBytes: u32,
  /** POINT_PACKET_* */
  packet: u32,
});

/** The congestion point of a node. */
export const POINT_NODE = /* @__PURE__ */ defineRecord('PointNode', 32, {
  /** Indices in the function table; 0 = none. */
  enqueue: u32,
  dequeue: u32,
  parameters: u32,
  queues: u32,
  ports: u32,
  flows: u32,
  queueBytes: u16,
  portBytes: u16,
  flowBytes: u16,
  free30: free(2),
});
