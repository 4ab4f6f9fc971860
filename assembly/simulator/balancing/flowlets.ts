/**
 * LetFlow: a flowlet, packets of a flow that follow each other within the gap, takes any exit, and all of it the same one.
 *
 *   continues now - last packet of the flow here <= gap, and its next hop is still one of the equal ones
 *   begins    else: exit = exits[floor(u n)], u of the switch's generator
 *
 * Table    per switch, of 65,536 entries or one per flow if there are fewer; flows whose numbers are equal modulo its size share an entry.
 * Source   E. Vanini et al., "Let It Flow: Resilient Asymmetric Load Balancing with Flowlet Switching", NSDI 2017, section 3.
 * Limits   the time since the last packet is kept exactly, where the paper ages a bit per entry and so ends flowlets after one to two gaps.
 */
import { FLOWLET_ENTRY_BYTES } from '../../../src/abi/balancing-layout';
import { nowPs } from '../event-queue';
import { SimPacket } from '../records';
import { isAmong } from './drill';
import { Balancer, flowletCount, flowletsAt, gapPs } from './network';
import { anyEgress } from './spray';

/** Behind the time of the last packet: port and 1, as memory begins as zeros. */
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

/** A packet has come; returns the port of the continuing flowlet + 1, or 0. */
export function touchFlowlet(entry: usize): u32 {
  const lastPs = load<i64>(entry);
  store<i64>(entry, nowPs);
  return nowPs - lastPs <= gapPs ? lastPort(entry) : 0;
}

/** Port of the last flowlet and 1; 0: there was none. */
@inline export function lastPort(entry: usize): u32 {
  return load<u32>(entry, PORT);
}

@inline export function keepEgress(entry: usize, port: u32): u32 {
  store<u32>(entry, port + 1, PORT);
  return port;
}
