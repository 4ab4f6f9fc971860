/**
 * Which port of a switch a packet leaves by: worked out once per flow, direction and switch, and kept.
 *
 * Worked out  the group of exits of (switch, destination); the flow's hash chooses among equal exits. Links down: detours.ts.
 * Kept        per flow one line of cache: 8 ports of data's path, 8 of the answers' path, by the number of switches passed before.
 *             A kept port that belongs to another switch is none: so a packet that took another path (a detour, a Fast CNP, which
 *             begins midway) finds nothing wrong here. An exit depends on nothing else while all links are up, switches choose by the hash
 *             and flows keep their ports; else none is kept.
 */
import { SIM_NONE } from '../../src/abi/sim-layout';
import { allocate } from '../memory/map';
import { balancedExit } from './balancing/choose';
import { balanced } from './balancing/network';
import { exitsMove } from './detours';
import { hashedExit } from './hashed-exit';
import { flowAt, flowCount, indexOfNode, portAt } from './network';
import { isData } from './packets';
import { SimNode, SimPacket } from './records';
import { groupTowards } from './routes';
import { tunnelled } from './wan/memory';
import { targetOf } from './wan/tunnels';

const EXITS_PER_DIRECTION: u32 = 8;
const EXIT_BYTES: usize = 64;
const ANSWERS: usize = 32;

let exits: usize = 0;

export function allocateExits(flowsWanted: u32): void {
  exits = allocate(<usize>flowsWanted * EXIT_BYTES);
}

export function beginExits(): void {
  memory.fill(exits, 0xff, <usize>flowCount * EXIT_BYTES);
}

/** A flow's record is another one's. */
export function forgetExits(flow: u32): void {
  memory.fill(exits + <usize>flow * EXIT_BYTES, 0xff, EXIT_BYTES);
}

/** Where the egress port of a packet is kept at the next switch that it comes to. */
@inline function placeOfExit(packet: SimPacket): usize {
  return exits + <usize>packet.flow * EXIT_BYTES + (isData(packet) ? 0 : ANSWERS) +
    (<usize>(packet.passed & (EXITS_PER_DIRECTION - 1)) << 2);
}

/** The egress port of a packet at a switch; SIM_NONE: there is none. */
@inline export function exitOf(node: SimNode, packet: SimPacket): u32 {
  const place = placeOfExit(packet);
  packet.passed++;
  const kept = load<u32>(place);
  if (!exitsMove && kept != SIM_NONE && portAt(kept).node == indexOfNode(node)) return kept;
  const out = workOut(node, packet);
  if (!exitsMove) store<u32>(place, out);
  return out;
}

function workOut(node: SimNode, packet: SimPacket): u32 {
  const flow = flowAt(packet.flow);
  const host = tunnelled ? targetOf(node, packet, flow) : isData(packet) ? flow.destination : flow.source;
  const group = groupTowards(node, host);
  if (group == SIM_NONE) return SIM_NONE;
  if (balanced) return balancedExit(node, packet, flow, host, group);
  return hashedExit(node, packet, flow, host, group);
}
