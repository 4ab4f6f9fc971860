/**
 * A switch, provider edge or router of a network with tunnels: handles borders and tunnels, then continues like `forward`.
 *
 * In    ARN; access list; segment, egress or ingress of a tunnel; route; access list; admission; pause of the sender by PFC or ARN; queue
 */
import { DROP_NO_ROUTE, PACKET_ARN, SIM_NONE } from '../../../src/abi/sim-codes';
import { addSource } from '../event-sources';
import { nodeAt, portAt, portCount } from '../network';
import { consume, drop, packetAt } from '../packets';
import { egressOf } from '../paths';
import { admit, pauseIfDue, serve, takeIn } from '../switch';
import { countIn, expireHolds, applyArn, placeArns, refreshArns } from './arn';
import { passesIn, passesOut } from './borders';
import { arns, wanPort } from './memory';
import { beginOutside, passesTunnels } from './tunnels';
import { WAN_CONTROL_PFC } from '../../records/wan';
import { SimNode, SimPacket, SimPort } from '../../records/network';

/** A packet arrives at a switch by `inPort`. */
export function forwardTunnelled(node: SimNode, inPort: SimPort, index: u32): void {
  const packet = packetAt(index);
  if (packet.kind == PACKET_ARN) return takeArn(node, inPort, index, packet);
  if (portAt(inPort.peer).isHost) beginOutside(packet);
  if (!passesIn(node, inPort, index) || !passesTunnels(node, inPort, index)) return;
  const out = egressOf(node, packet);
  if (out == SIM_NONE) {
    inPort.drops += 1;
    return drop(index, DROP_NO_ROUTE);
  }
  const cls = <u32>packet.cls;
  const outPort = portAt(out);
  if (!passesOut(node, outPort, index) || !admit(node, inPort, outPort, cls, index)) return;
  holdBack(node, inPort, packet, cls);
  takeIn(node, outPort, cls, index);
}

/** Pauses the peer of a port by PFC or ARN, if due. */
function holdBack(node: SimNode, inPort: SimPort, packet: SimPacket, cls: u32): void {
  if (wanPort(inPort).control == WAN_CONTROL_PFC) return pauseIfDue(node, inPort, cls);
  if (arns && countIn(inPort, packet)) serve(node, inPort);
}

function takeArn(node: SimNode, port: SimPort, index: u32, packet: SimPacket): void {
  const isForwarded = applyArn(port, packet);
  consume(index);
  if (isForwarded) serve(node, port);
}

/** Adds the events at which a port repeats its ARNs, and at which pauses by ARNs expire. */
export function addArnEvents(): void {
  const ports = arns ? portCount : 0;
  placeArns(addSource(ports, repeatArns), addSource(ports, endHolds));
}

function repeatArns(index: u32): void {
  const port = portAt(index);
  if (refreshArns(port)) serve(nodeAt(port.node), port);
}

function endHolds(index: u32): void {
  const port = portAt(index);
  if (expireHolds(port)) serve(nodeAt(port.node), port);
}
