/** Additional state of flows for loss, reordering and retransmission; offsets that the host knows: src/abi/sim-layout.ts. */
import { FLOW_LOSSES_BYTES, LOSSES_RETRANSMITTED_BYTES, LOSSES_TRANSPORT, TRANSPORT_BEYOND, TRANSPORT_BYTES,
  TRANSPORT_CAP, TRANSPORT_SACKED } from '../../../src/abi/sim-layout';

/** Of each flow. */
@unmanaged
export class FlowLosses {
  /** Data packets that came ahead of the byte expected, and how far ahead at most, in packets. */
  outOfOrder: u32;
  depth: u32;
  /** Data packets that came again. */
  duplicates: u32;
  /** NAKs that came to the sender. */
  naks: u32;
  retransmittedBytes: f64;
  /** Address of its FlowTransport; 0: it has none. */
  transport: u32;
  free28: u32;
}

/** Of flows with another transport than the default: go-back-N, any number of retries, losses reported to congestion control. */
@unmanaged
export class FlowTransport {
  /** Packets ahead of the one expected that the receiver keeps; ring of those that it has, and its number of bits less 1. */
  windowPackets: u32;
  keptRing: u32;
  keptMask: u32;
  /** IRN: ring of what the receiver has named beyond `sndUna`. */
  sackedRing: u32;
  sackedMask: u32;
  /** IRN: packets in flight up to which the low timeout holds. */
  fewPackets: u32;
  /** SIM_NONE: no limit. */
  retryLimit: u32;
  /** LOSS_REACTION_*. */
  lossReaction: u32;
  /** IRN: bytes in flight at most. */
  capBytes: f64;
  // Sender.
  /** Retries since `retryUna` was acknowledged. */
  retries: u32;
  /** Selective repeat: `sndNxt` is a single packet, after which sending continues at `resume`. IRN: in recovery. */
  again: u32;
  retryUna: i64;
  /** IRN: the packet that recovery begins with. */
  resume: i64;
  /** IRN: what was sent when recovery began; up to where recovery has looked; end of the last packet that was named. */
  recoveryEnd: i64;
  resendNext: i64;
  sackedEnd: i64;
  // Receiver.
  /** End of the last packet that is kept. */
  keptEnd: i64;
  // Counters.
  /** Packets that were named by SACKs; that came beyond the window. */
  sacked: u32;
  beyond: u32;
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
}
