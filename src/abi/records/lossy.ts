/** Additional state of fidelity `reference-lossy`. */
import { array, defineRecord, f64, free, i64, part, u32, u64, u8 } from './define-record.js';

/** Rules by which a data packet selects one of several equal-cost next hops. */
export const BALANCING_ECMP = 0;
export const BALANCING_DRILL = 1;
export const BALANCING_LETFLOW = 2;
export const BALANCING_CONGA = 3;
export const BALANCING_CONWEAVE = 4;

/** A generator of random numbers (mrg32k3a). */
export const GENERATOR = /* @__PURE__ */ defineRecord('Generator', 48, {
  words: array(u64, 6),
});

/** A flow. Fields with prefix `tx` belong to ConWeave at the source leaf, with `rx` at the destination leaf. */
export const LOSSY_FLOW = /* @__PURE__ */ defineRecord('LossyFlow', 192, {
  /**
   * First range of bytes beyond `sndUna` that the receiver has acknowledged selectively:
   * assembly/simulator/lossy/ranges.ts.
   */
  sacked: u32,
  /** First range of bytes beyond `expected` that the receiver holds. */
  held: u32,
  inRecovery: u32,
  /** State of the retransmission timer, TIMER_* of assembly/simulator/lossy/timer.ts. */
  timer: u32,
  /** Highest first byte sent, modulo 2^32. */
  maxSequence: u32,
  /** Highest cumulative number received, modulo 2^32. */
  highestAck: u32,
  recoverySequence: i64,
  timeoutDuePs: i64,
  timeoutOrder: i64,
  timeoutSetPs: i64,
  /** Index of its flowlets at its source leaf. */
  flowlet: u32,
  free60: free(4),
  /** Data packets sent. */
  sent: u32,
  /** Data packets received. */
  received: u32,
  /** Data packets received ahead of the expected byte. */
  outOfOrder: u32,
  /** Duplicate data packets. */
  duplicates: u32,
  acks: u32,
  naks: u32,
  /** Responses with an ECN mark. */
  cnps: u32,
  /** Data packets dropped. */
  drops: u32,
  txLastPs: i64,
  txDeadlinePs: i64,
  txTailPs: i64,
  txPath: u32,
  txEpoch: u32,
  txResolved: u8,
  txPhase: u8,
  rxPhase: u8,
  rxCached: u8,
  rxReordering: u8,
  flushScheduled: u8,
  free134: free(2),
  rxEpoch: u32,
  /** First and last packet held until earlier ones arrive. */
  heldHead: u32,
  heldTail: u32,
  free148: free(4),
  rxTxPs: i64,
  rxRxPs: i64,
  rxTailPs: i64,
  rxLastPs: i64,
  flushSetPs: i64,
});

/** Additional state of a port. */
export const LOSSY_PORT = /* @__PURE__ */ defineRecord('LossyPort', 160, {
  /** Bytes in the buffer that arrived by this port. */
  inBytes: u32,
  /** CONGA's estimate of the port's rate. */
  sentEstimate: u32,
  /** Number of ticks applied to CONGA's estimate. */
  sentTicks: i64,
  /** Bit per class: an event for the end of this port's pause is scheduled. */
  expiries: u32,
  /** Random generator for errors of its link. */
  generator: u32,
  /** Fraction of frames lost. */
  errorShare: f64,
  /** By class: end of the peer's pause. */
  pausedUntil: array(i64, 8),
  /** By class: when this port was last paused. */
  pauseSet: array(i64, 8),
});

/** Additional state of a switch. */
export const LOSSY_NODE = /* @__PURE__ */ defineRecord('LossyNode', 80, {
  /** All admitted bytes, and the bytes in the pools: ingress, ingress of class 1, egress. */
  total: u32,
  poolIn: u32,
  poolInOfClass1: u32,
  poolOut: u32,
  /** Limits of the ingress and egress pools. */
  limitIn: u32,
  limitOut: u32,
  /** When the switch saw its first packet (ConWeave) or data packet (CONGA); -1: none. */
  firstPs: i64,
  /** The switch's random generator for ECN marks. */
  generator: part(GENERATOR),
});

/** Fields added to a packet, after its telemetry. */
export const LOSSY_PART = /* @__PURE__ */ defineRecord('LossyPart', 56, {
  /** Bytes that a NAK reports: first byte, number; 0: it is an ACK. */
  nakSequence: i64,
  nakBytes: u32,
  /** Index of its path among all paths, or SIM_NONE; and the number of hops completed. */
  path: u32,
  pathHop: u32,
  /** CONGA: congestion of the path so far, and feedback for a reverse path. */
  congestion: u32,
  feedbackPath: u32,
  feedback: u32,
  epoch: u32,
  /** Kind of ConWeave packet, CONWEAVE_* of assembly/simulator/lossy/conweave.ts. */
  kind: u8,
  phase: u8,
  free38: free(2),
  txPs: i64,
  tailPs: i64,
});

/** The n-th arrival of a data packet, or of a response with a given expected byte, which a switch drops on purpose. */
export const FORCED_DROP = /* @__PURE__ */ defineRecord('ForcedDrop', 24, {
  flow: u32,
  /** Which arrival, counted from 1. */
  arrival: u32,
  sequence: f64,
  /** Number of arrivals so far. */
  seen: u32,
  /** 1: a response; 0: data. */
  isResponse: u32,
});
