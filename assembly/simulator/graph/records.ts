/** The records of a graph of operations, as unmanaged classes over linear memory; offsets are those of src/abi/graph-layout.ts. */
import { CHANNEL_ANY, CHANNEL_ARRIVALS, CHANNEL_BYTES, LANE_BYTES, OPERATION_BYTES, OPERATION_CHANNEL,
  OPERATION_DURATION, OPERATION_LANE, OPERATION_MATCH, OPERATION_QUEUE_BYTES,
  OPERATION_START_EDGES } from '../../../src/abi/graph-layout';

@unmanaged
export class Operation {
  kind: u8;
  state: u8;
  flags: u8;
  free3: u8;
  /** Dependencies that are not met. */
  waitsFor: u32;
  lane: u32;
  /** A send: its flow. A receive with wildcards: the queue of its rank's arrivals. */
  flow: u32;
  firstEdge: u32;
  endEdges: u32;
  startEdges: u32;
  /** Behind it in the one queue that it is in. */
  next: u32;
  /** A send: its channel. A receive: the queue that it is posted to. */
  channel: u32;
  /** A send whose message waits for a receive, where receives have wildcards: behind it among its rank's arrivals. */
  nextArrival: u32;
  durationPs: f64;
  startPs: f64;
  endPs: f64;
  /** The operation whose end or start let it begin. */
  cause: u32;
  /** A receive's send and the reverse; before that, of a message that waits: before it among its rank's arrivals. */
  match: u32;
}

/** One operation of a lane at a time, first come, first served. */
@unmanaged
export class Lane {
  /** Operations that wait for it. */
  head: u32;
  tail: u32;
  /** The operation that holds it. */
  holder: u32;
  /** The operation that held it last. */
  last: u32;
}

/** The messages of one source, destination and tag. */
@unmanaged
export class Channel {
  /** Sends that have begun and whose messages have not been offered, in order of their beginning. */
  begunHead: u32;
  begunTail: u32;
  /** Messages that no receive fitted. */
  arrivedHead: u32;
  arrivedTail: u32;
  arrivals: u32;
  anySource: u32;
  anyTag: u32;
  any: u32;
}

@unmanaged
export class OperationQueue {
  head: u32;
  tail: u32;
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkGraphLayouts(): void {
  if (offsetof<Operation>() != OPERATION_BYTES) ERROR('Operation');
  if (offsetof<Operation>('lane') != OPERATION_LANE) ERROR('Operation.lane');
  if (offsetof<Operation>('startEdges') != OPERATION_START_EDGES) ERROR('Operation.startEdges');
  if (offsetof<Operation>('channel') != OPERATION_CHANNEL) ERROR('Operation.channel');
  if (offsetof<Operation>('durationPs') != OPERATION_DURATION) ERROR('Operation.durationPs');
  if (offsetof<Operation>('match') != OPERATION_MATCH) ERROR('Operation.match');
  if (offsetof<Lane>() != LANE_BYTES) ERROR('Lane');
  if (offsetof<Channel>() != CHANNEL_BYTES) ERROR('Channel');
  if (offsetof<Channel>('arrivals') != CHANNEL_ARRIVALS) ERROR('Channel.arrivals');
  if (offsetof<Channel>('any') != CHANNEL_ANY) ERROR('Channel.any');
  if (offsetof<OperationQueue>() != OPERATION_QUEUE_BYTES) ERROR('OperationQueue');
}
