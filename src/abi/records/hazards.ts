/**
 * PFC hazards (deadlocks, storms, slow receivers); only in plans with hazards. Counters that can exceed 2^32 are f64.
 */
import { array, defineRecord, f64, free, i64, u32 } from './define-record.js';

/** Maximum number of recorded deadlocks. */
export const DEADLOCKS_KEPT = 8;

/** Hazard settings and counters of the whole network. */
export const HAZARD_NETWORK = /* @__PURE__ */ defineRecord('HazardNetwork', 64, {
  /** Interval between checks of pauses; 0: none. */
  checkIntervalPs: f64,
  /** After a deadlock, the run ends if nothing was delivered for this long; 0: it continues. */
  quietPs: f64,
  /** Number of deadlocks so far. */
  deadlocks: u32,
  /** Number of recorded deadlocks. */
  deadlockRecords: u32,
  free24: free(40),
});

/** Hazards of a port. */
export const HAZARD_PORT = /* @__PURE__ */ defineRecord('HazardPort', 128, {
  /** Bit per class: the watchdog considers the queue stormed. */
  stormed: u32,
  /** Bit per class: the peer requests a pause of a stormed queue. */
  asked: u32,
  /** Bytes in the receive buffer of a slow host. */
  held: u32,
  /** First and last packet in the receive buffer. */
  head: u32,
  tail: u32,
  /** Size of the receive buffer. */
  capacity: u32,
  /** Buffer fill at which it pauses its peer, and fill at which it resumes. */
  xoff: u32,
  xon: u32,
  /** 1: it is pausing its peer. */
  pauses: u32,
  /** Maximum bytes in the buffer so far. */
  mostHeld: u32,
  /** Rate of the receive path; 0: that of the link. */
  rateBps: f64,
  /** Bit error probability of frames sent from this port. */
  bitErrors: f64,
  /** Frame error probability of frames sent from this port. */
  frameErrors: f64,
  /** Number of queues that the watchdog declared stormed. */
  storms: f64,
  /** Number of queues that it restored. */
  restored: f64,
  /** Packets dropped by the watchdog. */
  watchdogDrops: f64,
  /** Total time that queues were stormed, summed over classes. */
  stormedPs: f64,
  /** Packets dropped because the receive buffer was full. */
  receiveDrops: u32,
  /** Bit per class: a pause storm of this host pauses it. */
  storming: u32,
  free104: free(24),
});

/** A class of a port. */
export const HAZARD_CLASS = /* @__PURE__ */ defineRecord('HazardClass', 32, {
  free0: free(8),
  /** Stormed queue: time since which no pause is requested. */
  quietSincePs: i64,
  /** Stormed queue: time since which it is stormed. */
  stormedSincePs: i64,
  /** Bytes that arrived here and wait in suspected queues. */
  stuck: u32,
  /** Whether its queue is suspected of a deadlock. */
  suspected: u32,
});

/** A flow delayed by pauses although its own path is free. */
export const HAZARD_FLOW = /* @__PURE__ */ defineRecord('HazardFlow', 48, {
  /** How long it was delayed. */
  heldPs: f64,
  /** The longest interval accounted in one step. */
  longestPs: f64,
  /** Number of the last queue walk that visited it. */
  walk: u32,
  /** The queue that delays it, port * 8 + class + 1; 0: none. */
  place: u32,
  /** Port of its longest interval. */
  heldAt: u32,
  /** Port at which the pause of the longest interval began; SIM_NONE: a cycle of ports. */
  root: u32,
  /** Start of the interval being accounted at `place`. */
  sincePs: i64,
  /** Port at which the pause at `place` began. */
  placeRoot: u32,
  free44: free(4),
});

/** Watchdog of a node. */
export const HAZARD_NODE = /* @__PURE__ */ defineRecord('HazardNode', 48, {
  /** Detection time; 0: no watchdog. */
  detectionPs: f64,
  restorationPs: f64,
  pollPs: f64,
  /** 1: packets of a stormed queue are dropped; 0: they are sent. */
  drops: u32,
  /** Whether a poll is scheduled. */
  polling: u32,
  /** Shared memory in use if the suspected queues stay blocked and all others empty. */
  stuckShared: u32,
  free36: free(12),
});

/** A pause storm of a host. */
export const STORM = /* @__PURE__ */ defineRecord('Storm', 32, {
  port: u32,
  /** Bit per paused class. */
  classes: u32,
  fromPs: f64,
  /** End of the storm; a time after any run: it never ends. */
  untilPs: f64,
  /** Interval between pause frames. */
  everyPs: f64,
});

/** Queues that wait for each other. */
export const DEADLOCK = /* @__PURE__ */ defineRecord('Deadlock', 288, {
  /** When the last of the queues was paused. */
  formedPs: f64,
  /** When it was detected. */
  foundPs: f64,
  /** When it was found to be resolved; -1: never. */
  resolvedPs: f64,
  /** Number of ports in its cycle. */
  ports: u32,
  free28: free(4),
  /** The first queues of the cycle, port * 8 + class each. */
  cycle: array(u32, 64),
});
