/** Operations of a job: computations, sends and receives with dependencies. */
import { defineRecord, f64, free, u32, u8 } from './define-record.js';

/** Kinds of operations. */
export const OPERATION_COMPUTE = 0;
export const OPERATION_SEND = 1;
export const OPERATION_RECEIVE = 2;

/** The operation waits for dependencies. */
export const OPERATION_WAITS = 0;
/** The operation waits for its lane. */
export const OPERATION_READY = 1;
/** The operation is running; a receive is posted. */
export const OPERATION_RUNS = 2;
/** A receive that has its message and waits for its lane. */
export const OPERATION_CLAIMS = 3;
export const OPERATION_DONE = 4;

/** Flags of a send: when it counts as done. Without a flag: at its last ACK. */
export const SEND_DONE_ISSUED = 1;
export const SEND_DONE_DELIVERED = 2;
/** Flag of a send: its receive is done at the last ACK. */
export const RECEIVED_AT_LAST_ACK = 4;

/**
 * Maximum number of operations: the keys of ready operations use this many numbers for each round within an instant.
 */
export const OPERATIONS_MAX = 16777216;

/** An operation. */
export const OPERATION = /* @__PURE__ */ defineRecord('Operation', 72, {
  /** Kind, OPERATION_COMPUTE to OPERATION_RECEIVE. */
  kind: u8,
  /** State, OPERATION_WAITS to OPERATION_DONE. */
  state: u8,
  flags: u8,
  free3: free(1),
  /** Number of unmet dependencies. */
  waitsFor: u32,
  /** Lane of the operation; SIM_NONE: it needs none. */
  lane: u32,
  /** Send: its flow; SIM_NONE: within one host. Receive with wildcards: the queue of its rank's arrivals. */
  flow: u32,
  /** First entry of the operation among the edges. */
  firstEdge: u32,
  /** Number of edges to operations that wait for its end. */
  endEdges: u32,
  /** Number of edges to operations that wait for its start; they follow the end edges. */
  startEdges: u32,
  /** Next operation in its queue; it is in one queue at most. */
  next: u32,
  /** Send: its channel. Receive: the queue to which it is posted. */
  channel: u32,
  /** Send whose message waits for a receive, if receives have wildcards: next among its rank's arrivals. */
  nextArrival: u32,
  /** Compute: its duration. Others: how long they hold their lane. */
  durationPs: f64,
  startPs: f64,
  endPs: f64,
  /** The operation whose end or start allowed it to begin; SIM_NONE: none. */
  cause: u32,
  /**
   * The receive's send, or the send's receive. Before that, for a waiting message: the previous one among its rank's
   * arrivals.
   */
  match: u32,
});

/** A lane runs one operation at a time, first come, first served. */
export const LANE = /* @__PURE__ */ defineRecord('Lane', 16, {
  /** First and last waiting operation. */
  head: u32,
  tail: u32,
  /** The operation that occupies it. */
  holder: u32,
  /** The operation that occupied it last. */
  last: u32,
});

/**
 * The messages with one source, destination and tag. Matching receives are queued in the queue with the channel's
 * number, and in three queues for receives from any source, with any tag, and both.
 */
export const CHANNEL = /* @__PURE__ */ defineRecord('Channel', 32, {
  /** First and last send that has begun but whose message was not offered to receives yet, in order of their start. */
  begunHead: u32,
  begunTail: u32,
  /** First and last message that matched no receive. */
  arrivedHead: u32,
  arrivedTail: u32,
  /** The queue of all arrivals at the destination; SIM_NONE: no receive there has a wildcard. */
  arrivals: u32,
  /** Queues of receives with wildcards, or SIM_NONE. */
  anySource: u32,
  anyTag: u32,
  any: u32,
});

/** First and last operation of a queue. */
export const OPERATION_QUEUE = /* @__PURE__ */ defineRecord('OperationQueue', 8, {
  head: u32,
  tail: u32,
});
