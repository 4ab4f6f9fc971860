/**
 * Records of a graph of operations in linear memory, shared by host and sim.wasm: byte offsets and codes, little-endian.
 *
 * This file is compiled twice, by tsc and by asc, so it holds plain integer constants only. Times are picoseconds.
 */

// ---- Kinds of operations.
export const OPERATION_COMPUTE = 0;
export const OPERATION_SEND = 1;
export const OPERATION_RECEIVE = 2;

// ---- What became of an operation: waits for others, waits for its lane, runs (a receive: is posted), has its message and
// waits for its lane, is done.
export const OPERATION_WAITS = 0;
export const OPERATION_READY = 1;
export const OPERATION_RUNS = 2;
export const OPERATION_CLAIMS = 3;
export const OPERATION_DONE = 4;

// ---- Flags of a send: when it is done, unless at its last ACK; and a receive is done at the sender's last ACK.
export const SEND_DONE_ISSUED = 1;
export const SEND_DONE_DELIVERED = 2;
export const RECEIVED_AT_LAST_ACK = 4;

// ---- Operation, 72 bytes. What the host writes comes first.
export const OPERATION_BYTES = 72;
export const OPERATION_KIND = 0;
export const OPERATION_STATE = 1;
export const OPERATION_FLAGS = 2;
/** u32: dependencies that are not met. */
export const OPERATION_WAITS_FOR = 4;
/** u32: lane, or SIM_NONE: it needs none. */
export const OPERATION_LANE = 8;
/** u32. A send: its flow; SIM_NONE: within a host. A receive with wildcards: the queue of its rank's arrivals. */
export const OPERATION_FLOW = 12;
/** u32: its first entry among the edges; those that wait for its end, and behind them those that wait for its start. */
export const OPERATION_FIRST_EDGE = 16;
export const OPERATION_END_EDGES = 20;
export const OPERATION_START_EDGES = 24;
/** u32. A send: its channel. A receive: the queue that it is posted to. */
export const OPERATION_CHANNEL = 32;
/** f64: a compute's duration; what a send or receive holds its lane for. */
export const OPERATION_DURATION = 40;
/** f64: when it began, and when it was done. */
export const OPERATION_START = 48;
export const OPERATION_END = 56;
/** u32: the operation whose end (or start) let it begin; SIM_NONE: none. */
export const OPERATION_CAUSE = 64;
/** u32: a receive's send and the reverse. */
export const OPERATION_MATCH = 68;

// ---- Lane, 16 bytes: the kernel's own.
export const LANE_BYTES = 16;

// ---- Channel: the messages of one source, destination and tag; 32 bytes. The receives that fit them have queues: one with
// the channel's own number, and three for receives from any source, with any tag, and both.
export const CHANNEL_BYTES = 32;
/** u32: the queue of all arrivals at the destination; SIM_NONE: no receive there has a wildcard. */
export const CHANNEL_ARRIVALS = 16;
/** u32: the queues of receives with wildcards, or SIM_NONE. */
export const CHANNEL_ANY_SOURCE = 20;
export const CHANNEL_ANY_TAG = 24;
export const CHANNEL_ANY = 28;

/** First and last operation. */
export const OPERATION_QUEUE_BYTES = 8;

/** Keys of operations that become ready have this many bits for the rounds of an instant. */
export const OPERATIONS_MAX = 16777216;
