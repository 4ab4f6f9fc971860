/**
 * LetFlow: each flowlet, packets of a flow with less than the gap between them, takes a random next hop.
 *
 *   continues now - last packet of the flow here <= gap, and its next hop is still among the equal ones
 *   begins    otherwise: egress = nextHops[floor(u n)], u of the switch's generator
 *
 * Table    per switch, with 65,536 entries, or one per flow if there are fewer; flows with equal numbers modulo its size share an entry.
 * Source   E. Vanini et al., "Let It Flow: Resilient Asymmetric Load Balancing with Flowlet Switching", NSDI 2017, section 3.
 * Limits   stores the exact time of the last packet; the paper ages one bit per entry, which ends flowlets after one to two gaps.
 */
import { FLOWLET_ENTRY_BYTES } from '../../../src/abi/balancing-layout';
import { nowPs } from '../event-queue';
import { isAmong } from './drill';
import { Balancer, flowletCount, flowletsAt, gapPs } from './network';
import { anyEgress } from './spray';
import { SimPacket } from '../../records/network';

/** After the time of the last packet: port + 1, as memory begins as zeros. */
const PORT: usize = 8;

export function egressOfFlowlet(own: Balancer, packet: SimPacket, nextHops: usize, count: u32): u32 {
  const entry = flowletOf(own, packet);
  const kept = touchFlowlet(entry);
  if (kept && isAmong(kept - 1, nextHops, count)) return kept - 1;
  return keepEgress(entry, anyEgress(own, nextHops, count));
}

@inline export function flowletOf(own: Balancer, packet: SimPacket): usize {
  const place = <usize>own.table * <usize>flowletCount + <usize>(packet.flow % flowletCount);
  return flowletsAt + place * FLOWLET_ENTRY_BYTES;
}

/** Notes a packet; returns the port of the continuing flowlet + 1, or 0. */
export function touchFlowlet(entry: usize): u32 {
  const lastPs = load<i64>(entry);
  store<i64>(entry, nowPs);
  return nowPs - lastPs <= gapPs ? lastPort(entry) : 0;
}

/** Port of the last flowlet + 1; 0: there was none. */
@inline export function lastPort(entry: usize): u32 {
  return load<u32>(entry, PORT);
}

@inline export function keepEgress(entry: usize, port: u32): u32 {
  store<u32>(entry, port + 1, PORT);
  return port;
}
