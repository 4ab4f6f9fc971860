/** Chooses the egress port by the hash of a packet's flow; while links are down, among the ports that lead nearer. */
import { linksDown, egressAround } from './rerouting';
import { flowHash } from './ecmp';
import { SIM_NONE } from '../../src/abi/sim-codes';
import { groups, nodeAt } from './network';
import { isData } from './packets';
import { portsOf } from './balancing/source-ports';
import { groupTowards } from './routes';
import { tunnelled } from './wan/memory';
import { targetOfData } from './wan/tunnels';
import { SimFlow, SimNode, SimPacket } from '../records/network';

/** `group`: the plan's next hops from the switch to the host. Returns SIM_NONE if there is no path. */
export function hashedEgress(node: SimNode, packet: SimPacket, flow: SimFlow, host: u32, group: u32): u32 {
  if (linksDown) return egressAround(node, host, group, hashOf(node, packet, flow));
  const equal = groups + (<usize>group << 2);
  const count = load<u32>(equal);
  if (count == 1) return load<u32>(equal, 4);
  return load<u32>(equal + (<usize>(hashOf(node, packet, flow) % count) << 2), 4);
}

/** The egress port of a flow's data by the hash with its initial UDP ports, regardless of sprayed packets; SIM_NONE if none. */
export function egressOfData(node: SimNode, flow: SimFlow): u32 {
  const target = tunnelled ? targetOfData(node, flow, flow.qp) : flow.destination;
  const group = groupTowards(node, target);
  if (group == SIM_NONE) return SIM_NONE;
  const source = nodeAt(flow.source).address;
  const hash = flowHash(source, nodeAt(flow.destination).address, rotl<u32>(flow.udpPorts, 16), node.hashSeed);
  if (linksDown) return egressAround(node, target, group, hash);
  const equal = groups + (<usize>group << 2);
  return load<u32>(equal + (<usize>(hash % load<u32>(equal)) << 2), 4);
}

/** Responses are hashed with addresses and ports exchanged. */
@inline export function hashOf(node: SimNode, packet: SimPacket, flow: SimFlow): u32 {
  const source = nodeAt(flow.source).address;
  const destination = nodeAt(flow.destination).address;
  const ports = portsOf(flow, packet);
  if (isData(packet)) return flowHash(source, destination, rotl<u32>(ports, 16), node.hashSeed);
  return flowHash(destination, source, ports, node.hashSeed);
}
