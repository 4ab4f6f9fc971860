/**
 * Least queue (adaptive routing): each packet takes the egress port whose port has the fewest bytes waiting, of all classes, without the packet
 * that is being sent.
 *
 *   egress = argmin queue(port);  of equal ones the first behind the one taken last, round-robin
 *
 * Source   what vendors call adaptive routing by queue depth; none publishes its rule for ties or its grades of depth, so both are ours:
 *          bytes, and turns.
 */
import { portAt } from '../network';
import { turnOf, egressAt } from './spray';

/** `turns`: address of the place behind the egress port taken last. */
export function leastQueueEgress(turns: usize, nextHops: usize, count: u32): u32 {
  let at = turnOf(turns, count);
  let best = at;
  let least = u32.MAX_VALUE;
  for (let step: u32 = 0; step < count; step++) {
    const bytes = portAt(egressAt(nextHops, at)).queueBytes;
    if (bytes < least) {
      least = bytes;
      best = at;
    }
    if (++at == count) at = 0;
  }
  store<u32>(turns, best + 1);
  return egressAt(nextHops, best);
}
