/**
 * A switch under `reference-lossy`: the packet's path, admission to the pools, pauses.
 *
 * In    responses of the last leaf end at the first leaf; path; forced drops; pools; pauses; queue of the egress port
 * Class 0 (responses, pause frames) is exempt from memory limits, marks and pauses.
 *
 * Source: docs/specs/reference-lossy.md, sections 2, 6, 7, 9.
 */
import { DROP_BUFFER, DROP_LOSS, DROP_NO_ROUTE, PACKET_CONTROL, SIM_NONE } from '../../../src/abi/sim-codes';
import { cancel, drawOrder, schedule } from '../event-queue';
import { addSource } from '../event-sources';
import { flowAt, flowCount, indexOfNode, indexOfPort, nodeAt, portAt } from '../network';
import { consume, drop, isData, makePacket, packetAt } from '../packets';
import { egressOf } from '../paths';
import { enqueue } from '../queues';
import { serve } from '../switch';
import { cRandom } from './c-random';
import { addFeedback, congestionOf, learn, leastCongested, noteFirst, noteSent } from './conga';
import { requestsReply, CONWEAVE_NOTIFY, endReordering, fillResponse, flushPs, isLate, movesFlush, takeResponse,
  receiveAtLastLeaf, weave } from './conweave';
import { drillPort } from './drill';
import { keepPath, pathOfFlowlet } from './flowlets';
import { isForcedOut } from './forced-drops';
import { destinationLeaf, firstPath, leafOf, pathsBetween, portOfHop, sourceLeaf } from './leaf-paths';
import { balancing, isConga, isConWeave, isDrill, isEcmp, lossy, lossyFlow, partOf, pathCount } from './network';
import { updatePauses } from './pauses';
import { isPooled, takePool } from './pools';
import { SimFlow, SimNode, SimPacket, SimPort } from '../../records/network';
import { BALANCING_LETFLOW, LossyPart } from '../../records/lossy';

/** Length of a response of ConWeave's last leaf. */
const RESPONSE_BYTES: u32 = 64;

/** First event of the flushes, one per flow. */
let flushes: u32 = 0;

/** Adds the events at which a last leaf releases the packets of a flow that it held back. */
export function addFlushes(): void {
  flushes = addSource(lossy ? flowCount : 0, flushHeld);
}

/** A packet arrives at a switch by `inPort`. */
export function forwardLossy(node: SimNode, inPort: SimPort, index: u32): void {
  const packet = packetAt(index);
  packet.inPort = indexOfPort(inPort);
  const here = indexOfNode(node);
  if (isConWeave()) noteFirst(here);
  if (!isData(packet)) return forwardResponse(node, inPort, index, here);
  if (isConga()) noteFirst(here);
  if (isForcedOut(packet)) return dropOf(inPort, packet, index, DROP_LOSS);
  if (!isEcmp() && !isDrill() && pathCount && isHeldBack(node, packet, index, here)) return;
  send(node, inPort, index);
}

function forwardResponse(node: SimNode, inPort: SimPort, index: u32, here: u32): void {
  const packet = packetAt(index);
  if (packet.kind == PACKET_CONTROL && here == sourceLeaf(flowAt(packet.flow))) {
    takeResponse(lossyFlow(packet.flow), partOf(packet), here);
    return consume(index);
  }
  const out = egressOf(node, packet);
  packet.inPort = SIM_NONE;
  if (out == SIM_NONE) return dropOf(inPort, packet, index, DROP_NO_ROUTE);
  enqueue(portAt(out), 0, index);
  serve(node, portAt(out));
}

/** Queues a data packet if there is memory for it. */
function send(node: SimNode, inPort: SimPort, index: u32): void {
  const packet = packetAt(index);
  const out = portOf(node, packet);
  if (out == SIM_NONE) return dropOf(inPort, packet, index, DROP_NO_ROUTE);
  const outPort = portAt(out);
  const cls = <u32>packet.cls;
  if (!isPooled(node, inPort, outPort, cls, packet.lenBytes)) return dropOf(outPort, packet, index, DROP_BUFFER);
  takePool(node, inPort, outPort, cls, packet.lenBytes);
  if (node.pfc && updatePauses(node, inPort, cls)) serve(node, inPort);
  enqueue(outPort, cls, index);
  serve(node, outPort);
}

function dropOf(port: SimPort, packet: SimPacket, index: u32, reason: u32): void {
  port.drops += 1;
  if (isData(packet)) lossyFlow(packet.flow).drops++;
  drop(index, reason);
}

/** The egress port of a data packet. */
function portOf(node: SimNode, packet: SimPacket): u32 {
  const part = partOf(packet);
  if (isDrill()) return drillPort(node, flowAt(packet.flow).destination);
  if (isEcmp() || part.path == SIM_NONE || indexOfNode(node) == destinationLeaf(flowAt(packet.flow)))
    return egressOf(node, packet);
  return portOfHop(node, part.path, part.pathHop++);
}

// ---- Paths chosen by the first leaf

/** A leaf's part in choosing paths; returns whether the packet is held back for earlier ones. */
function isHeldBack(node: SimNode, packet: SimPacket, index: u32, here: u32): bool {
  const flow = flowAt(packet.flow);
  const from = sourceLeaf(flow);
  const to = destinationLeaf(flow);
  if (from == to || leafOf(from) == SIM_NONE || leafOf(to) == SIM_NONE) return false;
  const part = partOf(packet);
  if (here == to) return isConWeave() ? isHeldByWeave(node, flow, packet, index, here) : arriveByPath(part);
  if (here == from) choosePath(node, packet, part, from, to);
  if (isConga()) meet(portAt(portOfHop(node, part.path, part.pathHop)), packet, part, here == from);
  return false;
}

function choosePath(node: SimNode, packet: SimPacket, part: LossyPart, from: u32, to: u32): void {
  const own = lossyFlow(packet.flow);
  part.pathHop = 0;
  if (isConWeave()) return weave(own, part, from, to);
  if (isConga()) addFeedback(part, from, to);
  part.path = pathOfFlowlet(own);
  if (part.path != SIM_NONE) return;
  part.path = balancing == BALANCING_LETFLOW ?
    firstPath(from, to) + cRandom() % pathsBetween(from, to) :
    leastCongested(node, from, to);
  keepPath(own, part.path);
}

/** CONGA: assigns a packet to a port of its path. */
function meet(port: SimPort, packet: SimPacket, part: LossyPart, isFirst: bool): void {
  noteSent(port, packet.lenBytes);
  const congestion = congestionOf(port);
  part.congestion = isFirst ? congestion : max<u32>(part.congestion, congestion);
}

function arriveByPath(part: LossyPart): bool {
  if (isConga()) learn(part);
  return false;
}

// ---- ConWeave's last leaf

function isHeldByWeave(node: SimNode, flow: SimFlow, packet: SimPacket, index: u32, here: u32): bool {
  const own = lossyFlow(packet.flow);
  const part = partOf(packet);
  const isEarly = receiveAtLastLeaf(own, part, here);
  if (isLate) return false;
  if (movesFlush()) moveFlush(packet.flow);
  if (packet.marked) response(node, flow, packet, part, CONWEAVE_NOTIFY);
  if (requestsReply(part)) response(node, flow, packet, part, part.kind);
  if (!isEarly) return false;
  hold(packet.flow, index);
  return true;
}

function moveFlush(number: u32): void {
  const own = lossyFlow(number);
  if (own.flushScheduled) cancel(flushes + number);
  own.flushScheduled = 1;
  schedule(flushes + number, flushPs, drawOrder());
}

function response(node: SimNode, flow: SimFlow, cause: SimPacket, part: LossyPart, kind: u8): void {
  const index = makePacket(PACKET_CONTROL, cause.flow, 0, RESPONSE_BYTES);
  if (index == SIM_NONE) return;
  const packet = packetAt(index);
  packet.inPort = SIM_NONE;
  packet.sequence = cause.sequence;
  packet.sentPs = cause.sentPs;
  fillResponse(partOf(packet), part, kind);
  const out = egressOf(node, packet);
  if (out == SIM_NONE) return drop(index, DROP_NO_ROUTE);
  enqueue(portAt(out), 0, index);
  serve(node, portAt(out));
}

function hold(number: u32, index: u32): void {
  const own = lossyFlow(number);
  packetAt(index).next = SIM_NONE;
  if (own.heldHead == SIM_NONE) own.heldHead = index;
  else packetAt(own.heldTail).next = index;
  own.heldTail = index;
}

/** Releases what a flow's last leaf held back, in order. */
function flushHeld(number: u32): void {
  const own = lossyFlow(number);
  const node = nodeAt(destinationLeaf(flowAt(number)));
  own.flushScheduled = 0;
  endReordering(own);
  while (own.heldHead != SIM_NONE) {
    const index = own.heldHead;
    own.heldHead = packetAt(index).next;
    send(node, portAt(packetAt(index).inPort), index);
  }
}
