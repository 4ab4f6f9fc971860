/**
 * Packet spraying: each packet takes a random or the next egress port, regardless of queues.
 *
 *   random        egress = nextHops[floor(u n)], u of the switch's generator
 *   round-robin   egress = nextHops[turn]; turn = (turn + 1) mod n; turn begins at 0, for each switch and set of equal next hops
 *
 * Source   A. Dixit et al., "On the Impact of Packet Spraying in Data Center Networks", INFOCOM 2013 (random); round-robin is its
 *          deterministic variant.
 * Limits   round-robin begins at the same port in all switches.
 */
import { below } from './network';
import { Balancer } from '../../records/balancing';

@inline export function egressAt(nextHops: usize, at: u32): u32 {
  return load<u32>(nextHops + (<usize>at << 2));
}

export function anyEgress(own: Balancer, nextHops: usize, count: u32): u32 {
  return egressAt(nextHops, below(own, count));
}

/** `position`: address of the position after the egress port taken last. */
export function nextEgress(position: usize, nextHops: usize, count: u32): u32 {
  const next = positionOf(position, count);
  store<u32>(position, next + 1);
  return egressAt(nextHops, next);
}

/** The current position; wraps to 0 after the last next hop, also if there are fewer next hops than before. */
@inline export function positionOf(position: usize, count: u32): u32 {
  const next = load<u32>(position);
  return next < count ? next : 0;
}
