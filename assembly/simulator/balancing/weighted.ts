/**
 * Chooses next hops in proportion to their weights w, which the plan derives from the capacity of their paths.
 *
 *   slot    wcmp: hash mod W;  weighted-random: floor(u W), u of the switch's generator;  W = sum of w
 *   egress  the next hop whose range of w slots contains it, in the order of the next hops
 *
 * While links are down, the plan's remaining next hops keep their weights; if none remains, all that lead nearer weigh the same.
 *
 * Source   J. Zhou et al., "WCMP: Weighted Cost Multipathing for Improved Fairness in Data Centers", EuroSys 2014: a table with w entries
 *          per next hop, indexed by the hash. Per packet at random: A. Dixit et al., INFOCOM 2013, with these weights.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { linksDown } from '../rerouting';
import { below } from './network';
import { egressAt } from './spray';
import { Balancer } from '../../records/balancing';

/** `weights`: address of the sum of weights, followed by the weights in the order of `planned`, the plan's next hops. */
export function hashedByWeight(weights: usize, planned: usize, nextHops: usize, count: u32, hash: u32): u32 {
  return egressAtPlace(weights, planned, nextHops, count, hash % sumOf(weights, planned, nextHops, count));
}

export function anyByWeight(own: Balancer, weights: usize, planned: usize, nextHops: usize, count: u32): u32 {
  return egressAtPlace(weights, planned, nextHops, count, below(own, sumOf(weights, planned, nextHops, count)));
}

function sumOf(weights: usize, planned: usize, nextHops: usize, count: u32): u32 {
  if (!linksDown) return load<u32>(weights);
  let sum: u32 = 0;
  for (let at: u32 = 0; at < count; at++) sum += weightOf(weights, planned, egressAt(nextHops, at), at);
  return sum;
}

function egressAtPlace(weights: usize, planned: usize, nextHops: usize, count: u32, place: u32): u32 {
  let left = place;
  for (let at: u32 = 0; at < count; at++) {
    const egress = egressAt(nextHops, at);
    const weight = weightOf(weights, planned, egress, at);
    if (left < weight) return egress;
    left -= weight;
  }
  return SIM_NONE;
}

/** `at`: index of the egress port among the plan's next hops if all links are up. */
function weightOf(weights: usize, planned: usize, egress: u32, at: u32): u32 {
  if (!linksDown) return egressAt(weights, 1 + at);
  const count = load<u32>(planned);
  for (let place: u32 = 0; place < count; place++) {
    if (egressAt(planned, 1 + place) == egress) return egressAt(weights, 1 + place);
  }
  return 1;
}
