/**
 * Changes a flow's UDP source port on a Fast CNP, so that the hash routes later packets over another path: "the sender can also
 * use the Source IPv6 address of the Fast CNP as a signal to detour the congested switch", e.g. by "changing the ECMP field(s)
 * of the flow".
 *
 * Choice   the next port; after 65,535 comes 10,000, the first port. Each Fast CNP that the flow reacts to advances it by one.
 * Packets  keep the port that they were sent with, so those in flight stay on their paths; responses repeat it.
 * Limits   the sender does not know whether the congested port can be avoided at all: the receiver's own port can't.
 * Source   draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4; the choice of the port is ours.
 */
import { sourcePortOfPacket } from '../path-selection/memory';
import { detouring, detoursOf, portsVary, selecting, takesDetours } from './network';
import { SimFlow, SimPacket } from '../../records/network';
import { FIRST_SOURCE_PORT } from '../../records/balancing';

const PORTS_END: u32 = 65536;

/** Changes the port. Called when the sender of a flow has reacted to a Fast CNP. */
export function detour(flow: SimFlow, number: u32): void {
  if (!takesDetours(flow.source)) return;
  const at = detoursOf(number);
  store<u32>(at, load<u32>(at) + 1);
}

/** Number of port changes so far, modulo 256, for a packet that is sent now. */
@inline export function detoursSoFar(flow: u32): u8 {
  return <u8>load<u32>(detoursOf(flow));
}

/** UDP source port of a packet; a response has that of its data packet. */
export function sourcePortOf(flow: SimFlow, packet: SimPacket): u32 {
  const own = selecting ? sourcePortOfPacket(packet) : 0;
  if (own) return own;
  if (!detouring) return flow.udpPorts >>> 16;
  const sofar = load<u32>(detoursOf(packet.flow));
  const port = (flow.udpPorts >>> 16) + sofar - <u32>(<u8>sofar - packet.detours);
  return port < PORTS_END ? port : FIRST_SOURCE_PORT + (port - PORTS_END) % (PORTS_END - FIRST_SOURCE_PORT);
}

/** UDP ports of a packet's flow, source in the high half. */
@inline export function portsOf(flow: SimFlow, packet: SimPacket): u32 {
  return portsVary ? (sourcePortOf(flow, packet) << 16) | (flow.udpPorts & 0xffff) : flow.udpPorts;
}
