/** A run of uet.wasm as a whole: what the host states, what the run counts, and events. */
import { defineRecord, f64, u32, u64 } from './define-record.js';

/** Why a run of uet.wasm ended; beyond UET_DONE the run is rejected. */
export const UET_DONE = 0;
/** Memory: the system grants no more, or 4 GiB are used. */
export const UET_OUT_OF_MEMORY = 1;
/** A sender exhausted its packet numbers. */
export const UET_OUT_OF_NUMBERS = 2;
/** REPS without trimming at its first timeout. */
export const UET_REPS_TIMEOUT = 3;
/** A oneshot trigger fired twice; `stopValue` is its id. */
export const UET_ONESHOT_TWICE = 4;
/** All is acknowledged while a later message is not due. */
export const UET_MESSAGE_GAP = 5;
/** The first message finds its NIC busy. */
export const UET_FIRST_MESSAGE_BUSY = 6;

/** Senders' control. */
export const UET_CONTROL_NONE = 0;
export const UET_CONTROL_NSCC = 1;
export const UET_CONTROL_DCTCP = 2;
export const UET_CONTROL_CONSTANT = 3;

/** Path selectors. */
export const UET_PATHS_OBLIVIOUS = 0;
export const UET_PATHS_BITMAP = 1;
export const UET_PATHS_MIXED = 2;
export const UET_PATHS_REPS = 3;
export const UET_PATHS_REPS_LEGACY = 4;

/** How a switch chooses among next hops. */
export const UET_HOPS_HASHED = 0;
export const UET_HOPS_ROUND_ROBIN = 1;
export const UET_HOPS_LEAF_ROUND_ROBIN = 2;
export const UET_HOPS_ADAPTIVE = 3;
export const UET_HOPS_STICKY = 4;
export const UET_HOPS_HOST_ADAPTIVE = 5;

/** What an event runs: by it the event's place in the record that owns it is known. */
export const UET_EVENT_SERVED = 0;
export const UET_EVENT_LINK = 1;
export const UET_EVENT_SWITCH = 2;
export const UET_EVENT_HOST_SERVED = 3;
export const UET_EVENT_HOST_LINK = 4;
export const UET_EVENT_NIC = 5;
export const UET_EVENT_PULL = 6;
export const UET_EVENT_INTERVAL = 7;
export const UET_EVENT_START = 8;
export const UET_EVENT_TIMEOUT = 9;
export const UET_EVENT_PROBE = 10;
export const UET_EVENT_MESSAGES = 11;
export const UET_EVENT_MESSAGES_STARTED = 12;

/** One event of an element, which is in the list at most once. */
export const UET_EVENT = /* @__PURE__ */ defineRecord('UetEvent', 32, {
  timePs: f64,
  /** Of events of one time the lower one runs first. */
  order: u64,
  /** Address of the event behind it, in a list by time; 0: none. */
  next: u32,
  /** Place in the heap and 1; 0: it is not in the heap. */
  heapPlace: u32,
  /** UET_EVENT_*. */
  kind: u32,
  /** Whether it is to run: a cancelled one may still be in the heap. */
  isListed: u32,
});

/** Settings of a run, and its totals. */
export const UET_RUN = /* @__PURE__ */ defineRecord('UetRun', 456, {
  /** Events at this time or later do not run. */
  endPs: f64,
  seed: u32,
  switchCount: u32,
  linkCount: u32,
  hostCount: u32,
  flowCount: u32,
  triggerCount: u32,
  messageCount: u32,
  feedCount: u32,
  /** Links, u32 each, in the lists of next hops of all switches. */
  hopCount: u32,
  /** Flows, u32 each, that triggers start. */
  targetCount: u32,
  /** Different ids of flows. */
  rankCount: u32,
  /** Bits of the number of buckets of the time wheel, and of a bucket's picoseconds. */
  wheelBits: u32,
  bucketBits: u32,
  /** UET_HOPS_*. */
  nextHops: u32,
  /** Adaptive routing compares levels of queues; 0: nothing. */
  isByQueue: u32,
  /** UET_PATHS_*. */
  selector: u32,
  paths: u32,
  /** UET_CONTROL_*. */
  control: u32,
  isReceiverControlled: u32,
  isBaseRttFromNacks: u32,
  isSleek: u32,
  isTrimming: u32,
  isOversubscribed: u32,
  isMessages: u32,
  trimBytes: u32,
  mtuBytes: u32,
  stickyPs: f64,
  ackBytes: f64,
  linkSpeedBps: f64,
  rttPs: f64,
  timeoutPs: f64,
  targetPs: f64,
  /** The largest window of the flow set up last. */
  maxWindowBytes: f64,
  /** NSCC: bytes per ps and byte; bytes per byte; bytes; a factor. */
  alpha: f64,
  fair: f64,
  eta: f64,
  fastScale: f64,
  /** NSCC: 2^qa_gate. */
  quickDivisor: f64,
  /** RCCC: picoseconds of 256 bytes. */
  quantumPs: f64,
  /** Control of an oversubscribed network. */
  increase: f64,
  decrease: f64,
  weight: f64,
  rateMin: f64,
  /** Addresses of the tables, which `initialise` lays out. */
  switchesAt: u32,
  linksAt: u32,
  hostsAt: u32,
  flowsAt: u32,
  triggersAt: u32,
  messagesAt: u32,
  feedsAt: u32,
  hopsAt: u32,
  targetsAt: u32,
  /** UET_*, and what it is about. */
  stopReason: u32,
  stopValue: f64,
  draws: f64,
  /** Transmissions of all ports. */
  packetHops: f64,
  events: f64,
  ecnMarks: f64,
  trims: f64,
  drops: f64,
  headerDrops: f64,
  tailSwaps: f64,
  maxLowBytes: f64,
  maxHighBytes: f64,
  /** Packets of all kinds, and their bytes. */
  packetsMade: f64,
  packetsDelivered: f64,
  bytesMade: f64,
  bytesDelivered: f64,
  bytesDropped: f64,
  bytesTrimmed: f64,
  acksMade: f64,
  nacksMade: f64,
  pullsMade: f64,
  trimmedDropped: f64,
});
