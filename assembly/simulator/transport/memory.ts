/** Where the records of this room stand. */
import { FLOW_LOSSES_BYTES } from '../../../src/abi/sim-layout';
import { allocate } from '../../memory/map';
import { flowCount } from '../network';
import { SimFlow, SimPacket } from '../records';
import { FlowLosses } from './records';

export let flowLosses: usize = 0;

export function allocateTransports(): void {
  flowLosses = allocate(<usize>flowCount * FLOW_LOSSES_BYTES);
}

@inline export function lossesOf(flow: u32): FlowLosses {
  return changetype<FlowLosses>(flowLosses + <usize>flow * FLOW_LOSSES_BYTES);
}

/** A data packet has come ahead of the byte expected. */
export function noteAhead(flow: SimFlow, packet: SimPacket): void {
  const own = lossesOf(packet.flow);
  const mtuBytes = <i64>flow.mtuBytes;
  const packets = <u32>((packet.sequence - flow.expected + mtuBytes - 1) / mtuBytes);
  own.outOfOrder++;
  if (packets > own.depth) own.depth = packets;
}
