/**
 * Which port of a switch a packet leaves by: worked out once per flow, direction and switch, and kept.
 *
 * Worked out  the way group of (switch, destination); the flow's hash chooses among equal ways. Links down: detours.ts.
 * Kept        per flow one line of cache: 8 ports of data's way, 8 of the answers' way, by the number of switches passed before.
 *             A kept port that belongs to another switch is none: so a packet that went another way (a detour, a Fast CNP, which
 *             begins midway) finds nothing wrong here. A way depends on nothing else while all links are up, switches choose by the hash
 *             and flows keep their ports; else none is kept.
 */
import { SIM_NONE } from '../../src/abi/sim-layout';
import { allocate } from '../memory/map';
import { balancedWay } from './balancing/choose';
import { balanced } from './balancing/network';
import { waysMove } from './detours';
import { hashedWay } from './hashed-way';
import { flowAt, flowCount, indexOfNode, portAt, routes } from './network';
import { isData } from './packets';
import { SimNode, SimPacket } from './records';
import { tunnelled } from './wan/memory';
import { targetOf } from './wan/tunnels';

const WAYS_PER_DIRECTION: u32 = 8;
const WAY_BYTES: usize = 64;
const ANSWERS: usize = 32;

let ways: usize = 0;

export function allocateWays(flowsWanted: u32): void {
  ways = allocate(<usize>flowsWanted * WAY_BYTES);
}

export function beginWays(): void {
  memory.fill(ways, 0xff, <usize>flowCount * WAY_BYTES);
}

/** Where the egress port of a packet is kept at the next switch that it comes to. */
@inline function placeOfWay(packet: SimPacket): usize {
  return ways + <usize>packet.flow * WAY_BYTES + (isData(packet) ? 0 : ANSWERS) +
    (<usize>(packet.passed & (WAYS_PER_DIRECTION - 1)) << 2);
}

/** The egress port that is kept, to read ahead; SIM_NONE: none. */
@inline export function keptWay(packet: SimPacket): u32 {
  return load<u32>(placeOfWay(packet));
}

/** The egress port of a packet at a switch; SIM_NONE: there is none. */
@inline export function wayOut(node: SimNode, packet: SimPacket): u32 {
  const place = placeOfWay(packet);
  packet.passed++;
  const kept = load<u32>(place);
  if (!waysMove && kept != SIM_NONE && portAt(kept).node == indexOfNode(node)) return kept;
  const out = workOut(node, packet);
  if (!waysMove) store<u32>(place, out);
  return out;
}

function workOut(node: SimNode, packet: SimPacket): u32 {
  const flow = flowAt(packet.flow);
  const host = tunnelled ? targetOf(node, packet, flow) : isData(packet) ? flow.destination : flow.source;
  const group = load<u32>(routes + (<usize>(node.routes + host) << 2));
  if (group == SIM_NONE) return SIM_NONE;
  if (balanced) return balancedWay(node, packet, flow, host, group);
  return hashedWay(node, packet, flow, host, group);
}
