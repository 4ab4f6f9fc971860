/**
 * The adapter of a host with several planes, under `entropy-states`: the entropy of a packet decides on its plane.
 *
 *   egress = next hop [port mod n] of the plan's n, where `port` is the packet's UDP source port
 *   while that is down, or leads nowhere: open next hop [floor(port / n) mod m] of those m that are open, so that they share its packets evenly
 *
 * Source   OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md, 3.9): an entropy value belongs to a plane, all planes carry the same load while
 *          their ports are up, and the others share that of a plane whose port is down.
 */
import { egressAt } from './spray';

/** `planned`: address of the plan's count of next hops, which follow it. */
export function egressOfPlane(planned: usize, nextHops: usize, count: u32, port: u32): u32 {
  const planes = load<u32>(planned);
  const egress = egressAt(planned + 4, port % planes);
  for (let at: u32 = 0; at < count; at++) if (egressAt(nextHops, at) == egress) return egress;
  return egressAt(nextHops, port / planes % count);
}
