/**
 * Handles a data packet between its queue and the link, under `reference-lossy`: releases memory, marks, resumes the neighbour.
 *
 * Source: docs/specs/reference-lossy.md, sections 6 to 8.
 */
import { mark } from '../marking';
import { portAt } from '../network';
import { isMarkDue } from './marking';
import { resumePeer } from './pauses';
import { freePool } from './pools';
import { SimNode, SimPacket, SimPort } from '../../records/network';

/** Returns whether the packet's ingress port has a frame to send. */
export function leaveLossy(node: SimNode, port: SimPort, packet: SimPacket, cls: u32): bool {
  const inPort = portAt(packet.inPort);
  freePool(node, inPort, port, cls, packet.lenBytes);
  if (isMarkDue(port, cls)) mark(port, packet, true);
  return node.pfc != 0 && resumePeer(node, inPort, cls);
}
