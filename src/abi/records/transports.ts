/** Loss, reordering and retransmission. */
import { defineRecord, f64, free, i64, u32, u64, u8 } from './define-record.js';

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
  /** NAKs received by the sender; of MRC, NACKs. */
  naks: u32,
  retransmittedBytes: f64,
  /** Address of its FlowTransport; 0: it has the default transport. */
  transport: u32,
  free28: free(4),
});

/** State of flows whose transport is not the default (go-back-N, unlimited retries, losses reported to congestion control). */
export const FLOW_TRANSPORT = /* @__PURE__ */ defineRecord('FlowTransport', 296, {
  /** Reordering window of the receiver in packets. */
  windowPackets: u32,
  /** Address of the ring of packets that the receiver keeps. */
  keptRing: u32,
  /** Bits of that ring less 1. */
  keptMask: u32,
  /** IRN, `tolerant` and MRC: address of the ring of packets beyond `sndUna` that SACKs have named. */
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
  /** Selective repeat: `sndNxt` is a single packet, after which sending continues at `resume`. IRN: in recovery. MRC: the packet that is leaving is a retransmission. */
  again: u32,
  retryUna: i64,
  /** IRN: the packet that recovery begins with. */
  resume: i64,
  /** IRN: end of what was sent when recovery began. */
  recoveryEnd: i64,
  /** Position of recovery; `tolerant` and MRC: in packets. */
  resendNext: i64,
  /** End of the last packet that a SACK named. */
  sackedEnd: i64,
  /** Receiver: end of the last packet kept. */
  keptEnd: i64,
  /** Packets named by SACKs. */
  sacked: u32,
  /** Packets beyond the reordering window. */
  beyond: u32,
  /** `tolerant`, and MRC with `orderRing`: a packet is lost if one this many packets later is acknowledged; SIM_NONE: no limit. */
  distancePackets: u32,
  /**
   * Address of the ring of times, i64, 0: none. `tolerant`: when the highest acknowledged packet was first this one or a later one; MRC: when the
   * packet was sent last.
   */
  passedRing: u32,
  /** `tolerant` and MRC: time after which a packet is lost; 0: none. */
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
  /** MRC: address of the ring of packets that are lost and wait for retransmission; its bits are as many as those of `sackedRing`. */
  lostRing: u32,
  /** MRC, receiver: a SACK is sent once more bytes than this have arrived since the last one. */
  sackEveryBytes: u32,
  /** Bytes that have arrived since then. */
  untoldBytes: u32,
  /** Length of a NACK. */
  nackBytes: u32,
  /** MRC: address of the ring of UDP source ports, u16, of packets in flight; 0: none. */
  entropyRing: u32,
  /** MRC: when the latest packet that a SACK was sent for left its sender. */
  newestSentPs: i64,
  /** MRC, receiver: the highest packet that has arrived, and 1. */
  receivedEnd: i64,
  /** The highest packet that asked for a SACK, and 1. */
  askedEnd: i64,
  /** MRC: whether each packet has its timer; timeouts in a row that have the same interval; whether each packet's timeout counts, or each round's. */
  timesPackets: u32,
  linearTimeouts: u32,
  countsPackets: u32,
  /** Timeouts that count since `timedBytes` were acknowledged; when the last one was. */
  timeoutsInRow: u32,
  timedBytes: i64,
  countedPs: i64,
  /** MRC: whether packets ask for SACKs while the window is small. */
  asksInSmallWindow: u32,
  /** MRC: address of the ring of packets in flight of which the receiver sends a SACK at once, as many bits as `sackedRing`; 0: no probes of a shut window. */
  askingRing: u32,
  /** MRC, probes of a shut window: their length, the number of the last one, whether its SACK is awaited. */
  probeBytes: u32,
  probeId: u32,
  awaitsProbe: u32,
  /** MRC: whether a packet leaves only if it fits into the window whole. */
  sendsWholePackets: u32,
  /** When it was sent, 0 after a timeout; packets sent by then. */
  probedPs: i64,
  probedEnd: i64,
  /** MRC: address of the ring of the newest packets, u32, that had been sent when a packet in flight was sent last; 0: no loss by distance. */
  orderRing: u32,
  /** MRC, receiver: bytes of a data packet around its payload in its nominal size; nominal sizes of the packets that have arrived, each once and whole. */
  nominalHeaderBytes: u32,
  receivedBytes: i64,
  /** MRC, receiver: packets from the expected one on that it accepts; whether it drops those beyond instead of sending NACKs. */
  rangePackets: u32,
  dropsBeyond: u32,
});

/** What a packet of MRC has besides a SimPacket, in the place of SACKs. */
export const MRC_PACKET = /* @__PURE__ */ defineRecord('MrcPacket', 32, {
  /** SACKs: the first packet of the map; bit i: packet `mapFirst` + i has arrived. */
  mapFirst: i64,
  map: u64,
  /** TRIM_*; of a NACK that of its packet. */
  trimmed: u8,
  /** Data: asks for a SACK at once; is a retransmission. SACKs: `asks` says ALWAYS_SKIP. */
  asks: u8,
  again: u8,
  /** PROBE_*. SACKs: that of what they acknowledge. */
  probe: u8,
  /** Of a SACK: the packet that caused it, the low 32 bits of its number. Of a probe and its SACK: the number of the probe. */
  cause: u32,
  /** Of a SACK: bytes received, in units of 256, 24 bits. Of a trimmed packet: payload that it had. */
  received: u32,
  /** Of a NACK: NACK_*. */
  reason: u8,
  free29: free(3),
});

/** MrcPacket.trimmed: it is whole; trimmed by a switch that leads to another one; by one that leads to its host. */
export const TRIM_NONE = 0;
export const TRIM_TRANSIT = 1;
export const TRIM_LAST_HOP = 2;

/** MrcPacket.reason: a switch trimmed the packet; or the receiver's, as in packets: beyond its range. */
export const NACK_TRIMMED = 0;
export const NACK_OUT_OF_RANGE = 0x0b;

/** MrcPacket.probe: it is data; a probe, without payload, of a path; one of a shut window. */
export const PROBE_NONE = 0;
export const PROBE_PATH = 1;
export const PROBE_WINDOW = 2;

/** Packet trimming: a class of a port. */
export const TRIM_QUEUE = /* @__PURE__ */ defineRecord('TrimQueue', 16, {
  /** Bytes that the queue holds: a data packet beyond is trimmed, a trimmed one dropped. SIM_NONE: no limit. */
  limitBytes: u32,
  /** Packets of this class that were trimmed. */
  trimmed: u32,
  /** Trimmed packets that were dropped. */
  dropped: u32,
  /** 1: its port leads to a host, or to the adapter of one. */
  isLastHop: u32,
});
