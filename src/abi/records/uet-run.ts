/** A run of uet.wasm: settings from the host, counters of the run, and events. */
import { defineRecord, f64, u32, u64 } from './define-record.js';

/** Why a run of uet.wasm ended; for every reason but UET_DONE the run is rejected. */
export const UET_DONE = 0;
/** Out of memory: the system grants no more, or 4 GiB are used. */
export const UET_OUT_OF_MEMORY = 1;
/** A sender ran out of packet numbers. */
export const UET_OUT_OF_NUMBERS = 2;
/** REPS without trimming had its first timeout. */
export const UET_REPS_TIMEOUT = 3;
/** A one-shot trigger fired twice; `stopValue` is its id. */
export const UET_ONESHOT_TWICE = 4;
/** Everything is acknowledged while a later message is not due yet. */
export const UET_MESSAGE_GAP = 5;
/** The NIC was busy when the first message was due. */
export const UET_FIRST_MESSAGE_BUSY = 6;

/** Congestion control of senders. */
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

/** How a switch selects among next hops. */
export const UET_HOPS_HASHED = 0;
export const UET_HOPS_ROUND_ROBIN = 1;
export const UET_HOPS_LEAF_ROUND_ROBIN = 2;
export const UET_HOPS_ADAPTIVE = 3;
export const UET_HOPS_STICKY = 4;
export const UET_HOPS_HOST_ADAPTIVE = 5;

/** What an event runs; it also determines the event's offset in the record that contains it. */
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

/** An event of an element; it is scheduled at most once at a time. */
export const UET_EVENT = /* @__PURE__ */ defineRecord('UetEvent', 32, {
  timePs: f64,
  /** Among simultaneous events, the lowest runs first. */
  order: u64,
  /** Address of the next event in a list by time; 0: none. */
  next: u32,
  /** 1 + its position in the heap; 0: not in the heap. */
  heapPlace: u32,
  /** What the event runs, UET_EVENT_*. */
  kind: u32,
  /** Whether it is scheduled: a cancelled event may still be in the heap. */
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
  /** Number of entries, u32 each, in the next-hop lists of all switches. */
  hopCount: u32,
  /** Number of flows, u32 each, started by triggers. */
  targetCount: u32,
  /** Number of distinct flow ids. */
  rankCount: u32,
  /** Log2 of the number of buckets of the time wheel, and of a bucket's duration in picoseconds. */
  wheelBits: u32,
  bucketBits: u32,
  /** How switches select next hops, UET_HOPS_*. */
  nextHops: u32,
  /** Whether adaptive routing compares queue levels; 0: no comparison. */
  isByQueue: u32,
  /** Path selector of senders, UET_PATHS_*. */
  selector: u32,
  paths: u32,
  /** Congestion control of senders, UET_CONTROL_*. */
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
  /** The largest window of the last flow set up. */
  maxWindowBytes: f64,
  /** NSCC parameters: bytes per ps and byte; bytes per byte; bytes; a factor. */
  alpha: f64,
  fair: f64,
  eta: f64,
  fastScale: f64,
  /** NSCC: divisor for quick adapt, 2^qa_gate. */
  quickDivisor: f64,
  /** RCCC: duration of 256 bytes, picoseconds. */
  quantumPs: f64,
  /** Control for oversubscribed networks. */
  increase: f64,
  decrease: f64,
  weight: f64,
  rateMin: f64,
  /** Addresses of the tables that `initialise` lays out. */
  switchesAt: u32,
  linksAt: u32,
  hostsAt: u32,
  flowsAt: u32,
  triggersAt: u32,
  messagesAt: u32,
  feedsAt: u32,
  hopsAt: u32,
  targetsAt: u32,
  /** UET_* reason, and the value it refers to. */
  stopReason: u32,
  stopValue: f64,
  draws: f64,
  /** Number of transmissions of all ports. */
  packetHops: f64,
  events: f64,
  ecnMarks: f64,
  trims: f64,
  drops: f64,
  headerDrops: f64,
  tailSwaps: f64,
  maxLowBytes: f64,
  maxHighBytes: f64,
  /** Packets created, of all kinds; their bytes. */
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
