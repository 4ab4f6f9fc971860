/** What PFC can do wrong; only in plans with hazards. Counts that can pass 2^32 are f64. */
import { array, defineRecord, f64, free, i64, u32 } from './define-record.js';

/** Deadlocks that have a record. */
export const DEADLOCKS_KEPT = 8;

/** The network as a whole. */
export const HAZARD_NETWORK = /* @__PURE__ */ defineRecord('HazardNetwork', 64, {
  /** Time between two checks of pauses; 0: none. */
  checkIntervalPs: f64,
  /** With a deadlock, the run ends when nothing was delivered for this long; 0: it continues. */
  quietPs: f64,
  /** Deadlocks so far. */
  deadlocks: u32,
  /** Deadlocks with a record. */
  deadlockRecords: u32,
  free24: free(40),
});

/** A port. */
export const HAZARD_PORT = /* @__PURE__ */ defineRecord('HazardPort', 128, {
  /** Bit per class: the watchdog considers the queue stormed. */
  stormed: u32,
  /** Bit per class: a pause of a stormed queue is requested. */
  asked: u32,
  /** Bytes in the receive buffer of a slow host. */
  held: u32,
  /** First and last packet in it. */
  head: u32,
  tail: u32,
  /** Its size. */
  capacity: u32,
  /** Bytes from which it pauses, and down to which it resumes. */
  xoff: u32,
  xon: u32,
  /** 1: it pauses. */
  pauses: u32,
  /** The most bytes that it held. */
  mostHeld: u32,
  /** Rate of the receive path; 0: that of the link. */
  rateBps: f64,
  /** Chance that a bit that leaves here is received wrong. */
  bitErrors: f64,
  /** Chance that a frame that leaves here is received wrong. */
  frameErrors: f64,
  /** Queues that the watchdog declared stormed. */
  storms: f64,
  /** Queues that it restored. */
  restored: f64,
  /** Packets that it dropped. */
  watchdogDrops: f64,
  /** How long queues counted as stormed, summed over classes. */
  stormedPs: f64,
  /** Packets that found the receive buffer full. */
  receiveDrops: u32,
  /** Bit per class: a storm of this host pauses it. */
  storming: u32,
  free104: free(24),
});

/** A class of a port. */
export const HAZARD_CLASS = /* @__PURE__ */ defineRecord('HazardClass', 32, {
  free0: free(8),
  /** Of a stormed queue: time since which no pause is requested. */
  quietSincePs: i64,
  /** Of a stormed queue: time since which it is stormed. */
  stormedSincePs: i64,
  /** Bytes that arrived here and wait in suspected queues. */
  stuck: u32,
  /** Whether its queue is suspected of a deadlock. */
  suspected: u32,
});

/** A flow that pauses hold although its own path is free. */
export const HAZARD_FLOW = /* @__PURE__ */ defineRecord('HazardFlow', 48, {
  /** How long it was held. */
  heldPs: f64,
  /** The longest interval accounted in one step. */
  longestPs: f64,
  /** Number of the last walk along a queue that visited it. */
  walk: u32,
  /** The queue that holds it, port * 8 + class + 1; 0: none. */
  place: u32,
  /** Port of its longest interval. */
  heldAt: u32,
  /** Port at which the pause of that interval began; SIM_NONE: a cycle of ports. */
  root: u32,
  /** Time since which it is accounted at `place`. */
  sincePs: i64,
  /** Port at which the pause at `place` began. */
  placeRoot: u32,
  free44: free(4),
});

/** Watchdog of a node. */
export const HAZARD_NODE = /* @__PURE__ */ defineRecord('HazardNode', 48, {
  /** 0: it has none. */
  detectionPs: f64,
  restorationPs: f64,
  pollPs: f64,
  /** 1: packets of a stormed queue are dropped; 0: they are sent. */
  drops: u32,
  /** Whether a poll is scheduled. */
  polling: u32,
  /** Shared memory in use if the suspected queues are blocked and all others empty. */
  stuckShared: u32,
  free36: free(12),
});

/** A pause storm of a host. */
export const STORM = /* @__PURE__ */ defineRecord('Storm', 32, {
  port: u32,
  /** Bit per class. */
  classes: u32,
  fromPs: f64,
  /** After any end of a run: it never ends. */
  untilPs: f64,
  /** Time between two pause frames. */
  everyPs: f64,
});

/** Queues that wait for each other. */
export const DEADLOCK = /* @__PURE__ */ defineRecord('Deadlock', 288, {
  /** When the last of them was paused. */
  formedPs: f64,
  /** When it was found. */
  foundPs: f64,
  /** When it was found resolved; -1: it was not. */
  resolvedPs: f64,
  /** Ports in its cycle. */
  ports: u32,
  free28: free(4),
  /** The first of them, port * 8 + class each. */
  cycle: array(u32, 64),
});
