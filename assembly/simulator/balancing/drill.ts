/**
 * DRILL(d, m): each packet takes the port with the shortest queue among d random ones and the m ports that were shortest for the previous
 * packet.
 *
 *   candidates  the remembered ports, in the order of their queues at that time, followed by d distinct random ones
 *   egress      the candidate with the shortest queue; among equals, the first candidate
 *   memory      the m candidates with the shortest queues, in that order; separate for each switch and set of equal next hops
 *
 * Queue   waiting bytes of all classes, without the packet in transmission.
 * Draws   d numbers of the switch's generator, by Floyd's sampling; none if d is at least the number of next hops.
 * Source  S. Ghorbani et al., "DRILL: Micro Load Balancing for Low-latency Data Center Networks", SIGCOMM 2017, section 3.2. The
 *         second reference simulator's variant (../lossy/drill.ts) has one memory per destination and shuffles all next hops.
 * Limits  one forwarding engine per switch, with exact queue lengths; ports of unequal capacity are not grouped (section 3.4.3).
 */
import { portAt } from '../network';
import { below, remembered, samples } from './network';
import { egressAt } from './spray';
import { Balancer } from '../../records/balancing';

/** Drawn ports, and all candidates, u32 each: at most 16 drawn and 16 remembered. */
const drawn: usize = memory.data(64);
const polled: usize = memory.data(128);
let polledCount: u32 = 0;

/** `slots`: address of the round-robin position of the set of next hops, followed by its remembered ports; `most`: number of slots. */
export function drillEgress(own: Balancer, slots: usize, most: u32, nextHops: usize, count: u32): u32 {
  const kept = min<u32>(remembered, most);
  polledCount = 0;
  for (let slot: u32 = 1; slot <= kept; slot++) {
    // A slot holds a port's index + 1, because memory is initially zero.
    const known = egressAt(slots, slot);
    if (known && isAmong(known - 1, nextHops, count)) insertByQueue(known - 1);
  }
  if (samples < count) pollSome(own, nextHops, count);
  else for (let at: u32 = 0; at < count; at++) insertByQueue(egressAt(nextHops, at));
  for (let slot: u32 = 1; slot <= kept; slot++)
    store<u32>(slots + (<usize>slot << 2), slot <= polledCount ? egressAt(polled, slot - 1) + 1 : 0);
  return egressAt(polled, 0);
}

/** Distinct random next hops: R. W. Floyd, "A sample of brilliance", CACM 30 (1987). */
function pollSome(own: Balancer, nextHops: usize, count: u32): void {
  let taken: u32 = 0;
  for (let last = count - samples; last < count; last++) {
    const port = egressAt(nextHops, below(own, last + 1));
    store<u32>(drawn + (<usize>taken << 2), isAmong(port, drawn, taken) ? egressAt(nextHops, last) : port);
    insertByQueue(egressAt(drawn, taken++));
  }
}

/** Inserts a port, once, after those whose queues are not longer. */
function insertByQueue(port: u32): void {
  if (isAmong(port, polled, polledCount)) return;
  const bytes = portAt(port).queueBytes;
  let at = polledCount++;
  for (; at > 0 && portAt(egressAt(polled, at - 1)).queueBytes > bytes; at--)
    store<u32>(polled + (<usize>at << 2), egressAt(polled, at - 1));
  store<u32>(polled + (<usize>at << 2), port);
}

export function isAmong(port: u32, ports: usize, count: u32): bool {
  for (let at: u32 = 0; at < count; at++) { if (egressAt(ports, at) == port) return true; }
  return false;
}
