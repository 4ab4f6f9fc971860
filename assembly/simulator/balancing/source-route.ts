/**
 * Source routes: the sender lists the switches of a packet's path, as SRv6 uSIDs do, and switches forward by static tables.
 *
 *   egress = next hop [floor(port / stride) mod n] of the plan's n, where `port` is the packet's UDP source port, its entropy
 *   stride = 1 at the first tier, and at each further tier that of the tier below times the most next hops there (the plan has it)
 *
 * So entropies count through the paths of a regular network: the first digit chooses the plane or uplink, the next one the core.
 * A packet whose link is down is dropped: no switch knows another path, and the sender learns of it by the loss.
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-formats.md, 2.16): a plane number and an uplink number in the uSIDs, by entropy.
 * Deviations  the plan counts the bytes of an outer header, if there is one, but its list is not followed: the digits say the same; responses take the path of the hash.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { portAt } from '../network';
import { Balancer } from '../../records/balancing';
import { egressAt } from './spray';

/** `planned`: address of the plan's count of next hops, which follow it. @returns SIM_NONE where the link of the route is down. */
export function sourceRoutedEgress(own: Balancer, planned: usize, port: u32): u32 {
  const egress = egressAt(planned + 4, port / own.stride % load<u32>(planned));
  return portAt(egress).up && portAt(portAt(egress).peer).up ? egress : SIM_NONE;
}
