/** Additional state of flows for loss, reordering and retransmission; offsets that the host knows: src/abi/sim-layout.ts. */
import { FLOW_LOSSES_BYTES, LOSSES_RETRANSMITTED_BYTES, LOSSES_TRANSPORT, TRANSPORT_BEYOND, TRANSPORT_BYTES,
  TRANSPORT_CAP, TRANSPORT_DISTANCE, TRANSPORT_LOSS_TIME, TRANSPORT_PASSED_RING,
  TRANSPORT_SACKED } from '../../../src/abi/sim-layout';

/** Of each flow. */
@unmanaged
export class FlowLosses {
  /** Data packets that arrived ahead of the expected byte, and the largest distance in packets. */
  outOfOrder: u32;
  depth: u32;
  /** Duplicate data packets. */
  duplicates: u32;
  /** NAKs received by the sender. */
  naks: u32;
  retransmittedBytes: f64;
  /** Address of its FlowTransport; 0: it has none. */
  transport: u32;
  free28: u32;
}

/** State of flows whose transport is not the default (go-back-N, unlimited retries, losses reported to congestion control). */
@unmanaged
export class FlowTransport {
  /** Reordering window of the receiver in packets; ring of the packets that it keeps, and the ring's number of bits less 1. */
  windowPackets: u32;
  keptRing: u32;
  keptMask: u32;
  /** IRN and `tolerant`: ring of the packets beyond `sndUna` that SACKs have named. */
  sackedRing: u32;
  sackedMask: u32;
  /** IRN: packets in flight up to which the low timeout holds. */
  fewPackets: u32;
  /** SIM_NONE: no limit. */
  retryLimit: u32;
  /** LOSS_REACTION_*. */
  lossReaction: u32;
  /** IRN: maximum bytes in flight. */
  capBytes: f64;
  // Sender.
  /** Retries since `retryUna` was acknowledged. */
  retries: u32;
  /** Selective repeat: `sndNxt` is a single packet, after which sending continues at `resume`. IRN: in recovery. */
  again: u32;
  retryUna: i64;
  /** IRN: the packet that recovery begins with. */
  resume: i64;
  /** IRN: end of what was sent when recovery began; position of recovery (`tolerant`: in packets); end of the last packet that was named. */
  recoveryEnd: i64;
  resendNext: i64;
  sackedEnd: i64;
  // Receiver.
  /** End of the last kept packet. */
  keptEnd: i64;
  // Counters.
  /** Packets named by SACKs; packets beyond the reordering window. */
  sacked: u32;
  beyond: u32;
  // Of `tolerant`.
  /** A packet is lost if one this many packets later is acknowledged; SIM_NONE: no limit. */
  distancePackets: u32;
  /** Ring of times, i64: when the highest acknowledged packet was first this one or a later one; 0: losses have no time. */
  passedRing: u32;
  lossTimePs: f64;
  /** Bytes beyond `sndUna` that SACKs have named; lost ones that wait for retransmission. */
  sackedBytes: i64;
  lostBytes: i64;
  /** Packets: the highest acknowledged one and 1; those checked for loss are below `lostEnd`, those retransmitted below `resendNext`. */
  highestEnd: i64;
  lostEnd: i64;
  isCheckSet: u32;
  free156: u32;
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkTransportLayouts(): void {
  if (offsetof<FlowLosses>() != FLOW_LOSSES_BYTES) ERROR('FlowLosses');
  if (offsetof<FlowLosses>('retransmittedBytes') != LOSSES_RETRANSMITTED_BYTES) ERROR('FlowLosses.retransmittedBytes');
  if (offsetof<FlowLosses>('transport') != LOSSES_TRANSPORT) ERROR('FlowLosses.transport');
  if (offsetof<FlowTransport>() != TRANSPORT_BYTES) ERROR('FlowTransport');
  if (offsetof<FlowTransport>('capBytes') != TRANSPORT_CAP) ERROR('FlowTransport.capBytes');
  if (offsetof<FlowTransport>('sacked') != TRANSPORT_SACKED) ERROR('FlowTransport.sacked');
  if (offsetof<FlowTransport>('beyond') != TRANSPORT_BEYOND) ERROR('FlowTransport.beyond');
  if (offsetof<FlowTransport>('distancePackets') != TRANSPORT_DISTANCE) ERROR('FlowTransport.distancePackets');
  if (offsetof<FlowTransport>('passedRing') != TRANSPORT_PASSED_RING) ERROR('FlowTransport.passedRing');
  if (offsetof<FlowTransport>('lossTimePs') != TRANSPORT_LOSS_TIME) ERROR('FlowTransport.lossTimePs');
}
