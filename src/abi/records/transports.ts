/** Loss, reordering and retransmission. */
import { defineRecord, f64, free, i64, u32, u64, u8 } from './define-record.js';

/** Effect of a loss on congestion control: passed to the algorithm, none, or handled as a CNP. */
export const LOSS_REACTION_ALGORITHM = 0;
export const LOSS_REACTION_NONE = 1;
export const LOSS_REACTION_CNP = 2;

/** Loss counters of a flow. */
export const FLOW_LOSSES = /* @__PURE__ */ defineRecord('FlowLosses', 32, {
  /** Data packets that arrived ahead of the expected byte. */
  outOfOrder: u32,
  /** Maximum number of packets by which a data packet arrived ahead. */
  depth: u32,
  /** Duplicate data packets. */
  duplicates: u32,
  /** NAKs received by the sender; for MRC, NACKs. */
  naks: u32,
  retransmittedBytes: f64,
  /** Address of its FlowTransport; 0: it has the default transport. */
  transport: u32,
  free28: free(4),
});

/** State of flows whose transport is not the default (go-back-N, unlimited retries, losses reported to congestion control). */
export const FLOW_TRANSPORT = /* @__PURE__ */ defineRecord('FlowTransport', 344, {
  /** Reordering window of the receiver, packets. */
  windowPackets: u32,
  /** Address of the ring bitmap of packets that the receiver keeps. */
  keptRing: u32,
  /** Number of bits of `keptRing` minus 1. */
  keptMask: u32,
  /** IRN, `tolerant` and MRC: address of the ring bitmap of selectively acknowledged packets beyond `sndUna`. */
  sackedRing: u32,
  /** Number of bits of `sackedRing` minus 1. */
  sackedMask: u32,
  /** IRN: the low timeout applies up to this number of packets in flight. */
  fewPackets: u32,
  /** Maximum number of retries; SIM_NONE: no limit. */
  retryLimit: u32,
  /** Effect of a loss on congestion control, LOSS_REACTION_*. */
  lossReaction: u32,
  /** IRN: maximum bytes in flight. */
  capBytes: f64,
  /** Number of retries since `retryUna` was acknowledged. */
  retries: u32,
  /**
   * Selective repeat: `sndNxt` is a single packet, after which sending continues at `resume`. IRN: in recovery. MRC:
   * the packet being sent is a retransmission.
   */
  again: u32,
  retryUna: i64,
  /** IRN: the first packet of the recovery. */
  resume: i64,
  /** IRN: end of the data sent when recovery began. */
  recoveryEnd: i64,
  /** Position of recovery; for `tolerant` and MRC in packets. */
  resendNext: i64,
  /** End of the last packet that a SACK acknowledged. */
  sackedEnd: i64,
  /** Receiver: end of the last packet kept. */
  keptEnd: i64,
  /** Number of selectively acknowledged packets. */
  sacked: u32,
  /** Number of packets beyond the reordering window. */
  beyond: u32,
  /**
   * `tolerant`, and MRC with `orderRing`: a packet is lost if the packet this many later is acknowledged; SIM_NONE: no
   * limit.
   */
  distancePackets: u32,
  /**
   * Address of the ring of times, i64; 0: none. `tolerant`: when the highest acknowledged packet first reached or
   * passed this packet. MRC: when the packet was last sent.
   */
  passedRing: u32,
  /** `tolerant` and MRC: time after which a packet counts as lost; 0: none. */
  lossTimePs: f64,
  /** Bytes beyond `sndUna` acknowledged by SACKs. */
  sackedBytes: i64,
  /** Lost bytes waiting for retransmission. */
  lostBytes: i64,
  /** 1 + the highest acknowledged packet. */
  highestEnd: i64,
  /** Packets below it are checked for loss; those below `resendNext` have been retransmitted. */
  lostEnd: i64,
  isCheckSet: u32,
  /** MRC: address of the ring bitmap of lost packets waiting for retransmission, of the same size as `sackedRing`. */
  lostRing: u32,
  /** MRC receiver: a SACK is sent when more than this many bytes have arrived since the last one. */
  sackEveryBytes: u32,
  /** Bytes received since the last SACK. */
  bytesSinceSack: u32,
  /** Length of a NACK. */
  nackBytes: u32,
  /** MRC: address of the ring of UDP source ports, u16, of packets in flight; 0: none. */
  entropyRing: u32,
  /** MRC: send time of the latest packet for which a SACK was sent. */
  newestSentPs: i64,
  /** MRC receiver: 1 + the highest packet received. */
  receivedEnd: i64,
  /** 1 + the highest packet that requested a SACK. */
  askedEnd: i64,
  /**
   * MRC: whether each packet has a separate timer; number of consecutive timeouts with the same interval; whether
   * timeouts are counted per packet or per round.
   */
  timesPackets: u32,
  linearTimeouts: u32,
  countsPackets: u32,
  /** Number of timeouts counted since `timedBytes` were acknowledged; time of the last one. */
  timeoutsInRow: u32,
  timedBytes: i64,
  countedPs: i64,
  /** MRC: whether packets request SACKs while the window is small. */
  requestsAckInSmallWindow: u32,
  /**
   * MRC: address of the ring bitmap of packets in flight that request an immediate SACK, of the same size as
   * `sackedRing`; 0: no probes while the window is closed.
   */
  ackRequestRing: u32,
  /** MRC probes of a closed window: their length; number of the last one; whether its SACK is awaited. */
  probeBytes: u32,
  probeId: u32,
  awaitsProbe: u32,
  /** MRC: whether a packet is sent only if it fits into the window completely. */
  sendsWholePackets: u32,
  /** When the probe was sent, 0 after a timeout; number of packets sent by then. */
  probedPs: i64,
  probedEnd: i64,
  /**
   * MRC: for each packet in flight, address of the ring of u32: the newest packet sent when it was last sent; 0: no
   * loss detection by distance.
   */
  orderRing: u32,
  /**
   * MRC receiver: header bytes in the nominal size of a data packet; sum of nominal sizes of distinct packets that
   * arrived untrimmed.
   */
  nominalHeaderBytes: u32,
  receivedBytes: i64,
  /**
   * MRC receiver: number of packets from the expected one on that it accepts; whether it drops others instead of
   * sending NACKs.
   */
  rangePackets: u32,
  dropsBeyond: u32,
  /** `tolerant` and MRC, sender: new packets begin less than this many beyond `sndUna`. */
  aheadPackets: u32,
  /** MRC, receiver: whether its SACKs announce `rangePackets`; end of what they have announced, in packets, which it accepts besides. */
  announcesRange: u32,
  announcedEnd: i64,
  /**
   * MRC, sender: whether the window limits nominal bytes in flight, counted by the received bytes of SACKs; the received bytes of the
   * newest SACK, in their unit; nominal bytes in flight, which may be negative.
   */
  countsReceived: u32,
  receivedUnits: u32,
  nominalInFlight: i64,
  /** MRC, receiver: MrcPacket.windowDemand of its SACKs. */
  windowDemand: u32,
  /** MRC, receiver: new packets that it discarded for a reason of its host. */
  discarded: u32,
  /** MRC, sender: messages of the QP that may be unacknowledged; 0: no limit. */
  maxMessages: u32,
  free340: free(4),
});

/** Additional fields of an MRC packet, stored where SACK fields are. */
export const MRC_PACKET = /* @__PURE__ */ defineRecord('MrcPacket', 32, {
  /** SACK: the first packet of the map; map: bit i is set if packet `mapFirst` + i has arrived. */
  mapFirst: i64,
  map: u64,
  /** TRIM_*; for a NACK that of its packet. */
  trimmed: u8,
  /** Data: requests an immediate SACK; is a retransmission. SACK: `asks` means ALWAYS_SKIP. */
  asks: u8,
  again: u8,
  /** PROBE_*; for a SACK that of the packet it acknowledges. */
  probe: u8,
  /** Of a SACK: the packet that caused it, the low 32 bits of its number. Of a probe and its SACK: the number of the probe. Of endpoint packets: the number of the update; `mapFirst` is its StatusPair, `map` the ports that work. */
  cause: u32,
  /** SACK: bytes received, in units of 256, 24 bits. Trimmed packet: its original payload. */
  received: u32,
  /** Reason of a NACK, NACK_*. */
  reason: u8,
  /** Of a SACK: range that it announces, in units of 128 packets; 0: none. */
  range: u8,
  /** Of a SACK: penalty of the window, 0 to 127, and ACK_RESTORES_WINDOW; 0: nothing. */
  windowDemand: u8,
  free31: free(1),
});

/**
 * MrcPacket.trimmed: not trimmed; trimmed by a switch before the last; trimmed by the last switch, which leads to the
 * host.
 */
export const TRIM_NONE = 0;
export const TRIM_TRANSIT = 1;
export const TRIM_LAST_HOP = 2;

/**
 * MrcPacket.reason, with codes as in packets: a switch trimmed the packet; it is beyond the receiver's range; or the host of the receiver
 * discards packets, as it lacks a bitmap, a buffer or another resource, or because of an event that ends the connection.
 */
export const NACK_TRIMMED = 0;
export const NACK_NO_BITMAP = 0x06;
export const NACK_NO_PACKET_BUFFER = 0x07;
export const NACK_NO_RESOURCE = 0x0a;
export const NACK_OUT_OF_RANGE = 0x0b;
export const NACK_UNEXPECTED_EVENT = 0x19;

/** MrcPacket.probe: it is data; a probe, without payload, of a path; one of a shut window; an endpoint request with the state of ports; its response. */
export const PROBE_NONE = 0;
export const PROBE_PATH = 1;
export const PROBE_WINDOW = 2;
export const PROBE_STATUS = 3;
export const PROBE_STATUS_RESPONSE = 4;

/** Port status updates: a host, and a peer that it tells which of its ports work. */
export const STATUS_PAIR = /* @__PURE__ */ defineRecord('StatusPair', 48, {
  host: u32,
  /** Of the host: a node between it and its planes. */
  adapter: u32,
  peer: u32,
  peerAdapter: u32,
  /** A flow between the two, in either direction, which carries the updates. */
  flow: u32,
  /** How often an update is sent at most. */
  sends: u32,
  requestBytes: u32,
  responseBytes: u32,
  /** Of the last update: bit i set if the port into plane i works; its number; sends that are left, 0: its response has come, or it is given up. */
  ports: u32,
  id: u32,
  left: u32,
  /** Number of the last update that the peer has applied. */
  taken: u32,
});

/** Packet trimming: a class of a port. */
export const TRIM_QUEUE = /* @__PURE__ */ defineRecord('TrimQueue', 16, {
  /** Maximum bytes in the queue: beyond it a data packet is trimmed and a trimmed one dropped. SIM_NONE: no limit. */
  limitBytes: u32,
  /** Packets of this class that were trimmed. */
  trimmed: u32,
  /** Trimmed packets that were dropped. */
  dropped: u32,
  /** 1: its port leads to a host, or to an adapter of a host. */
  isLastHop: u32,
});
