/**
 * The main loop: removes events in order and dispatches them.
 *
 *   end of a transmission ─► nic or switch          arrival ─► faults ─► switch, or host: receiver, sender
 *   wake-up ─► nic      timeout ─► sender      delayed CNP ─► receiver      start ─► sender      link ─► links
 *   operations ─► graph
 */
import { DROP_CORRUPT, DROP_LOSS, FLOW_CREDIT, FLOW_DONE, FLOW_NOT_READY, FLOW_OWN_TRANSPORT, FLOW_READ, FLOW_SELECTIVE,
  PACKET_CNP, PACKET_CREDIT, PACKET_FAST_CNP, PACKET_RNR_NAK, RUN_BUDGET, RUN_FLOW_DONE, RUN_IDLE, RUN_REACHED,
  RUN_SAMPLE, RUN_TRACE_FULL, SIM_NONE } from '../../src/abi/sim-codes';
import { nextRandom } from '../cp/random';
import { hasAgents, noteFeedback } from './agents/memory';
import { detouring, selecting } from './balancing/network';
import { detour } from './balancing/source-ports';
import { feedCnp } from './engine-feed';
import { arnExpiries, arnRefreshes, delays, EVENTS_PER_PORT, expiries, flushes, KIND_ARRIVAL, KIND_END, lossChecks,
  polls, probes, pulls, receipts, rnrWaits, SINGLE_CHECK, SINGLE_LINKS, SINGLE_OPERATIONS, SINGLE_OPERATION_TIMER,
  SINGLE_SAMPLE, SINGLE_START, singles, storms, timeouts } from './event-numbers';
import { isEmpty, nextEvent, nowOrder, nowPs, releaseEventsBefore } from './event-queue';
import { feedFastCnp } from './fast-cnp-feed';
import { stepOperations } from './graph/step';
import { timersLapse } from './graph/timers';
import { halted, consumeHalt } from './halt';
import { meetsHazard } from './hazards/arrivals';
import { checkPauses } from './hazards/pause-check';
import { hazardous } from './hazards/memory';
import { applyWatched } from './hazards/pauses';
import { takeOut } from './hazards/slow-receivers';
import { stepStorm } from './hazards/storms';
import { poll } from './hazards/watchdog';
import { changeLinks } from './links';
import { draws } from './marking';
import { recordsUsed } from './messages/memory';
import { flowAt, nodeAt, portAt, reference, total, totals } from './network';
import { serveNic, wake } from './nic';
import { consume, drop, isData, packetAt } from './packets';
import { takeFeedback } from './path-selection/select';
import { isPauseFrame, applyPauseFrame } from './pauses';
import { receive, releaseDelayed } from './receiver';
import { noteTarget, takeTurn } from './receiver-credit/pacer';
import { missesCredit, takeCredit, timeOutCredit } from './receiver-credit/sender';
import { sampleNow } from './sampling';
import { acknowledge, notified, startFlows, timeOut } from './sender';
import { forward, serve } from './switch';
import { countEndsBefore, departure, endHasCome, packetHops, removeArrival } from './transmission';
import { checkEnd } from './lossy/end-checks';
import { flushHeld, forwardLossy } from './lossy/forward';
import { drawUnused, vanishes } from './lossy/link-errors';
import { isForcedOut } from './lossy/forced-drops';
import { forcedDropCount, lossy } from './lossy/network';
import { expirePause, applyExpiring } from './lossy/pauses';
import { receiveLossy } from './lossy/receiver';
import { acknowledgeLossy, timeOutLossy } from './lossy/sender';
import { sendProbes } from './transport/mrc-probes';
import { receiveSelective } from './transport/selective-receiver';
import { acknowledgeSelective, timeOutOwn } from './transport/sender';
import { checkLosses } from './transport/tolerant-events';
import { endRnrWait, receiveIfReady, takeRnrNak } from './verbs/not-ready';
import { receiveResponse, timeOutRead } from './verbs/requester';
import { takeRequest } from './verbs/responder';
import { forwardTunnelled, handleWanEvent } from './wan/forward';
import { tunnelled } from './wan/memory';
import { TOTAL_EVENTS, TOTAL_HOPS, TOTAL_RECORDS_USED } from '../records/sim-totals';
import { SimFlow, SimPacket, SimPort } from '../records/network';
import { CLASSES } from './classes';

/** The loop returns after this many events, because engines switch to a function's optimised code only at its next call. */
const EVENTS_PER_CALL: u32 = 4096;

/** Flows whose data or responses are not handled as those of go-back-N's RDMA WRITEs. */
const FLOW_UNUSUAL: u32 = FLOW_SELECTIVE | FLOW_READ | FLOW_NOT_READY | FLOW_CREDIT;

/** Why the run ends, RUN_* + 1; 0 = it continues. */
let ended: u32 = 0;

/** End of the slices so far, if all events before it have been handled. */
let reachedPs: i64 = 0;

export function beginRun(): void {
  reachedPs = 0;
}

/** The latest instant that no event has passed: the end of a slice that reached it, otherwise the last event. */
export function presentPs(): i64 {
  return max<i64>(nowPs, reachedPs);
}

/** Handles events before a time, at most `budget`, until all flows are done and no packet is in flight; RUN_*. */
export function runUntil(untilPs: i64, budget: u32): u32 {
  let left = budget;
  releaseEventsBefore(untilPs);
  ended = 0;
  while (left && !ended) left -= handleSome(min<u32>(left, EVENTS_PER_CALL));
  if (ended) countEnds(untilPs);
  if (ended == RUN_REACHED + 1) reachedPs = max<i64>(reachedPs, untilPs);
  total(TOTAL_EVENTS, budget - left);
  store<f64>(totals + (TOTAL_HOPS << 3), packetHops);
  store<f64>(totals + (TOTAL_RECORDS_USED << 3), recordsUsed);
  return ended ? ended - 1 : RUN_BUDGET;
}

/** At the end of the run or slice: counts the ends of transmissions that count as events without having been scheduled. */
function countEnds(untilPs: i64): void {
  if (ended == RUN_REACHED + 1) countEndsBefore(untilPs, i64.MIN_VALUE);
  else if (ended != RUN_SAMPLE + 1 && ended != RUN_TRACE_FULL + 1 && ended != RUN_FLOW_DONE + 1)
    countEndsBefore(nowPs, nowOrder);
}

/** Returns the number of events handled. */
function handleSome(most: u32): u32 {
  let handled: u32 = 0;
  while (handled < most) {
    const event = nextEvent();
    if (event == SIM_NONE) {
      ended = (isEmpty() ? RUN_IDLE : RUN_REACHED) + 1;
      return handled;
    }
    handled++;
    handle(event);
    if (halted) {
      ended = consumeHalt();
      return handled;
    }
  }
  return handled;
}

@inline function handle(event: u32): void {
  if (event >= timeouts) return handleRare(event);
  const kind = event % EVENTS_PER_PORT;
  const port = event / EVENTS_PER_PORT;
  if (kind == KIND_END) endOfTransmission(portAt(port));
  else if (kind == KIND_ARRIVAL) arrive(portAt(port));
  else wake(port);
}

/** Dispatches by block, in the order of event-numbers.ts. */
function handleRare(event: u32): void {
  if (event < delays) timerHasCome(event - timeouts);
  else if (event < singles) releaseDelayed(event - delays);
  else if (event < flushes) handleSingle(event - singles);
  else if (event < expiries) flushHeld(event - flushes);
  else if (event < storms) endPause(event - expiries);
  else if (event < receipts) stepStorm(event - storms);
  else if (event < polls) receiveSlowly(portAt(event - receipts));
  else if (event < arnRefreshes) poll(event - polls);
  else if (event < arnExpiries) handleArns(portAt(event - arnRefreshes), false);
  else if (event < lossChecks) handleArns(portAt(event - arnExpiries), true);
  else if (event < rnrWaits) checkLosses(event - lossChecks);
  else if (event < probes) endRnrWait(event - rnrWaits);
  else if (event < pulls) sendProbes(event - probes);
  else takeTurn(event - pulls);
}

function handleSingle(single: u32): void {
  if (single == SINGLE_START) startFlows();
  else if (single == SINGLE_LINKS) changeLinks();
  else if (single == SINGLE_OPERATIONS) stepOperations();
  else if (single == SINGLE_OPERATION_TIMER) timersLapse();
  else if (single == SINGLE_SAMPLE) sampleNow();
  else if (single == SINGLE_CHECK) checkEnd();
  else checkPauses();
}

function timerHasCome(flow: u32): void {
  if (lossy) timeOutLossy(flow);
  else if (flowAt(flow).flags & FLOW_CREDIT && missesCredit(flowAt(flow), flow)) timeOutCredit(flowAt(flow), flow);
  else if (flowAt(flow).flags & FLOW_READ) timeOutRead(flow);
  else if (flowAt(flow).flags & FLOW_OWN_TRANSPORT) timeOutOwn(flow);
  else timeOut(flow);
}

function receiveSlowly(port: SimPort): void {
  reachHost(port, takeOut(port), nowPs);
}

function handleArns(port: SimPort, expired: bool): void {
  handleWanEvent(nodeAt(port.node), port, expired);
}

/** Under fidelity `reference-lossy`: `expiry` = port * CLASSES + class. */
function endPause(expiry: u32): void {
  const port = portAt(expiry / CLASSES);
  const sincePs = expirePause(port, expiry % CLASSES);
  if (port.isHost) serveNic(port, sincePs);
  else serve(nodeAt(port.node), port);
}

@inline function endOfTransmission(port: SimPort): void {
  endHasCome(port);
  // The end was scheduled when the transmission began.
  if (port.isHost) serveNic(port, nowPs - port.lastTxPs);
  else serve(nodeAt(port.node), port);
}

/** The first packet in flight from `from` reaches the other end. */
function arrive(from: SimPort): void {
  const index = removeArrival(from);
  const packet = packetAt(index);
  if (from.faulty) {
    if (lossy ? vanishes(from) : isLost(from, packet)) {
      from.drops += 1;
      return drop(index, DROP_LOSS);
    }
    if (hazardous && meetsHazard(from, index)) return;
  }
  // Needed only for the reference's order of timers.
  const sincePs = reference ? departure(from, packet) : nowPs;
  const port = portAt(from.peer);
  if (isPauseFrame(packet)) {
    const lifted = lossy ?
      applyExpiring(port, packet) :
      hazardous ?
      applyWatched(port, packet) :
      applyPauseFrame(port, packet);
    consume(index);
    if (!lifted) return;
    return port.isHost ? serveNic(port, sincePs) : serve(nodeAt(port.node), port);
  }
  if (port.isHost) {
    if (lossy) reachHostLossy(from, index, sincePs);
    else reachHost(port, index, sincePs);
  } else reachSwitch(port, index);
}

@inline function reachSwitch(port: SimPort, index: u32): void {
  if (lossy) forwardLossy(nodeAt(port.node), port, index);
  else if (tunnelled) forwardTunnelled(nodeAt(port.node), port, index);
  else forward(nodeAt(port.node), port, index);
}

/** The same under fidelity `reference-lossy`, where a frame over a link with errors draws one more number. */
function reachHostLossy(from: SimPort, index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  const flow = flowAt(packet.flow);
  if (from.faulty && (isData(packet) || !(flow.flags & FLOW_DONE))) drawUnused(from);
  if (isData(packet)) return receiveLossy(index, sincePs);
  acknowledgeLossy(flow, packet, sincePs);
  consume(index);
}

/** Applies a link's faults, to all but pause frames. */
function isLost(from: SimPort, packet: SimPacket): bool {
  if (isPauseFrame(packet)) return false;
  if (forcedDropCount && !portAt(from.peer).isHost && isForcedOut(packet)) return true;
  if (from.corruption != 0 && nextRandom(draws()) < from.corruption) packet.corrupted = 1;
  const share = isData(packet) ?
    from.dataLoss :
    packet.kind == PACKET_CNP || packet.kind == PACKET_FAST_CNP ?
    from.cnpLoss :
    from.ackLoss;
  return share != 0 && nextRandom(draws()) < share;
}

/** A packet reaches its destination host. */
@inline function reachHost(port: SimPort, index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  if (packet.corrupted) {
    port.drops += 1;
    return drop(index, DROP_CORRUPT);
  }
  if (isData(packet)) {
    const flow = flowAt(packet.flow);
    return flow.flags & FLOW_UNUSUAL ? receiveUnusual(flow, index, sincePs) : receive(index, sincePs);
  }
  reachSender(index, packet, sincePs);
}

/** Of another transport than go-back-N, of a READ, at a receiver that may not be ready or that grants credit. */
function receiveUnusual(flow: SimFlow, index: u32, sincePs: i64): void {
  if (flow.flags & FLOW_CREDIT) noteTarget(flow, packetAt(index));
  if (flow.flags & FLOW_SELECTIVE) receiveSelective(flow, index, sincePs);
  else if (flow.flags & FLOW_READ) receiveResponse(flow, index, sincePs);
  else if (flow.flags & FLOW_NOT_READY) receiveIfReady(flow, index, sincePs);
  else receive(index, sincePs);
}

function reachSender(index: u32, packet: SimPacket, sincePs: i64): void {
  const flow = flowAt(packet.flow);
  if (hasAgents) noteFeedback(packet);
  if (packet.kind == PACKET_CNP) {
    if (feedCnp(flow, sincePs)) notified(flow, packet.flow);
  } else if (packet.kind == PACKET_FAST_CNP) {
    if (feedFastCnp(flow, packet)) {
      if (detouring) detour(flow, packet.flow);
      notified(flow, packet.flow);
    }
  } else {
    if (selecting && packet.kind != PACKET_RNR_NAK && packet.kind != PACKET_CREDIT) takeFeedback(flow, packet);
    if (flow.flags & FLOW_UNUSUAL) acknowledgeUnusual(flow, packet, sincePs);
    else acknowledge(flow, packet, sincePs);
  }
  consume(index);
}

/** The same for what reaches a sender: ACKs, NAKs, RNR NAKs, READ requests and credit. */
function acknowledgeUnusual(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  if (packet.kind == PACKET_CREDIT) takeCredit(flow, packet, sincePs);
  else if (flow.flags & FLOW_SELECTIVE) acknowledgeSelective(flow, packet, sincePs);
  else if (flow.flags & FLOW_READ) takeRequest(flow, packet);
  else if (packet.kind == PACKET_RNR_NAK) takeRnrNak(flow, packet, sincePs);
  else acknowledge(flow, packet, sincePs);
}
