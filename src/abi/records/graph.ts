/** A graph of operations. */
import { defineRecord, f64, free, u32, u8 } from './define-record.js';

export const OPERATION = /* @__PURE__ */ defineRecord('Operation', 72, {
  kind: u8,
  state: u8,
  flags: u8,
  free3: free(1),
  /** Dependencies that are not met. */
  waitsFor: u32,
  lane: u32,
  /** A send: its flow. A receive with wildcards: the queue of its rank's arrivals. */
  flow: u32,
  firstEdge: u32,
  endEdges: u32,
  startEdges: u32,
  /** Behind it in the one queue that it is in. */
  next: u32,
  /** A send: its channel. A receive: the queue that it is posted to. */
  channel: u32,
  /** A send whose message waits for a receive, where receives have wildcards: behind it among its rank's arrivals. */
  nextArrival: u32,
  durationPs: f64,
  startPs: f64,
  endPs: f64,
  /** The operation whose end or start let it begin. */
  cause: u32,
  /** A receive's send and the reverse; before that, of a message that waits: before it among its rank's arrivals. */
  match: u32,
});

/** One operation of a lane at a time, first come, first served. */
export const LANE = /* @__PURE__ */ defineRecord('Lane', 16, {
  /** Operations that wait for it. */
  head: u32,
  tail: u32,
  /** The operation that holds it. */
  holder: u32,
  /** The operation that held it last. */
  last: u32,
});

/** The messages of one source, destination and tag. */
export const CHANNEL = /* @__PURE__ */ defineRecord('Channel', 32, {
  /** Sends that have begun and whose messages have not been offered, in order of their beginning. */
  begunHead: u32,
  begunTail: u32,
  /** Messages that no receive fitted. */
  arrivedHead: u32,
  arrivedTail: u32,
  arrivals: u32,
  anySource: u32,
  anyTag: u32,
  any: u32,
});

export const OPERATION_QUEUE = /* @__PURE__ */ defineRecord('OperationQueue', 8, {
  head: u32,
  tail: u32,
});
