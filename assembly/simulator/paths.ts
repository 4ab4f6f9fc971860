/**
 * Which port of a switch a packet leaves by: worked out once per flow, direction and switch, and kept.
 *
 * Worked out  the way group of (switch, destination); the flow's hash chooses among equal ways. Links down: detours.ts.
 * Kept        per flow one line of cache: 8 ports of data's way, 8 of the answers' way, by the number of switches passed before.
 *             A kept port that belongs to another switch is none: so a packet that went another way (a detour, a Fast CNP, which
 *             begins midway) finds nothing wrong here. A way depends on nothing else while all links are up.
 */
import { SIM_NONE } from '../../src/abi/sim-layout';
import { allocate } from '../memory/map';
import { linksDown, wayAround } from './detours';
import { flowHash } from './ecmp';
import { flowAt, flowCount, groups, indexOfNode, nodeAt, portAt, routes } from './network';
import { isData } from './packets';
import { SimFlow, SimNode, SimPacket } from './records';

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
  if (!linksDown && kept != SIM_NONE && portAt(kept).node == indexOfNode(node)) return kept;
  const out = workOut(node, packet);
  if (!linksDown) store<u32>(place, out);
  return out;
}

function workOut(node: SimNode, packet: SimPacket): u32 {
  return wayOf(node, flowAt(packet.flow), isData(packet));
}

/** The egress port of a flow's data at a switch, which is not kept; SIM_NONE: there is none. */
export function wayOfData(node: SimNode, flow: SimFlow): u32 {
  return wayOf(node, flow, true);
}

@inline function wayOf(node: SimNode, flow: SimFlow, data: bool): u32 {
  const host = data ? flow.destination : flow.source;
  const group = load<u32>(routes + (<usize>(node.routes + host) << 2));
  if (group == SIM_NONE) return SIM_NONE;
  if (linksDown) return wayAround(node, host, group, hashOf(node, flow, data));
  const equal = groups + (<usize>group << 2);
  const count = load<u32>(equal);
  if (count == 1) return load<u32>(equal, 4);
  return load<u32>(equal + (<usize>(hashOf(node, flow, data) % count) << 2), 4);
}

/** Answers go by addresses and ports exchanged. */
@inline function hashOf(node: SimNode, flow: SimFlow, data: bool): u32 {
  const source = nodeAt(flow.source).address;
  const destination = nodeAt(flow.destination).address;
  if (data) return flowHash(source, destination, rotl<u32>(flow.udpPorts, 16), node.hashSeed);
  return flowHash(destination, source, flow.udpPorts, node.hashSeed);
}
