/**
 * The receiver of a flow under `reference-lossy`.
 *
 * go-back-N  in order: ACK; ahead: NAK, at most one per interval for the same expected byte; behind: ACK
 * IRN        in order: expected moves beyond held bytes; ACK if nothing is held beyond that, otherwise NAK that names this packet.
 *            ahead: held, NAK that names it; no response within the interval if it is already held. behind: like in order
 * Marks      the response echoes the packet's mark, and a NAK of a packet that arrived ahead counts as a mark
 *
 * Source: docs/specs/reference-lossy.md, sections 3, 4, 5.1.
 */
import { FLOW_DONE, FLOW_RECEIVED, PACKET_ACK, PACKET_NAK, SIM_NONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { messageDelivered } from '../graph/ready';
import { flowAt, nakIntervalPs, portAt, delayedAckBytes, delayedAckChunkBytes, total } from '../network';
import { response } from '../nic';
import { consume, packetAt, turnAround } from '../packets';
import { startDependents } from '../sender';
import { backToZeroBytes, irn, lossyFlow, partOf } from './network';
import { addRange, contains, endOf, startOf, trim } from './ranges';
import { TOTAL_DELIVERED } from '../../records/sim-run';
import { SimFlow } from '../../records/network';
import { LossyFlow } from '../../records/lossy';

/** A data packet arrives at its host. */
export function receiveLossy(index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  const flow = flowAt(packet.flow);
  const own = lossyFlow(packet.flow);
  const start = packet.sequence;
  const end = start + <i64>(packet.lenBytes - flow.headerBytes);
  own.received++;
  if (start < flow.expected) own.duplicates++;
  if (start > flow.expected) {
    own.outOfOrder++;
    receiveAhead(flow, own, index, start, end, sincePs);
  } else if (end >= flow.expected) receiveInOrder(flow, own, index, end, sincePs);
  else responseInOrder(flow, own, index, sincePs);
}

function receiveInOrder(flow: SimFlow, own: LossyFlow, index: u32, end: i64, sincePs: i64): void {
  let expected = end;
  if (irn) {
    if (own.held != SIM_NONE && startOf(own.held) <= expected) expected = endOf(own.held);
    own.held = trim(own.held, expected);
  }
  deliver(flow, expected);
  if (isAckDelayedAt(expected)) consume(index);
  else responseInOrder(flow, own, index, sincePs);
  if (expected < flow.size || flow.flags & (FLOW_RECEIVED | FLOW_DONE)) return;
  flow.flags |= FLOW_RECEIVED;
  if (flow.operation) messageDelivered(flow.operation - 1);
  startDependents(flow);
}

/** Sets the expected byte, possibly back; a receiver that was reset delivers nothing twice. */
@inline function deliver(flow: SimFlow, expected: i64): void {
  if (!(flow.flags & FLOW_DONE)) {
    flow.delivered += <f64>(expected - flow.expected);
    total(TOTAL_DELIVERED, <f64>(expected - flow.expected));
  }
  flow.expected = expected;
}

@inline function isAckDelayedAt(expected: i64): bool {
  return expected < delayedAckBytes && expected % delayedAckChunkBytes != 0;
}

/** Sends an ACK, or under IRN a NAK that names this packet while later bytes are held. */
function responseInOrder(flow: SimFlow, own: LossyFlow, index: u32, sincePs: i64): void {
  const isAck = !irn || own.held == SIM_NONE;
  reply(flow, index, isAck ? PACKET_ACK : PACKET_NAK, false, sincePs);
}

function receiveAhead(flow: SimFlow, own: LossyFlow, index: u32, start: i64, end: i64, sincePs: i64): void {
  if (irn) {
    if (nowPs < flow.nakAgainPs && contains(own.held, start, end)) return consume(index);
    own.held = addRange(own.held, start, end);
  } else {
    if (nowPs < flow.nakAgainPs && flow.expected == flow.lastNak) return consume(index);
    flow.lastNak = flow.expected;
    if (backToZeroBytes) deliver(flow, flow.expected / backToZeroBytes * backToZeroBytes);
  }
  flow.nakAgainPs = nowPs + nakIntervalPs;
  reply(flow, index, PACKET_NAK, true, sincePs);
}

/** Sends the packet back as its own response. */
function reply(flow: SimFlow, index: u32, kind: u32, isAhead: bool, sincePs: i64): void {
  const packet = packetAt(index);
  const part = partOf(packet);
  part.nakSequence = packet.sequence;
  part.nakBytes = kind == PACKET_NAK ? packet.lenBytes - flow.headerBytes : 0;
  turnAround(index, kind, flow.ackClass, flow.ackBytes);
  if (isAhead) packet.echo = 1;
  packet.sequence = flow.expected;
  response(portAt(flow.responsePort), flow.ackClass, index, sincePs);
}
