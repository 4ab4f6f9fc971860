/** Flows of a run of uet.wasm: both ends of each flow, triggers, messages. */
import { array, defineRecord, f64, free, part, u16, u32, u8 } from './define-record.js';
import { UET_RING } from './uet-network.js';
import { UET_EVENT } from './uet-run.js';

/** Kinds of triggers. */
export const UET_TRIGGER_ONESHOT = 0;
export const UET_TRIGGER_MULTISHOT = 1;
export const UET_TRIGGER_BARRIER = 2;

/** No sequence number, no trigger. */
export const UET_NONE = 4294967295;

/** A packet number that the sender does not know to be acknowledged, in a ring. */
export const UET_SENT = /* @__PURE__ */ defineRecord('UetSent', 32, {
  sentPs: f64,
  /** Neighbours, in send order, among the numbers that the timer watches; UET_NONE: none. */
  older: u32,
  newer: u32,
  /** Number of retransmissions so far. */
  copies: u32,
  /** 1 + the index of its message; 0: none. */
  message: u32,
  /** Size of an outstanding packet; 0: not outstanding. */
  sizeBytes: u16,
  /** Size of a packet waiting for retransmission; 0: not waiting. */
  queuedBytes: u16,
  /** Size on the wire, for packets of messages. */
  wireBytes: u16,
  isTimed: u8,
  isAcknowledged: u8,
});

/** A flow: sender, path selector, receiver. */
export const UET_FLOW = /* @__PURE__ */ defineRecord('UetFlow', 832, {
  start: part(UET_EVENT),
  timeout: part(UET_EVENT),
  probe: part(UET_EVENT),
  startPs: f64,
  finishPs: f64,
  sizeBytes: f64,
  /** Start time; -1: a trigger or a message starts it. */
  duePs: f64,
  /** Addresses of the source and destination hosts; their numbers. */
  sourceAt: u32,
  destinationAt: u32,
  source: u32,
  destination: u32,
  /** Ids of sender and receiver: as hash input, and as rank among all ids. */
  senderWord: u32,
  senderRank: u32,
  receiverWord: u32,
  receiverRank: u32,
  /** Index of the trigger that its end fires. */
  doneTrigger: u32,
  isWaiting: u32,
  nextSeq: u32,
  isSpeculating: u32,
  backlogBytes: f64,
  creditBytes: f64,
  lastPull: f64,
  pullTarget: f64,
  receivedReport: f64,
  lastRtsPs: f64,
  /** Reference time of the timer; -1: never started. */
  timedPs: f64,
  windowBytes: f64,
  maxWindowBytes: f64,
  baseRttPs: f64,
  averageDelayPs: f64,
  inFlightBytes: f64,
  achievedBytes: f64,
  receivedBytes: f64,
  ignoredBytes: u32,
  /** NSCC state. */
  ignoreBytes: u32,
  fastBytes: u32,
  isFast: u32,
  wasNacked: u32,
  /** All lower numbers are acknowledged. */
  lowestSeq: u32,
  increase: f64,
  fairSum: f64,
  proportionalSum: f64,
  lastDecreasePs: f64,
  lastAdjustPs: f64,
  quickEndPs: f64,
  /** UetSent records, by number modulo the capacity. */
  sentAt: u32,
  sentCapacity: u32,
  oldestSeq: u32,
  newestSeq: u32,
  /** Bitmap of numbers waiting for retransmission, after the records; their count; the lowest number; their bytes. */
  queuedAt: u32,
  queuedCount: u32,
  queuedFirst: u32,
  /** State of the loss recovery SLEEK. */
  isRecovering: u32,
  queuedBytes: f64,
  recoverySeq: u32,
  highestResent: u32,
  probeSeq: u32,
  /** Oblivious spraying: order of the paths; penalties, one byte per path. */
  pathTop: u32,
  probePs: f64,
  pathMask: u32,
  pathPlace: u32,
  penaltiesAt: u32,
  /** State of the path selector REPS. */
  repsHead: u32,
  repsCount: u32,
  repsFresh: u32,
  repsToExplore: u32,
  repsIsFrozen: u32,
  repsFrozenUntilPs: f64,
  repsFrozenSlot: u32,
  repsIsFresh: u32,
  repsValues: array(u16, 8),
  /** Entropy values with good feedback. */
  good: part(UET_RING),
  newPackets: f64,
  retransmissions: f64,
  requestsToSend: f64,
  acks: f64,
  nacks: f64,
  pulls: f64,
  timeouts: f64,
  echoes: f64,
  sleekPackets: f64,
  fairChange: f64,
  proportionalChange: f64,
  fastChange: f64,
  etaChange: f64,
  multiplicativeChange: f64,
  quickChange: f64,
  nackChange: f64,
  /** Receiver: the lowest missing number; numbers received above it, in a ring bitmap. */
  expectedSeq: u32,
  outOfOrder: u32,
  isReceivedAt: u32,
  acceptedBytes: u32,
  pathOfPulls: u32,
  isAckPending: u32,
  isActive: u32,
  free660: free(4),
  acceptedWireBytes: f64,
  pullNumber: f64,
  askedPull: f64,
  rxPackets: f64,
  rxBytes: f64,
  rxMarked: f64,
  rxOutOfOrder: f64,
  rxDuplicates: f64,
  rxTrimmed: f64,
  rxTrimmedLastHop: f64,
  /**
   * Messages: index of the first one by due time; their number; numbers of due and of sent messages; wire bytes due and
   * acknowledged.
   */
  firstMessage: u32,
  messages: u32,
  messagesDue: u32,
  messagesSent: u32,
  totalBytes: f64,
  acknowledgedBytes: f64,
  free776: free(56),
});

/** A trigger, which starts flows. */
export const UET_TRIGGER = /* @__PURE__ */ defineRecord('UetTrigger', 40, {
  id: f64,
  firings: f64,
  /** Number of firings of a barrier. */
  count: f64,
  /** Type of the trigger, UET_TRIGGER_*. */
  type: u32,
  /** Index of the first flow that it starts; number of flows. */
  firstTarget: u32,
  targets: u32,
  free36: free(4),
});

/** A message of a reused connection. */
export const UET_MESSAGE = /* @__PURE__ */ defineRecord('UetMessage', 64, {
  duePs: f64,
  wireBytes: f64,
  startPs: f64,
  finishPs: f64,
  unsentBytes: f64,
  unacknowledgedPackets: f64,
  /** First packet number; UET_NONE: not assigned yet. */
  firstSeq: u32,
  lastSeq: u32,
  free56: free(8),
});

/** An event at which messages of a flow become due, or its start is checked. */
export const UET_FEED = /* @__PURE__ */ defineRecord('UetFeed', 48, {
  due: part(UET_EVENT),
  duePs: f64,
  /** Index of the flow. */
  flow: u32,
  /** Whether it checks that the flow has started. */
  isCheck: u32,
});
