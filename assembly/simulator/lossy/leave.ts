/**
 * What a data packet meets between its queue and the wire, under losses: memory given back, mark, resume of its neighbour.
 *
 * Source: docs/specs/reference-lossy.md, sections 6 to 8.
 */
import { mark } from '../marking';
import { portAt } from '../network';
import { SimNode, SimPacket, SimPort } from '../records';
import { isMarkDue } from './marking';
import { letGoOn } from './pauses';
import { freePool } from './pools';

/** Returns whether the port that the packet came in by has a frame to send. */
export function leaveLossy(node: SimNode, port: SimPort, packet: SimPacket, cls: u32): bool {
  const inPort = portAt(packet.inPort);
  freePool(node, inPort, port, cls, packet.lenBytes);
  if (isMarkDue(port, cls)) mark(port, packet, true);
  return node.pfc != 0 && letGoOn(node, inPort, cls);
}
