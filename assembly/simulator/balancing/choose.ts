/**
 * Which of several equal ways a data packet takes at a switch, by the switch's own rule; answers go by the hash.
 *
 *   ecmp          the hash of its flow                       random, round-robin   any one, the next one: spray.ts
 *   flowlet       any one, kept within a flowlet: flowlets   drill, least-queue    the one with the shortest queue: drill.ts, least-queue.ts
 *   conga         the least congested path: conga.ts
 *
 * Ways  the plan's equal ones; while links are down, those of detours.ts: a way whose link is down is never among them.
 * One   a switch with one way towards the host takes it, and no generator, turn or memory moves.
 */
import { WAYS_CONGA, WAYS_DRILL, WAYS_ECMP, WAYS_FLOWLET, WAYS_RANDOM,
  WAYS_ROUND_ROBIN } from '../../../src/abi/balancing-layout';
import { SIM_NONE } from '../../../src/abi/sim-layout';
import { findOpenWays, linksDown, openWays } from '../detours';
import { hashedWay } from '../hashed-way';
import { groups, portAt } from '../network';
import { isData } from '../packets';
import { SimFlow, SimNode, SimPacket } from '../records';
import { congaWay, isAtSource, passCongestion } from './conga';
import { drillWay } from './drill';
import { wayOfFlowlet } from './flowlets';
import { Balancer, balancerOf, groupsAt, leafCount } from './network';
import { anyWay, nextWay } from './spray';
import { shortestWay } from './least-queue';

/** The egress port of a packet; SIM_NONE: no path is left. `group`: the plan's ways towards the host. */
export function balancedWay(node: SimNode, packet: SimPacket, flow: SimFlow, host: u32, group: u32): u32 {
  const own = balancerOf(node);
  const isHashed = !isData(packet) || own.ways == WAYS_ECMP || (own.ways == WAYS_CONGA && !isAtSource(node, flow));
  const way = isHashed ? hashedWay(node, packet, flow, host, group) : chosenWay(node, own, packet, flow, host, group);
  if (leafCount && way != SIM_NONE) passCongestion(node, own, packet, flow, portAt(way));
  return way;
}

function chosenWay(node: SimNode, own: Balancer, packet: SimPacket, flow: SimFlow, host: u32, group: u32): u32 {
  const planned = groups + (<usize>group << 2);
  const count = linksDown ? findOpenWays(node, host, group) : load<u32>(planned);
  const ways = linksDown ? openWays : planned + 4;
  if (!count) return SIM_NONE;
  if (count == 1 && own.ways != WAYS_CONGA) return load<u32>(ways);
  const memory = groupsAt + (<usize>group << 2);
  if (own.ways == WAYS_RANDOM) return anyWay(own, ways, count);
  if (own.ways == WAYS_ROUND_ROBIN) return nextWay(memory, ways, count);
  if (own.ways == WAYS_FLOWLET) return wayOfFlowlet(own, packet, ways, count);
  if (own.ways == WAYS_DRILL) return drillWay(own, memory, load<u32>(planned), ways, count);
  if (own.ways == WAYS_CONGA) return congaWay(own, packet, flow, ways, count);
  return shortestWay(memory, ways, count);
}
