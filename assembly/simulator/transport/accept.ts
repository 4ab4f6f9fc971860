/** Helpers of receivers that keep out-of-order packets: the end of a packet, and the bytes received in order. */
import { accept } from '../connections/deliveries';
import { total } from '../network';
import { TOTAL_DELIVERED } from '../../records/sim-run';
import { FLOW_CONNECTION } from '../../records/flows';
import { SimFlow, SimPacket } from '../../records/network';

/** The sequence number after a packet. */
@inline export function endOf(flow: SimFlow, packet: SimPacket): i64 {
  const bytes = flow.flags & FLOW_CONNECTION ? flow.mtuBytes : packet.lenBytes - flow.headerBytes;
  return packet.sequence + <i64>bytes;
}

/** Moves the expected sequence number up to `end`, and counts the bytes in between as delivered. */
export function acceptUpTo(flow: SimFlow, end: i64): void {
  if (flow.flags & FLOW_CONNECTION) return accept(flow, end);
  const bytes = <f64>(end - flow.expected);
  flow.expected = end;
  flow.delivered += bytes;
  total(TOTAL_DELIVERED, bytes);
}
