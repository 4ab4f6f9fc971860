/**
 * The adapter of a host with several planes, under `entropy-states`: the entropy of a packet selects its plane.
 *
 *   egress = next hop [floor((port and mask) / 2^shift) mod n] of the plan's n, where `port` is the packet's UDP source port and the
 *   mask has all bits, unless the scenario selects some
 *   if that is down, or has no path: next hop [floor(port / n) mod m] of the m open ones, so that they share its packets evenly
 *
 * Source   OCP MRC 1.0 as described in docs/specs/mrc-transport.md, 3.9: an entropy value belongs to a plane, all planes carry the
 *          same load while their ports are up, and the others share the load of a plane whose port is down.
 */
import { planeOf } from '../path-selection/memory';
import { egressAt } from './spray';

/** `planned`: address of the number of the plan's next hops, followed by them. */
export function egressOfPlane(planned: usize, nextHops: usize, count: u32, port: u32): u32 {
  const planes = load<u32>(planned);
  const egress = egressAt(planned + 4, planeOf(port, planes));
  for (let at: u32 = 0; at < count; at++) if (egressAt(nextHops, at) == egress) return egress;
  return egressAt(nextHops, port / planes % count);
}
