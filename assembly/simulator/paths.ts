/**
 * The egress port of a packet at a switch, computed once per flow, direction and switch, and cached.
 *
 * Computed    the group of next hops of (switch, destination); the flow's hash chooses among equal next hops. Links down: rerouting.ts.
 * Cached      one cache line per flow: 8 ports of data's path and 8 of the responses' path, by the number of switches passed before.
 *             A cached port of another switch is ignored, so packets on another path (a reroute, or a Fast CNP, which begins
 *             midway) get no wrong port. Ports are cached only while all links are up, switches choose by the hash and flows keep
 *             their UDP ports.
 */
import { SIM_NONE } from '../../src/abi/sim-codes';
import { allocate } from '../memory/map';
import { balancedEgress } from './balancing/choose';
import { balanced } from './balancing/network';
import { nextHopsMove } from './rerouting';
import { hashedEgress } from './hashed-egress';
import { flowAt, flowCount, indexOfNode, portAt } from './network';
import { isData } from './packets';
import { groupTowards } from './routes';
import { tunnelled } from './wan/memory';
import { targetOf } from './wan/tunnels';
import { SimNode, SimPacket } from '../records/network';

const NEXT_HOPS_PER_DIRECTION: u32 = 8;
const EGRESS_BYTES: usize = 64;
const RESPONSES: usize = 32;

let nextHops: usize = 0;

export function allocateNextHops(flowsWanted: u32): void {
  nextHops = allocate(<usize>flowsWanted * EGRESS_BYTES);
}

export function beginNextHops(): void {
  memory.fill(nextHops, 0xff, <usize>flowCount * EGRESS_BYTES);
}

/** Clears the cached ports of a flow whose record is reused. */
export function forgetNextHops(flow: u32): void {
  memory.fill(nextHops + <usize>flow * EGRESS_BYTES, 0xff, EGRESS_BYTES);
}

/** Address of the cached egress port at the packet's next switch. */
@inline function placeOfEgress(packet: SimPacket): usize {
  return nextHops + <usize>packet.flow * EGRESS_BYTES + (isData(packet) ? 0 : RESPONSES) +
    (<usize>(packet.passed & (NEXT_HOPS_PER_DIRECTION - 1)) << 2);
}

/** The egress port of a packet at a switch; SIM_NONE if there is none. */
@inline export function egressOf(node: SimNode, packet: SimPacket): u32 {
  const place = placeOfEgress(packet);
  packet.passed++;
  const kept = load<u32>(place);
  if (!nextHopsMove && kept != SIM_NONE && portAt(kept).node == indexOfNode(node)) return kept;
  const out = workOut(node, packet);
  if (!nextHopsMove) store<u32>(place, out);
  return out;
}

function workOut(node: SimNode, packet: SimPacket): u32 {
  const flow = flowAt(packet.flow);
  const host = tunnelled ? targetOf(node, packet, flow) : isData(packet) ? flow.destination : flow.source;
  const group = groupTowards(node, host);
  if (group == SIM_NONE) return SIM_NONE;
  if (balanced) return balancedEgress(node, packet, flow, host, group);
  return hashedEgress(node, packet, flow, host, group);
}
