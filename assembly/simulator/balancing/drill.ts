/**
 * DRILL(d, m): each packet takes the port with the fewest bytes waiting of d random ones and the m that were the shortest when the packet
 * before was sent.
 *
 *   looked at   the remembered ports, shortest first as they were then, and behind them d distinct random ones
 *   exit         the one with the least queue; of equal ones the first that is looked at
 *   memory      the m of them with the least queues, in that order; one per switch and set of equal next hops
 *
 * Queue   bytes of all classes that wait, without the packet that is being sent.
 * Draws   d numbers of the switch's generator, by Floyd's sampling; none where d is not below the number of next hops.
 * Source  S. Ghorbani et al., "DRILL: Micro Load Balancing for Low-latency Data Center Networks", SIGCOMM 2017, section 3.2. The second
 *         reference simulator's reading of it (../lossy/drill.ts) has one memory per destination and shuffles all next hops.
 * Limits  one forwarding engine per switch, which sees queues as they are; ports of unequal capacity are not grouped (section 3.4.3).
 */
import { portAt } from '../network';
import { Balancer, below, remembered, samples } from './network';
import { egressAt } from './spray';

/** Ports drawn, and all that are looked at: u32 each, at most 16 drawn and 16 remembered. */
const drawn: usize = memory.data(64);
const looked: usize = memory.data(128);
let lookedCount: u32 = 0;

/** `slots`: address of the turn of the set of next hops, behind which its ports are remembered; `most`: slots that it has. */
export function drillEgress(own: Balancer, slots: usize, most: u32, nextHops: usize, count: u32): u32 {
  const kept = min<u32>(remembered, most);
  lookedCount = 0;
  for (let slot: u32 = 1; slot <= kept; slot++) {
    // Memory begins as zeros: a slot holds a port's index and 1.
    const known = egressAt(slots, slot);
    if (known && isAmong(known - 1, nextHops, count)) lookAt(known - 1);
  }
  if (samples < count) lookAtSome(own, nextHops, count);
  else for (let at: u32 = 0; at < count; at++) lookAt(egressAt(nextHops, at));
  for (let slot: u32 = 1; slot <= kept; slot++)
    store<u32>(slots + (<usize>slot << 2), slot <= lookedCount ? egressAt(looked, slot - 1) + 1 : 0);
  return egressAt(looked, 0);
}

/** Distinct random exits: R. W. Floyd, "A sample of brilliance", CACM 30 (1987). */
function lookAtSome(own: Balancer, nextHops: usize, count: u32): void {
  let taken: u32 = 0;
  for (let last = count - samples; last < count; last++) {
    const port = egressAt(nextHops, below(own, last + 1));
    store<u32>(drawn + (<usize>taken << 2), isAmong(port, drawn, taken) ? egressAt(nextHops, last) : port);
    lookAt(egressAt(drawn, taken++));
  }
}

/** Puts a port behind those that have no more waiting; once. */
function lookAt(port: u32): void {
  if (isAmong(port, looked, lookedCount)) return;
  const bytes = portAt(port).queueBytes;
  let at = lookedCount++;
  for (; at > 0 && portAt(egressAt(looked, at - 1)).queueBytes > bytes; at--)
    store<u32>(looked + (<usize>at << 2), egressAt(looked, at - 1));
  store<u32>(looked + (<usize>at << 2), port);
}

export function isAmong(port: u32, ports: usize, count: u32): bool {
  for (let at: u32 = 0; at < count; at++) { if (egressAt(ports, at) == port) return true; }
  return false;
}
