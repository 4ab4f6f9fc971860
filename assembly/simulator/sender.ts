/**
 * The sender of a flow: start, acknowledgements, go-back-N, timeouts, end.
 *
 * ACK      snd_una = max(snd_una, sequence); all acknowledged: the flow is done; then congestion control, then the port
 * NAK      like an ACK, and snd_nxt = snd_una (go-back-N). In the reference, later ACKs do not advance snd_nxt, so a second NAK for
 *          one gap makes the flow retransmit data that has arrived in the meantime, even if the flow is done
 * Timeout  nothing acknowledged for its whole duration: snd_nxt = snd_una
 * Source   ns-3 reference simulator (ACK, NAK); IBTA vol. 1, 9.9.2 (timeout, if the flow's host has one).
 */
import { PACES, READS_ACKS, READS_CREDIT } from '../../src/abi/algorithms';
import { LOSS_FAST, LOSS_TIMEOUT } from '../../src/abi/ack-layout';
import { FLOW_CREDIT, FLOW_DONE, FLOW_OWN_TRANSPORT, FLOW_READ, FLOW_SET_BACK, FLOW_STARTED, PACKET_NAK,
  SIM_NONE } from '../../src/abi/sim-codes';
import { traitsOf } from '../algorithms/registry';
import { messagesAcknowledged } from './connections/completions';
import { isMessage } from './connections/memory';
import { postMessage } from './connections/post';
import { feedAck, feedCnp, feedLoss, feedNack, followGap, stopTimers } from './engine-feed';
import { addEvent } from './event-sources';
import { nowPs, schedule, drawOrder } from './event-queue';
import { selecting } from './balancing/network';
import { messageAcknowledged } from './graph/ready';
import { flowDone, flowFinished, flowsAdded } from './halt';
import { cnpPackets, flowAt, portAt, reference, starts, total } from './network';
import { advanceWakeUp, joinNic, serveFlow, serveNic } from './nic';
import { takeLoss } from './path-selection/select';
import { qpChanged } from './ready-qps';
import { addRunning } from './running';
import { timeoutEvent } from './timeouts';
import { lossesOf, transportOf } from './transport/memory';
import { mayRetry } from './transport/retries';
import { postRead } from './verbs/read-request';
import { TOTAL_FLOWS_DONE, TOTAL_TIMEOUTS } from '../records/sim-run';
import { FLOW_CONNECTION } from '../records/flows';
import { SimFlow, SimPacket, TIMEOUT_IDLE, TIMEOUT_SET } from '../records/network';
import { LOSS_REACTION_ALGORITHM, LOSS_REACTION_CNP } from '../records/transports';

let startEvent: u32 = 0;
let nextStart: u32 = 0;
/** Whether the other events of this instant have been handled. */
let lastOfInstant: bool = false;

/** Adds the event at which the next flows start. */
export function addStartEvent(): void {
  startEvent = addEvent(startFlows);
}

/** Schedules the first start. */
export function beginStarts(): void {
  nextStart = 0;
  expectStart();
}

/** Whether every flow with a start time has started. */
export function areStartsOver(): bool {
  return nextStart == load<u32>(starts);
}

/** Adds the next `count` entries of the list, which the host has written in order of start times, none in the past. */
export function addStarts(count: u32): void {
  const isWaiting = !areStartsOver();
  store<u32>(starts, load<u32>(starts) + count);
  flowsAdded(count);
  if (!isWaiting) expectStart();
}

function expectStart(): void {
  if (nextStart == load<u32>(starts)) return;
  lastOfInstant = false;
  schedule(startEvent, <i64>flowAt(startAt(nextStart)).startPs, nextStart);
}

@inline function startAt(place: u32): u32 {
  return load<u32>(starts + (<usize>place << 2), 4);
}

/** Starts the flows that begin now, after all other events of this instant, as in the reference simulator. */
function startFlows(): void {
  if (!lastOfInstant) {
    lastOfInstant = true;
    schedule(startEvent, nowPs, drawOrder());
    return;
  }
  while (nextStart < load<u32>(starts) && <i64>flowAt(startAt(nextStart)).startPs <= nowPs)
    startFlow(startAt(nextStart++));
  expectStart();
}

/** Starts a flow, at its sender or, for a READ, at its requester; or posts it to its QP as a message. */
export function startFlow(number: u32): void {
  if (isMessage(number)) return postMessage(number);
  const flow = flowAt(number);
  flow.flags |= FLOW_STARTED;
  flow.startPs = <f64>nowPs;
  flow.size = <i64>flow.sizeBytes;
  flow.nextAvailPs = nowPs;
  flow.lastProgressPs = nowPs;
  flow.lastNak = -1;
  addRunning(number);
  if (flow.flags & FLOW_READ) return postRead(flow, number);
  if (traitsOf(flow.algorithm) & READS_CREDIT) flow.flags |= FLOW_CREDIT;
  const port = portAt(flow.sourcePort);
  joinNic(port, number);
  serveNic(port, nowPs);
}

/** An ACK or NAK arrives. */
export function acknowledge(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  if (flow.flags & FLOW_DONE) return;
  const acked = packet.sequence - flow.sndUna;
  if (acked > 0) {
    flow.sndUna = packet.sequence;
    flow.lastProgressPs = nowPs;
    if (flow.sndNxt < flow.sndUna && !(flow.flags & FLOW_SET_BACK)) flow.sndNxt = flow.sndUna;
  }
  if (flow.flags & FLOW_CONNECTION) acknowledgeMessages(flow, packet);
  else if (flow.sndUna >= flow.size) {
    if (flow.sndNxt < flow.size) stopTimers(flow, sincePs);
    finish(flow);
  }
  if (packet.kind == PACKET_NAK) {
    if (!(flow.flags & FLOW_CONNECTION)) lossesOf(packet.flow).naks++;
    goBack(flow, packet.flow, LOSS_FAST);
  }
  control(flow, packet, acked > 0 ? acked : 0, sincePs);
  serveFlow(flow, packet.flow, sincePs);
}

/** Like `acknowledge`, on a QP with messages. A NAK counts for the oldest message before its acknowledgement is applied. */
function acknowledgeMessages(flow: SimFlow, packet: SimPacket): void {
  if (packet.kind == PACKET_NAK) lossesOf(packet.flow).naks++;
  messagesAcknowledged(flow, packet.flow);
}

export function control(flow: SimFlow, packet: SimPacket, acked: i64, sincePs: i64): void {
  const traits = traitsOf(flow.algorithm);
  if (!(traits & READS_ACKS)) {
    if (packet.echo && !cnpPackets && feedCnp(flow, sincePs)) noteNotification(flow);
    return;
  }
  if (!feedAck(flow, packet, acked)) return;
  if (traits & PACES) advanceWakeUp(portAt(flow.sourcePort), flow);
}

/** Called when a CNP or Fast CNP has changed the rate. */
export function notified(flow: SimFlow, number: u32): void {
  noteNotification(flow);
  if (!(traitsOf(flow.algorithm) & PACES)) return;
  followGap(flow);
  qpChanged(flow, number);
  advanceWakeUp(portAt(flow.sourcePort), flow);
}

/** Records the time of a flow's first congestion notification. */
function noteNotification(flow: SimFlow): void {
  if (flow.firstNotificationPs < 0) flow.firstNotificationPs = <f64>nowPs;
}

export function finish(flow: SimFlow): void {
  flow.flags |= FLOW_DONE;
  flow.finishPs = <f64>nowPs;
  // After a NAK, the flow still sends the bytes from snd_nxt on.
  if (flow.sndNxt >= flow.size) flowDone();
  if (flow.operation) messageAcknowledged(flow.operation - 1);
  flowFinished(flow.qp);
  total(TOTAL_FLOWS_DONE, 1);
}

function goBack(flow: SimFlow, number: u32, found: u32): void {
  if (flow.flags & FLOW_DONE) return;
  if (flow.flags & FLOW_OWN_TRANSPORT && !mayRetry(flow, transportOf(number))) return;
  flow.sndNxt = flow.sndUna;
  if (reference && found == LOSS_FAST) flow.flags |= FLOW_SET_BACK;
  else flow.flags &= ~FLOW_SET_BACK;
  lose(flow, number, found);
}

/** Reports a detected loss to congestion control, if it reacts to losses. */
export function lose(flow: SimFlow, number: u32, found: u32): void {
  if (selecting) takeLoss(flow, number, found);
  reportLoss(flow, number, found);
}

/** Reports a loss, which path selection already knows of, to congestion control. */
export function reportLoss(flow: SimFlow, number: u32, found: u32): void {
  const reaction = flow.flags & FLOW_OWN_TRANSPORT ? transportOf(number).lossReaction : LOSS_REACTION_ALGORITHM;
  if (reaction == LOSS_REACTION_ALGORITHM) feedLoss(flow, found);
  else if (reaction == LOSS_REACTION_CNP && feedCnp(flow, nowPs)) notified(flow, number);
}

/** Reports a trimmed packet with this payload to the algorithm: as a NACK, or as the transport reports losses. */
export function reportNack(flow: SimFlow, packet: SimPacket, payloadBytes: i64, isLastHop: bool): void {
  if (transportOf(packet.flow).lossReaction == LOSS_REACTION_ALGORITHM) feedNack(flow, packet, payloadBytes, isLastHop);
  else reportLoss(flow, packet.flow, LOSS_FAST);
}

/**
 * Handles a timeout of a flow; the timer is restarted while bytes are unacknowledged. With an adaptive timeout, a flow without
 * progress gets one extension, for as long as queues on its path may hold its packets.
 */
export function timeOut(number: u32): void {
  const flow = flowAt(number);
  flow.timeoutState = TIMEOUT_IDLE;
  if (flow.flags & FLOW_DONE || flow.sndNxt == flow.sndUna) return;
  let due = flow.lastProgressPs + <i64>flow.timeoutPs;
  if (due <= nowPs) due = flow.lastProgressPs + <i64>flow.pathTimeoutPs;
  flow.timeoutState = TIMEOUT_SET;
  if (due > nowPs) {
    schedule(timeoutEvent(number), due, drawOrder());
    return;
  }
  flow.timeouts += 1;
  total(TOTAL_TIMEOUTS, 1);
  flow.lastProgressPs = nowPs;
  goBack(flow, number, LOSS_TIMEOUT);
  schedule(timeoutEvent(number), nowPs + <i64>flow.timeoutPs, drawOrder());
  serveFlow(flow, number, nowPs);
}

/** Starts the flows that depend on this one. */
export function startDependents(flow: SimFlow): void {
  let next = flow.firstDependent;
  while (next != SIM_NONE) {
    startFlow(next);
    next = flowAt(next).nextDependent;
  }
}
