/** What flows have in addition for what is lost, comes out of order or is sent again; offsets that the host knows: src/abi/sim-layout.ts. */
import { FLOW_LOSSES_BYTES, LOSSES_RETRANSMITTED_BYTES } from '../../../src/abi/sim-layout';

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
  free24: u32;
  free28: u32;
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkTransportLayouts(): void {
  if (offsetof<FlowLosses>() != FLOW_LOSSES_BYTES) ERROR('FlowLosses');
  if (offsetof<FlowLosses>('retransmittedBytes') != LOSSES_RETRANSMITTED_BYTES) ERROR('FlowLosses.retransmittedBytes');
}
