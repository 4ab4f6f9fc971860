/**
 * Least queue (adaptive routing): each packet takes the egress port with the fewest waiting bytes of all classes, without the packet in
 * transmission.
 *
 *   egress = argmin queue(port);  among equals, the first one after the port taken last
 *
 * Source   vendors' adaptive routing by queue depth. None publishes its resolution or how it breaks ties; bytes and round-robin are our
 *          choice.
 */
import { portAt } from '../network';
import { positionOf, egressAt } from './spray';

/** `position`: address of the position after the egress port taken last. */
export function leastQueueEgress(position: usize, nextHops: usize, count: u32): u32 {
  let at = positionOf(position, count);
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
  store<u32>(position, best + 1);
  return egressAt(nextHops, best);
}
