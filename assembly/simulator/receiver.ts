/**
 * The receiver of a flow: accepts data in order, responds to each packet, and is the notification point.
 *
 * In order       expected += payload; ACK. With delayed ACKs, the first bytes of a flow are only acknowledged at multiples of a chunk
 * Ahead          NAK with the expected byte, once per gap or again after the configured interval; otherwise no response
 * Behind         ACK if the sender has a timeout (IBTA vol. 1, 9.7.5.1.4: duplicates are acknowledged); otherwise no response, as
 *                in the reference simulator
 * Notification   `cnp`: a CNP per window of the engine's notification point, with interval and delay per host. `ack-flag`: the ACK
 *                echoes the mark of its packet.
 */
import { FLOW_RECEIVED, PACKET_ACK, PACKET_CNP, PACKET_NAK, SIM_NONE } from '../../src/abi/sim-codes';
import { accept, completeMessages } from './connections/deliveries';
import { feedMarked } from './engine-feed';
import { nowPs, schedule, drawOrder } from './event-queue';
import { addSource } from './event-sources';
import { messageDelivered } from './graph/ready';
import { ackQueue, cnpBytes, cnpClass, cnpPackets, flowAt, nakIntervalPs, nodeAt, nodeCount, portAt, delayedAckBytes,
  delayedAckChunkBytes, total } from './network';
import { response } from './nic';
import { consume, makePacket, packetAt, turnAround } from './packets';
import { copySourcePort } from './path-selection/memory';
import { startDependents } from './sender';
import { putBehind } from './transmission';
import { lossesOf, noteAhead } from './transport/memory';
import { TOTAL_DELIVERED } from '../records/sim-run';
import { FLOW_CONNECTION } from '../records/flows';
import { SimFlow, SimNode, SimPacket, TIMEOUT_OFF } from '../records/network';

/** First event of the delayed CNPs, one per node. */
let delays: u32 = 0;

/** Adds the events at which a host's notification point sends a delayed CNP. */
export function addDelayedCnps(): void {
  delays = addSource(nodeCount, releaseDelayed);
}

/** A data packet arrives at its host. */
export function receive(index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  const flow = flowAt(packet.flow);
  responseMark(flow, packet, sincePs);
  acceptData(flow, index, sincePs);
}

/** Accepts a data packet in order, or responds to one that is ahead or behind. */
@inline export function acceptData(flow: SimFlow, index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  if (packet.sequence == flow.expected) return receiveInOrder(flow, index, sincePs);
  if (packet.sequence > flow.expected) return receiveAhead(flow, index, sincePs);
  lossesOf(packet.flow).duplicates++;
  if (flow.timeoutState != TIMEOUT_OFF) return reply(flow, index, PACKET_ACK, sincePs);
  consume(index);
}

/** Sends a CNP for a marked packet if one is due. */
@inline export function responseMark(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  if (cnpPackets && packet.marked && feedMarked(flow)) sendCnp(flow, packet, sincePs);
}

function receiveInOrder(flow: SimFlow, index: u32, sincePs: i64): void {
  if (flow.flags & FLOW_CONNECTION) return receiveOnConnection(flow, index, sincePs);
  const payload = packetAt(index).lenBytes - flow.headerBytes;
  flow.expected += payload;
  flow.delivered += <f64>payload;
  total(TOTAL_DELIVERED, payload);
  if (isAckDelayedAt(flow.expected)) consume(index);
  else reply(flow, index, PACKET_ACK, sincePs);
  completeFlow(flow);
}

/** Like `receive`, on a QP with several messages. */
function receiveOnConnection(flow: SimFlow, index: u32, sincePs: i64): void {
  accept(flow, flow.expected + flow.mtuBytes);
  reply(flow, index, PACKET_ACK, sincePs);
  completeMessages(flow);
}

/** Checks whether all of a flow, or of messages of its QP, has arrived. */
export function completeReceive(flow: SimFlow): void {
  if (flow.flags & FLOW_CONNECTION) completeMessages(flow);
  else completeFlow(flow);
}

@inline function completeFlow(flow: SimFlow): void {
  if (flow.expected < flow.size || flow.flags & FLOW_RECEIVED) return;
  flow.flags |= FLOW_RECEIVED;
  if (flow.operation) messageDelivered(flow.operation - 1);
  startDependents(flow);
}

@inline function isAckDelayedAt(expected: i64): bool {
  return expected < delayedAckBytes && expected % delayedAckChunkBytes != 0;
}

function receiveAhead(flow: SimFlow, index: u32, sincePs: i64): void {
  noteAhead(flow, packetAt(index));
  const again = nakIntervalPs != 0 && nowPs >= flow.nakAgainPs;
  if (flow.expected == flow.lastNak && !again) return consume(index);
  flow.lastNak = flow.expected;
  flow.nakAgainPs = nowPs + nakIntervalPs;
  reply(flow, index, PACKET_NAK, sincePs);
}

/** Sends the packet back as its own response. */
export function reply(flow: SimFlow, index: u32, kind: u32, sincePs: i64): void {
  turnAround(index, kind, flow.ackClass, flow.ackBytes);
  packetAt(index).sequence = flow.expected;
  sendBack(flow, index, sincePs);
}

/** Sends the packet back as a response that names the packet itself. */
export function respond(flow: SimFlow, index: u32, kind: u32, lenBytes: u32, sincePs: i64): void {
  turnAround(index, kind, flow.ackClass, lenBytes);
  sendBack(flow, index, sincePs);
}

@inline function sendBack(flow: SimFlow, index: u32, sincePs: i64): void {
  response(portAt(flow.responsePort), ackQueue == SIM_NONE ? flow.ackClass : ackQueue, index, sincePs);
}

function sendCnp(flow: SimFlow, cause: SimPacket, sincePs: i64): void {
  const index = makePacket(PACKET_CNP, cause.flow, cnpClass, cnpBytes);
  if (index == SIM_NONE) return;
  packetAt(index).detours = cause.detours;
  copySourcePort(packetAt(index), cause);
  if (nodeAt(flow.destination).cnpDelayPs > 0) delay(nodeAt(flow.destination), flow.destination, index);
  else response(portAt(flow.responsePort), cnpClass, index, sincePs);
}

/** Delays a CNP by the notification point's constant delay, so CNPs leave in order. */
function delay(node: SimNode, number: u32, index: u32): void {
  const duePs = nowPs + <i64>node.cnpDelayPs;
  const order = drawOrder();
  packetAt(index).next = SIM_NONE;
  if (node.delayedHead == SIM_NONE) {
    node.delayedHead = index;
    schedule(delays + number, duePs, order);
  } else {
    putBehind(packetAt(node.delayedTail), index, duePs, order);
  }
  node.delayedTail = index;
}

/** Sends the first delayed CNP of a host. */
function releaseDelayed(number: u32): void {
  const node = nodeAt(number);
  const index = node.delayedHead;
  const packet = packetAt(index);
  node.delayedHead = packet.next;
  if (packet.next != SIM_NONE) schedule(delays + number, packet.behindPs, packet.behindOrder);
  const flow = flowAt(packetAt(index).flow);
  response(portAt(flow.responsePort), cnpClass, index, nowPs);
}
