/** What receivers that keep packets share: where a packet ends, and which bytes are in order. */
import { accept } from '../connections/deliveries';
import { total } from '../network';
import { TOTAL_DELIVERED } from '../../records/sim-totals';
import { FLOW_CONNECTION } from '../../records/connections';
import { SimFlow, SimPacket } from '../../records/network';

/** The sequence number after a packet. */
@inline export function endOf(flow: SimFlow, packet: SimPacket): i64 {
  const bytes = flow.flags & FLOW_CONNECTION ? flow.mtuBytes : packet.lenBytes - flow.headerBytes;
  return packet.sequence + <i64>bytes;
}

/** Everything before this sequence number has arrived; counts its bytes. */
export function acceptUpTo(flow: SimFlow, end: i64): void {
  if (flow.flags & FLOW_CONNECTION) return accept(flow, end);
  const bytes = <f64>(end - flow.expected);
  flow.expected = end;
  flow.delivered += bytes;
  total(TOTAL_DELIVERED, bytes);
}
