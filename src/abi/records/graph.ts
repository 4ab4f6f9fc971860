/** A graph of operations. */
import { defineRecord, f64, free, u32, u8 } from './define-record.js';

/** Kinds of operations. */
export const OPERATION_COMPUTE = 0;
export const OPERATION_SEND = 1;
export const OPERATION_RECEIVE = 2;

/** It waits for others. */
export const OPERATION_WAITS = 0;
/** It waits for its lane. */
export const OPERATION_READY = 1;
/** It runs; of a receive: it is posted. */
export const OPERATION_RUNS = 2;
/** It has its message and waits for its lane. */
export const OPERATION_CLAIMS = 3;
export const OPERATION_DONE = 4;

/** Flags of a send: when it is done, unless at its last ACK. */
export const SEND_DONE_ISSUED = 1;
export const SEND_DONE_DELIVERED = 2;
/** Flag of a send: its receive is done at the last ACK. */
export const RECEIVED_AT_LAST_ACK = 4;

/** Keys of operations that become ready have this many bits for the rounds of an instant. */
export const OPERATIONS_MAX = 16777216;

/** An operation. */
export const OPERATION = /* @__PURE__ */ defineRecord('Operation', 72, {
  /** OPERATION_COMPUTE to OPERATION_RECEIVE. */
  kind: u8,
  /** OPERATION_WAITS to OPERATION_DONE. */
  state: u8,
  flags: u8,
  free3: free(1),
  /** Dependencies that are not met. */
  waitsFor: u32,
  /** SIM_NONE: it needs none. */
  lane: u32,
  /** A send: its flow; SIM_NONE: within a host. A receive with wildcards: the queue of its rank's arrivals. */
  flow: u32,
  /** Its first entry among the edges. */
  firstEdge: u32,
  /** Edges of operations that wait for its end. */
  endEdges: u32,
  /** Edges, behind those, of operations that wait for its start. */
  startEdges: u32,
  /** Next in the one queue that it is in. */
  next: u32,
  /** A send: its channel. A receive: the queue that it is posted to. */
  channel: u32,
  /** A send whose message waits for a receive, where receives have wildcards: next among its rank's arrivals. */
  nextArrival: u32,
  /** A compute: its duration. Else: how long it holds its lane. */
  durationPs: f64,
  startPs: f64,
  endPs: f64,
  /** The operation whose end or start let it begin; SIM_NONE: none. */
  cause: u32,
  /** A receive's send and the reverse; before that, of a message that waits: the one before it among its rank's arrivals. */
  match: u32,
});

/** A lane runs one operation at a time, first come, first served. */
export const LANE = /* @__PURE__ */ defineRecord('Lane', 16, {
  /** First and last operation that waits for it. */
  head: u32,
  tail: u32,
  /** The operation that holds it. */
  holder: u32,
  /** The operation that held it last. */
  last: u32,
});

/**
 * The messages of one source, destination and tag. The receives that fit them have queues: one with the channel's own number, and three
 * for receives from any source, with any tag, and both.
 */
export const CHANNEL = /* @__PURE__ */ defineRecord('Channel', 32, {
  /** Sends that have begun and whose messages have not been offered, in order of their beginning. */
  begunHead: u32,
  begunTail: u32,
  /** Messages that no receive fitted. */
  arrivedHead: u32,
  arrivedTail: u32,
  /** The queue of all arrivals at the destination; SIM_NONE: no receive there has a wildcard. */
  arrivals: u32,
  /** The queues of receives with wildcards, or SIM_NONE. */
  anySource: u32,
  anyTag: u32,
  any: u32,
});

/** First and last operation of a queue. */
export const OPERATION_QUEUE = /* @__PURE__ */ defineRecord('OperationQueue', 8, {
  head: u32,
  tail: u32,
});
