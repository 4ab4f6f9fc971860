/**
 * What flows and QPs have in addition to their records in network.ts, each only in plans that need it: several messages
 * of a QP (plans with connections), messages that share the records of flows (`messages: 'sums'`), verbs other than a
 * plain RDMA WRITE, agents outside the simulation, and credit from receivers (RCCC, `receiverCredit`).
 */
import { defineRecord, f64, free, i64, u32, part, u16, u8 } from './define-record.js';
import { SIM_FLOW } from './network.js';

/** Flow flag: its record is the record of a QP with several messages. */
export const FLOW_CONNECTION = 65536;

/** Flags of a message. */
export const QP_MESSAGE_POSTED = 1;
export const QP_MESSAGE_DONE = 2;
export const QP_MESSAGE_RECEIVED = 4;
export const QP_MESSAGE_FAILED = 8;
/**
 * Its counters are in its record. Before that, once it is the oldest unacknowledged message, the QP's counters are its
 * own.
 */
export const QP_MESSAGE_COUNTED = 16;

/**
 * A message of a QP with several, indexed by its flow; each flow is then a message. Counters are the QP's while this
 * was the oldest unacknowledged message.
 */
export const QP_MESSAGE = /* @__PURE__ */ defineRecord('QpMessage', 160, {
  /** The flow that leads its QP; SIM_NONE: the flow has a separate QP. */
  leader: u32,
  /** QP_MESSAGE_* flags. */
  flags: u32,
  /** Sequence number of its first byte; messages begin at packet boundaries, as PSNs count packets. */
  first: i64,
  /** Sequence number after its last byte. */
  end: i64,
  /** Number of sequence numbers left unused by the short last packets of earlier messages. */
  padding: i64,
  /** When it was posted. */
  postedPs: f64,
  /** When its first packet was sent. */
  beganPs: f64,
  /** When its last byte was acknowledged. */
  finishPs: f64,
  /** Rate of the QP when its first packet was sent. */
  beganRateBps: f64,
  firstNotificationPs: f64,
  retransmitted: f64,
  retransmittedBytes: f64,
  timeouts: f64,
  cnps: u32,
  fastCnps: u32,
  duplicateNotifications: u32,
  outOfOrder: u32,
  depth: u32,
  duplicates: u32,
  naks: u32,
  sacked: u32,
  beyond: u32,
  /** 1: posting it restarted the QP at line rate. */
  restarted: u32,
  /** The message that was posted after it. */
  next: u32,
  /** Number of messages posted before it. */
  ordinal: u32,
  sizeBytes: i64,
  discarded: u32,
  free156: free(4),
});

/** The messages of a QP, indexed by the flow that leads it; SIM_NONE: none. */
export const QP_STREAM = /* @__PURE__ */ defineRecord('QpStream', 48, {
  /** Number of unfinished messages, posted or not; the host writes the total of the QP. */
  left: u32,
  /** The oldest unacknowledged message. */
  acking: u32,
  /** The oldest message that is not yet received. */
  receiving: u32,
  /** The last message posted. */
  last: u32,
  /** The message that contains `sndNxt`, or a neighbour. */
  sending: u32,
  /** The first message posted. */
  first: u32,
  /** Unused sequence numbers of all messages posted so far. */
  padding: i64,
  /** When the last byte in flight was acknowledged. */
  idleSincePs: i64,
  free40: free(8),
});

/** A message whose flow shares its record with others: size, pattern and ports. */
export const MESSAGE = /* @__PURE__ */ defineRecord('Message', 16, {
  sizeBytes: f64,
  /** Index of its pattern. */
  pattern: u32,
  /** UDP ports, source port in the high half. */
  udpPorts: u32,
});

/** Properties shared by messages. */
export const PATTERN = /* @__PURE__ */ defineRecord('Pattern', 264, {
  /** The initial record of a flow, as the host writes it. */
  flow: part(SIM_FLOW),
  parameterSet: u32,
  job: u32,
});

/** Current use of a flow's record. */
export const RECORD_USE = /* @__PURE__ */ defineRecord('RecordUse', 8, {
  /** Job of its current message. */
  job: u32,
  /** Packets of the current message in the network. */
  packets: u32,
});

/** Sums of a job over its messages. */
export const MESSAGE_SUMS = /* @__PURE__ */ defineRecord('MessageSums', 104, {
  /** Number of finished messages. */
  done: f64,
  deliveredBytes: f64,
  retransmittedPackets: f64,
  retransmittedBytes: f64,
  timeouts: f64,
  cnps: f64,
  duplicateNotifications: f64,
  /** Data packets that arrived ahead of the expected byte. */
  outOfOrderPackets: f64,
  /** Maximum number of packets by which a data packet arrived ahead. */
  reorderingDepthPackets: f64,
  duplicatePackets: f64,
  naks: f64,
  /** Completion times from start to last ACK, summed. */
  completionPs: f64,
  /** Maximum completion time, from start to last ACK. */
  mostCompletionPs: f64,
});

/** The verb of a flow that is not a plain RDMA WRITE. */
export const FLOW_VERB = /* @__PURE__ */ defineRecord('FlowVerb', 64, {
  /** SEND: the time at which its receiver has posted a receive. */
  readyPs: f64,
  /** Wait after an RNR NAK, as given by the receiver's timer code. */
  rnrTimerPs: f64,
  /** Maximum number of waits before it fails; SIM_NONE: no limit. */
  rnrRetryLimit: u32,
  /** READ: length of a request. */
  requestBytes: u32,
  /** Number of READ requests sent. */
  requests: u32,
  /** Number of RNR NAKs that its sender received. */
  rnrNaks: u32,
  /** Total time of its RNR waits. */
  rnrWaitedPs: f64,
  /** Requester of a READ: when it last sent a request or accepted a response. */
  progressPs: i64,
  /** Responder of a READ: 1 if its first request has arrived. */
  responding: u32,
  /** Receiver of a SEND: 1 if it has sent an RNR NAK, and the rejected packet was not received again yet. */
  rejecting: u32,
  /** Sender of a SEND: number of RNR waits so far. */
  rnrRetries: u32,
  free60: free(4),
});

/**
 * Control and observation of a QP by an agent outside the simulation, indexed by the flow that leads the QP. Counters
 * run from the start.
 */
export const QP_AGENT = /* @__PURE__ */ defineRecord('QpAgent', 96, {
  /** Rate set by the agent; 0: the algorithm's rate. */
  rateBps: f64,
  /** Window set by the agent; 0: the algorithm's window. */
  windowBytes: u32,
  /** Written by `simObserve`: the window in effect, at most 2^32 - 1; 0: none. */
  windowNowBytes: u32,
  /** Rate used for the current gap; 0: the algorithm's rate. */
  gapRateBps: f64,
  /** When the last packet was sent. */
  sentPs: i64,
  /** Length of the last packet sent; 0: none was sent. */
  sentLenBytes: u32,
  /** Number of retransmitted packets. */
  retransmitted: u32,
  /** Payload sent, including retransmissions. */
  sentBytes: f64,
  /** Written by `simObserve`: acknowledged payload. */
  ackedBytes: f64,
  /** Written by `simObserve`: payload in flight. */
  inFlightBytes: f64,
  /** Sum of the round-trip times of ACKs. */
  rttSumPs: f64,
  /** Shortest round-trip time since the host last wrote Infinity. */
  rttMinPs: f64,
  /** Number of ACKs and NAKs. */
  acks: u32,
  /** Number of ACKs and NAKs for ECN-marked packets. */
  markedAcks: u32,
  /** Number of CNPs and Fast CNPs. */
  cnps: u32,
  free92: free(4),
});

/** CreditFlow.list: the pacer's list that contains the flow. */
export const CREDIT_LIST_NONE = 0;
export const CREDIT_LIST_ACTIVE = 1;
export const CREDIT_LIST_IDLE = 2;

/**
 * A flow whose receiver grants credit. Targets and pull numbers are quanta of 256 bytes. All zeros is the state before
 * the first packet.
 */
export const CREDIT_FLOW = /* @__PURE__ */ defineRecord('CreditFlow', 40, {
  /** Receiver: the highest target that arrived. */
  target: i64,
  /** Receiver: credit granted so far. */
  granted: i64,
  /** Sender: when credit last arrived, or was missing for a whole timeout. */
  progressPs: i64,
  /** Neighbours in the list, as flow numbers + 1; 0: none. */
  next: u32,
  previous: u32,
  /** UDP source port of the latest data packet; 0: the flow's own. */
  sourcePort: u16,
  /** The list that it is in, CREDIT_LIST_*. */
  list: u8,
  free35: free(5),
});

/** The pull pacer of a host's port. Ends of lists are flow numbers + 1; 0: the list is empty. */
export const CREDIT_PACER = /* @__PURE__ */ defineRecord('CreditPacer', 20, {
  /** First and last flow whose sender requested more than was granted. */
  activeFirst: u32,
  activeLast: u32,
  /** First and last flow whose sender requested no more than was granted. */
  idleFirst: u32,
  idleLast: u32,
  /** 1: its next grant is scheduled. */
  isRunning: u32,
});
