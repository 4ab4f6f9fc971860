/**
 * Ports with room: a sender with a port into each of several planes uses only entropies whose port has room.
 *
 *   room      fewer than `roomBytes` bytes wait at the adapter's port for the entropy's plane
 *   no room   if no port has room, all of them count as having room, and the adapter queues the packet
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 3.9, "free_ports".
 * Deviations  the source leaves open how much room a port needs: `hosts.entropyStates.portRoomBytes` in docs/reference/sources.md, "Planes".
 */
import { egressAt } from '../balancing/spray';
import { groups, nodeAt, portAt } from '../network';
import { groupTowards } from '../routes';
import { planeOf, planes, roomBytes } from './memory';
import { SimFlow } from '../../records/network';
import { FIRST_ENTROPY_PORT } from '../../records/balancing';

/** Address of the adapter's ports for a flow: their count, then the ports by plane. 0: all entropies have room. */
export function planesOf(flow: SimFlow): usize {
  if (planes == 1 || !roomBytes) return 0;
  const adapter = nodeAt(portAt(portAt(nodeAt(flow.source).firstPort).peer).node);
  if (!adapter.isAdapter) return 0;
  const ports = groups + (<usize>groupTowards(adapter, flow.destination) << 2);
  const count = load<u32>(ports);
  for (let at: u32 = 0; at < count; at++) if (hasRoom(egressAt(ports + 4, at))) return ports;
  return 0;
}

/** Whether the port of an entropy's plane has room. `ports`: result of `planesOf`. */
@inline export function isRoomFor(ports: usize, entropy: u32): bool {
  return !ports || hasRoom(egressAt(ports + 4, planeOf(FIRST_ENTROPY_PORT + entropy, load<u32>(ports))));
}

@inline function hasRoom(port: u32): bool {
  return portAt(port).queueBytes < roomBytes;
}
