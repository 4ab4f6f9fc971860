/** Loss, reordering and retransmission. */
import { defineRecord, f64, free, i64, u32 } from './define-record.js';

/** What a loss is to congestion control: what its algorithm makes of it, nothing, or a CNP. */
export const LOSS_REACTION_ALGORITHM = 0;
export const LOSS_REACTION_NONE = 1;
export const LOSS_REACTION_CNP = 2;

/** Losses of a flow. */
export const FLOW_LOSSES = /* @__PURE__ */ defineRecord('FlowLosses', 32, {
  /** Data packets that arrived ahead of the expected byte. */
  outOfOrder: u32,
  /** Packets that one of them was ahead, at most. */
  depth: u32,
  /** Duplicate data packets. */
  duplicates: u32,
  /** NAKs received by the sender. */
  naks: u32,
  retransmittedBytes: f64,
  /** Address of its FlowTransport; 0: it has the default transport. */
  transport: u32,
  free28: free(4),
});

/** State of flows whose transport is not the default (go-back-N, unlimited retries, losses reported to congestion control). */
export const FLOW_TRANSPORT = /* @__PURE__ */ defineRecord('FlowTransport', 160, {
  /** Reordering window of the receiver in packets. */
  windowPackets: u32,
  /** Address of the ring of packets that the receiver keeps. */
  keptRing: u32,
  /** Bits of that ring less 1. */
  keptMask: u32,
  /** IRN and `tolerant`: address of the ring of packets beyond `sndUna` that SACKs have named. */
  sackedRing: u32,
  /** Bits of that ring less 1. */
  sackedMask: u32,
  /** IRN: packets in flight up to which the low timeout holds. */
  fewPackets: u32,
  /** SIM_NONE: no limit. */
  retryLimit: u32,
  /** LOSS_REACTION_*. */
  lossReaction: u32,
  /** IRN: maximum bytes in flight. */
  capBytes: f64,
  /** Retries since `retryUna` was acknowledged. */
  retries: u32,
  /** Selective repeat: `sndNxt` is a single packet, after which sending continues at `resume`. IRN: in recovery. */
  again: u32,
  retryUna: i64,
  /** IRN: the packet that recovery begins with. */
  resume: i64,
  /** IRN: end of what was sent when recovery began. */
  recoveryEnd: i64,
  /** Position of recovery; `tolerant`: in packets. */
  resendNext: i64,
  /** End of the last packet that a SACK named. */
  sackedEnd: i64,
  /** Receiver: end of the last packet kept. */
  keptEnd: i64,
  /** Packets named by SACKs. */
  sacked: u32,
  /** Packets beyond the reordering window. */
  beyond: u32,
  /** `tolerant`: a packet is lost if one this many packets later is acknowledged; SIM_NONE: no limit. */
  distancePackets: u32,
  /** Address of the ring of times, i64: when the highest acknowledged packet was first this one or a later one; 0: none. */
  passedRing: u32,
  /** `tolerant`: time after which a packet is lost; 0: none. */
  lossTimePs: f64,
  /** Bytes beyond `sndUna` that SACKs have named. */
  sackedBytes: i64,
  /** Lost bytes that wait for retransmission. */
  lostBytes: i64,
  /** Packets: the highest acknowledged one and 1. */
  highestEnd: i64,
  /** Packets: those below are checked for loss; those below `resendNext` are retransmitted. */
  lostEnd: i64,
  isCheckSet: u32,
  free156: free(4),
});
