/**
 * Chooses among equal next hops for a data packet, by the switch's rule; responses are routed by the hash.
 *
 *   ecmp              by the hash of its flow
 *   random            a random one: spray.ts
 *   round-robin       the next one: spray.ts
 *   flowlet           a random one for each flowlet: flowlets.ts
 *   drill             the shortest queue of a random sample: drill.ts
 *   least-queue       the shortest queue: least-queue.ts
 *   conga             the least congested path: conga.ts
 *   adaptive          a random one in the lowest queue class: adaptive.ts
 *   wcmp              by the hash, in proportion to weights: weighted.ts
 *   weighted-random   a random one, in proportion to weights: weighted.ts
 *   plane-of-entropy  at adapters, by the UDP source port: plane-of-entropy.ts
 *   source-route      the one that the sender has listed: source-route.ts; also entropy-bits
 *
 * Candidates   the plan's equal next hops; while links are down, those of rerouting.ts, never one whose link is down.
 * Single       with one candidate, no random number is drawn and no state changes.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { findOpenNextHops, linksDown, openNextHops } from '../rerouting';
import { hashedEgress, hashOf } from '../hashed-egress';
import { groups, portAt } from '../network';
import { isData } from '../packets';
import { adaptiveEgress } from './adaptive';
import { congaEgress, isAtSource, passCongestion } from './conga';
import { drillEgress } from './drill';
import { egressOfFlowlet } from './flowlets';
import { balancerOf, groupsAt, leafCount } from './network';
import { egressOfPlane } from './plane-of-entropy';
import { sourcePortOf } from './source-ports';
import { sourceRoutedEgress } from './source-route';
import { anyEgress, nextEgress } from './spray';
import { leastQueueEgress } from './least-queue';
import { anyByWeight, hashedByWeight } from './weighted';
import { SimFlow, SimNode, SimPacket } from '../../records/network';
import { BALANCING_RULE_ADAPTIVE, BALANCING_RULE_CONGA, BALANCING_RULE_DRILL, BALANCING_RULE_ECMP,
  BALANCING_RULE_FLOWLET, BALANCING_RULE_PLANE_OF_ENTROPY, BALANCING_RULE_RANDOM, BALANCING_RULE_ROUND_ROBIN,
  BALANCING_RULE_SOURCE_ROUTE, BALANCING_RULE_WCMP, BALANCING_RULE_WEIGHTED_RANDOM,
  Balancer } from '../../records/balancing';

/** The egress port of a packet; SIM_NONE if there is no path. `group`: the plan's next hops towards the host. */
@inline export function balancedEgress(node: SimNode, packet: SimPacket, flow: SimFlow, host: u32,
  group: u32): u32 {
  const own = balancerOf(node);
  const isHashed = !isData(packet) || own.rule == BALANCING_RULE_ECMP ||
    (own.rule == BALANCING_RULE_CONGA && !isAtSource(node, flow));
  const egress = isHashed ?
    hashedEgress(node, packet, flow, host, group) :
    chosenEgress(node, own, packet, flow, host, group);
  if (leafCount && egress != SIM_NONE) passCongestion(node, own, packet, flow, portAt(egress));
  return egress;
}

function chosenEgress(node: SimNode, own: Balancer, packet: SimPacket, flow: SimFlow, host: u32, group: u32): u32 {
  const planned = groups + (<usize>group << 2);
  if (own.rule == BALANCING_RULE_SOURCE_ROUTE) return sourceRoutedEgress(own, planned, sourcePortOf(flow, packet));
  const count = linksDown ? findOpenNextHops(node, host, group) : load<u32>(planned);
  const nextHops = linksDown ? openNextHops : planned + 4;
  if (!count) return SIM_NONE;
  if (count == 1 && own.rule != BALANCING_RULE_CONGA) return load<u32>(nextHops);
  return egressAmong(node, own, packet, flow, group, nextHops, count);
}

/** Chooses by the switch's rule. `nextHops`: address of `count` next hops; a single one is passed only to CONGA, to update its tables. */
@inline function egressAmong(node: SimNode, own: Balancer, packet: SimPacket, flow: SimFlow, group: u32,
  nextHops: usize, count: u32): u32 {
  const planned = groups + (<usize>group << 2);
  const memory = groupsAt + (<usize>group << 2);
  if (own.rule == BALANCING_RULE_RANDOM) return anyEgress(own, nextHops, count);
  if (own.rule == BALANCING_RULE_ROUND_ROBIN) return nextEgress(memory, nextHops, count);
  if (own.rule == BALANCING_RULE_FLOWLET) return egressOfFlowlet(own, packet, nextHops, count);
  if (own.rule == BALANCING_RULE_DRILL) return drillEgress(own, memory, load<u32>(planned), nextHops, count);
  if (own.rule == BALANCING_RULE_CONGA) return congaEgress(own, packet, flow, nextHops, count);
  if (own.rule == BALANCING_RULE_ADAPTIVE) return adaptiveEgress(own, nextHops, count);
  if (own.rule == BALANCING_RULE_WCMP)
    return hashedByWeight(memory, planned, nextHops, count, hashOf(node, packet, flow));
  if (own.rule == BALANCING_RULE_WEIGHTED_RANDOM) return anyByWeight(own, memory, planned, nextHops, count);
  if (own.rule == BALANCING_RULE_PLANE_OF_ENTROPY)
    return egressOfPlane(planned, nextHops, count, sourcePortOf(flow, packet));
  return leastQueueEgress(memory, nextHops, count);
}
