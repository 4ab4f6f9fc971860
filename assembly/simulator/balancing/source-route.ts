/**
 * Source routes: the sender lists the switches of a packet's path, as SRv6 uSIDs do, and switches forward by static tables.
 *
 *   egress        next hop [floor((port and mask) / stride) mod n] of the plan's n, where `port` is the packet's UDP source port, its entropy
 *   source-route  mask: all bits; stride: 1 at the first tier, at each further tier that of the tier below times the maximum of next hops there
 *   entropy-bits  mask: the bits that the tier reads; stride: the value of the lowest of them
 *
 * So, under source-route, entropies enumerate the paths of a regular network: the first digit selects the plane or uplink, the next one the core.
 * A packet whose link is down is dropped: no switch knows another path, and the sender detects the loss.
 *
 * Source      OCP MRC 1.0 as described in docs/specs/mrc-formats.md, 2.16: the uSIDs contain plane number and uplink number,
 *             derived from the entropy. Structured entropy values: section 2.3, each switch reads its bits.
 * Deviations  the plan counts the bytes of an outer header, if there is one, but switches use the digits instead of its list,
 *             which are equivalent; responses are routed by the hash.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { portAt } from '../network';
import { Balancer } from '../../records/balancing';
import { egressAt } from './spray';

/** `planned`: address of the number of the plan's next hops, followed by them. @returns SIM_NONE if the route's link is down. */
export function sourceRoutedEgress(own: Balancer, planned: usize, port: u32): u32 {
  const egress = egressAt(planned + 4, (port & own.mask) / own.stride % load<u32>(planned));
  return portAt(egress).up && portAt(portAt(egress).peer).up ? egress : SIM_NONE;
}
