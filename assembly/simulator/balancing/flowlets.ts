/**
 * LetFlow: each flowlet, packets of a flow with less than the gap between them, takes a random next hop.
 *
 *   continue  if now - last packet of the flow here <= gap, and its next hop is still among the equal ones
 *   begin     otherwise: egress = nextHops[floor(u n)], u of the switch's generator
 *
 * Table    per switch, with 65,536 entries, or one per flow if there are fewer; flows with equal numbers modulo its size share an entry.
 * Source   E. Vanini et al., "Let It Flow: Resilient Asymmetric Load Balancing with Flowlet Switching", NSDI 2017, section 3.
 * Limits   stores the exact time of the last packet; the paper ages one bit per entry, which ends flowlets after one to two gaps.
 */
import { nowPs } from '../event-queue';
import { isAmong } from './drill';
import { flowletCount, flowletsAt, gapPs } from './network';
import { anyEgress } from './spray';
import { SimPacket } from '../../records/network';
import { Balancer, FLOWLET_BYTES, Flowlet } from '../../records/balancing';

export function egressOfFlowlet(own: Balancer, packet: SimPacket, nextHops: usize, count: u32): u32 {
  const entry = flowletOf(own, packet);
  const kept = touchFlowlet(entry);
  if (kept && isAmong(kept - 1, nextHops, count)) return kept - 1;
  return keepEgress(entry, anyEgress(own, nextHops, count));
}

@inline export function flowletOf(own: Balancer, packet: SimPacket): Flowlet {
  const place = <usize>own.table * <usize>flowletCount + <usize>(packet.flow % flowletCount);
  return changetype<Flowlet>(flowletsAt + place * FLOWLET_BYTES);
}

/** Records a packet; returns the port of the continuing flowlet + 1, or 0 if a new one begins. */
export function touchFlowlet(entry: Flowlet): u32 {
  const lastPs = entry.lastPs;
  entry.lastPs = nowPs;
  return nowPs - lastPs <= gapPs ? lastPort(entry) : 0;
}

/** Port of the last flowlet + 1; 0 if there was none. */
@inline export function lastPort(entry: Flowlet): u32 {
  return entry.port;
}

@inline export function keepEgress(entry: Flowlet, port: u32): u32 {
  entry.port = port + 1;
  return port;
}
