/**
 * The port of a host: selects the next packet.
 *
 * Order      responses (ACKs, NAKs, CNPs) by class, then the QPs round-robin after the one served last: the first that has bytes
 *            left, is not paused, has an open window and no running gap. Optionally, QPs are served in the order of their starts.
 * Wake-up    if no QP may send, a wake-up is scheduled for the earliest end of a gap.
 * Reference  list of QPs, removal of finished ones and wake-up follow the ns-3 reference simulator, whose wake-up also counts
 *            blocked QPs. Under `standard`, only QPs that could send by then count.
 */
import { TIMED } from '../../src/abi/algorithms';
import { FLOW_CREDIT, FLOW_DONE, FLOW_IRN, FLOW_MRC, FLOW_RNR_WAIT, FLOW_SELECTIVE, FLOW_SET_BACK, FLOW_TOLERANT,
  PACKET_DATA, SIM_NONE } from '../../src/abi/sim-codes';
import { traitsOf } from '../algorithms/registry';
import { hasCredit, isWindowOpen } from '../rp/window';
import { beginMessage } from './connections/completions';
import { streamOf } from './connections/memory';
import { bytesInFlight, messageAt, nextPayload } from './connections/positions';
import { wakeEvent } from './event-numbers';
import { cancel, dueAt, nowPs, schedule, drawOrder } from './event-queue';
import { feedSent, windowOf } from './engine-feed';
import { detouring, selecting } from './balancing/network';
import { detoursSoFar } from './balancing/source-ports';
import { flowDone } from './halt';
import { hasIrnRoom, passHeld } from './lossy/irn';
import { irn, lossy, lossyFlow, partOf } from './lossy/network';
import { restartTimer } from './lossy/timer';
import { firstComeMask, flowAt, indexOfPort, portAt, reference } from './network';
import { makePacket, packetAt } from './packets';
import { selectPath } from './path-selection/select';
import { noteSent } from './receiver-credit/target';
import { addQp, firstInTurn, removeFinished } from './qp-list';
import { endGaps, firstGapPs, firstCandidate, flowAtPlace, NEVER, qpChanged, removeCandidate, sort } from './ready-qps';
import { dequeue, enqueue, nextClass, passQueue } from './queues';
import { timeoutEvent } from './timeouts';
import { expectEnd, isBusy, isEndExpected, isReady, countEndOnly, transmit } from './transmission';
import { chooseNext, countAgain } from './transport/next';
import { hasTransportRoom } from './transport/room';
import { FLOW_CONNECTION } from '../records/flows';
import { SimFlow, SimPacket, SimPort, TIMEOUT_IDLE, TIMEOUT_SET, WINDOW_MODE_VARIABLE } from '../records/network';

/** Flows whose transport has another limit in addition to the window. */
const FLOW_OWN_LIMIT: u32 = FLOW_IRN | FLOW_TOLERANT | FLOW_MRC;

/** Appends a QP to the port's list. */
export function joinNic(port: SimPort, flow: u32): void {
  if (isBusy(port)) expectEnd(port);
  port.qpClasses = (port.qpCount ? port.qpClasses : 0) | (1 << flowAt(flow).dataClass);
  addQp(port, flow);
}

/** Called after an event of a flow that may allow it, or another flow of its port, to send. */
export function serveFlow(flow: SimFlow, number: u32, sincePs: i64): void {
  qpChanged(flow, number);
  serveNic(portAt(flow.sourcePort), sincePs);
}

/** Sends a response immediately if the port is free, otherwise queues it. */
export function response(port: SimPort, queue: u32, index: u32, sincePs: i64): void {
  if (isReady(port, queue)) {
    passQueue(port, queue, packetAt(index).lenBytes);
    return sendResponse(port, index);
  }
  enqueue(port, queue, index);
  serveNic(port, sincePs);
}

@inline function sendResponse(port: SimPort, index: u32): void {
  transmit(port, index);
  if (port.qpCount || port.waiting) expectEnd(port);
  else countEndOnly(port);
}

/** Sends the next packet of a port that may send. `sincePs`: when the current event was scheduled. */
export function serveNic(port: SimPort, sincePs: i64): void {
  if (isBusy(port)) return awaitEnd(port);
  if (!port.up) return;
  if (port.waiting) {
    const cls = nextClass(port);
    if (cls != SIM_NONE) return sendResponse(port, dequeue(port, cls));
  }
  const place = nextQp(port, sincePs);
  if (place != SIM_NONE) sendData(port, place, sincePs);
  else if (!port.wakePending) setWake(port);
}

/** After a rate change, moves a pending wake-up to an earlier time if necessary, never to a later one. */
export function advanceWakeUp(port: SimPort, flow: SimFlow): void {
  if (!port.wakePending) return;
  const event = wakeEvent(indexOfPort(port));
  const at = flow.nextAvailPs > nowPs ? flow.nextAvailPs : nowPs;
  if (dueAt(event) <= flow.nextAvailPs) return;
  cancel(event);
  port.wakeSetPs = nowPs;
  schedule(event, at, drawOrder());
}

/** Schedules a check of the port's QPs at the present time, after all events of this instant so far. */
export function wakeNow(port: SimPort): void {
  const event = wakeEvent(indexOfPort(port));
  if (port.wakePending) {
    if (dueAt(event) <= nowPs) return;
    cancel(event);
  }
  port.wakePending = 1;
  port.wakeSetPs = nowPs;
  schedule(event, nowPs, drawOrder());
}

/**
 * Whether the port's only QP waits for a gap that outlasts the transmission: the wake-up then replaces the event at the end of the
 * transmission. Not in the reference, where this would change the order of simultaneous events.
 */
@inline function restsUntilWake(port: SimPort, flow: SimFlow): bool {
  return !reference && port.qpCount == 1 && !port.waiting && !port.wakePending && flow.nextAvailPs > port.freeAtPs &&
    flow.sndNxt < flow.size;
}

/** Schedules the end of the transmission if something may have to be sent then and no wake-up is pending. */
@inline function awaitEnd(port: SimPort): void {
  if (!isEndExpected(port) && (port.waiting || !port.wakePending)) expectEnd(port);
}

@inline function hasRoom(flow: SimFlow, sincePs: i64): bool {
  const windowBytes = windowOf(flow, sincePs);
  return windowBytes == 0 || isWindowOpen(bytesInFlight(flow), windowBytes);
}

/** Position of the QP that sends next, or SIM_NONE; removes finished QPs on the way. */
function nextQp(port: SimPort, sincePs: i64): u32 {
  const count = port.qpCount;
  if (!count) return SIM_NONE;
  if (port.leaves) return nextOfMany(port, sincePs);
  let finished = SIM_NONE;
  let place = (port.lastQp + 1) % count;
  for (let step: u32 = 0; step < count; step++) {
    const flow = flowAt(flowAtPlace(port, place));
    if (flow.flags & FLOW_DONE && !(flow.flags & FLOW_SET_BACK && maySend(port, flow, sincePs))) {
      if (!lossy) finished = min<u32>(finished, place);
    } else if (maySend(port, flow, sincePs))
      return finished == SIM_NONE ?
        place :
        removeFinished(port, finished, place);
    if (++place == count) place = 0;
  }
  if (finished != SIM_NONE) removeFinished(port, finished, SIM_NONE);
  return SIM_NONE;
}

/** Like `nextQp`, for ports with sets of QPs to check (ready-qps.ts): the others can't send and are not finished. */
function nextOfMany(port: SimPort, sincePs: i64): u32 {
  endGaps(port);
  if (!(port.qpClasses & ~port.paused)) return nextOfPaused(port);
  const first = firstInTurn(port);
  let finished = SIM_NONE;
  let place = firstCandidate(port, first);
  let wrapped = false;
  while (true) {
    if (wrapped ? place >= first : place == SIM_NONE) {
      if (wrapped || first == 0) break;
      wrapped = true;
      place = firstCandidate(port, 0);
      continue;
    }
    const flow = flowAt(flowAtPlace(port, place));
    if (flow.flags & FLOW_DONE) finished = min<u32>(finished, place);
    else if (maySend(port, flow, sincePs)) {
      return finished == SIM_NONE ? place : removeFinished(port, finished, place);
    } else if (!opensByItself(flow)) removeCandidate(port, place);
    place = firstCandidate(port, place + 1);
  }
  if (finished != SIM_NONE) removeFinished(port, finished, SIM_NONE);
  return SIM_NONE;
}

/** Like `nextOfMany`, if all classes of the port's QPs are paused. */
@inline function nextOfPaused(port: SimPort): u32 {
  if (port.someDone) removeFinished(port, 0, SIM_NONE);
  return SIM_NONE;
}

/** Whether timers may open the window, because it depends on a rate that they raise. */
@inline function opensByItself(flow: SimFlow): bool {
  return flow.windowMode == WINDOW_MODE_VARIABLE && (traitsOf(flow.algorithm) & TIMED) != 0;
}

@inline function maySend(port: SimPort, flow: SimFlow, sincePs: i64): bool {
  if (lossy) return maySendLossy(port, flow, sincePs);
  if (flow.nextAvailPs > nowPs || flow.sndNxt >= flow.size || port.paused & (1 << flow.dataClass)) return false;
  if (flow.flags & (FLOW_OWN_LIMIT | FLOW_RNR_WAIT | FLOW_CREDIT)) return maySendUnusual(flow, sincePs);
  return hasRoom(flow, sincePs);
}

/** Whether an unusual flow may send: not while waiting after an RNR NAK, nor without credit; some transports have further limits. */
function maySendUnusual(flow: SimFlow, sincePs: i64): bool {
  if (flow.flags & FLOW_RNR_WAIT || (flow.flags & FLOW_CREDIT && !hasCredit(flow.qp))) return false;
  return flow.flags & FLOW_OWN_LIMIT ? hasTransportRoom(flow, sincePs) : hasRoom(flow, sincePs);
}

/** Checks the window with the next byte before skipping bytes that the receiver holds; skips them in any case. */
function maySendLossy(port: SimPort, flow: SimFlow, sincePs: i64): bool {
  const own = lossyFlow(flow.qp);
  const next = flow.sndNxt;
  passHeld(flow, own);
  if (flow.nextAvailPs > nowPs || flow.sndNxt >= flow.size || port.paused & (1 << flow.dataClass)) return false;
  if (irn && !hasIrnRoom(flow, own, next)) return false;
  return isWindowOpen(next - flow.sndUna, windowOf(flow, sincePs));
}

function sendData(port: SimPort, place: u32, sincePs: i64): void {
  const number = flowAtPlace(port, place);
  const flow = flowAt(number);
  let payload = payloadOfFlow(flow);
  let step = payload;
  if (flow.flags & FLOW_CONNECTION) {
    payload = payloadOfMessage(flow, number);
    step = flow.mtuBytes;
  }
  const index = makePacket(PACKET_DATA, number, flow.dataClass, payload + flow.headerBytes);
  if (index == SIM_NONE) return;
  const packet = packetAt(index);
  packet.sequence = flow.sndNxt;
  packet.sentPs = nowPs;
  if (detouring) packet.detours = detoursSoFar(number);
  if (selecting) selectPath(flow, number, packet);
  if (lossy) countLossy(flow, number, packet);
  countData(flow, number, payload, step);
  if (flow.flags & FLOW_SELECTIVE) chooseNext(flow, number, packet, sincePs);
  if (flow.flags & FLOW_DONE && flow.sndNxt >= flow.size) flowDone();
  transmit(port, index);
  if (lossy) restartTimer(number, flow, lossyFlow(number));
  feedSent(flow, packet.lenBytes, sincePs);
  if (flow.flags & FLOW_CREDIT) noteSent(flow, number, packet);
  port.lastQp = place | firstComeMask;
  port.lastIsRank = <u8>(firstComeMask & 1);
  if (port.leaves) sort(port, place, flow);
  if (restsUntilWake(port, flow)) setWake(port);
  else expectEnd(port);
}

@inline function payloadOfFlow(flow: SimFlow): u32 {
  const left = flow.size - flow.sndNxt;
  return left < <i64>flow.mtuBytes ? <u32>left : flow.mtuBytes;
}

/** Payload of the next packet of a QP with several messages; records the beginning of a message. */
function payloadOfMessage(flow: SimFlow, number: u32): u32 {
  const message = messageAt(streamOf(number), flow.sndNxt);
  if (message.beganPs < 0) beginMessage(flow, message);
  return nextPayload(flow, message);
}

function countLossy(flow: SimFlow, number: u32, packet: SimPacket): void {
  const own = lossyFlow(number);
  partOf(packet).path = SIM_NONE;
  own.sent++;
  if (<u32>flow.sndNxt > own.maxSequence) own.maxSequence = <u32>flow.sndNxt;
}

/** `step`: number of sequence numbers that the packet takes. */
@inline function countData(flow: SimFlow, number: u32, payload: u32, step: u32): void {
  if (flow.sndNxt == flow.sndUna) flow.lastProgressPs = nowPs;
  if (flow.sndNxt < flow.sentUpTo) countAgain(flow, number, payload, step);
  flow.sndNxt += step;
  if (flow.sndNxt > flow.sentUpTo) flow.sentUpTo = flow.sndNxt;
  if (flow.timeoutState == TIMEOUT_IDLE) {
    flow.timeoutState = TIMEOUT_SET;
    schedule(timeoutEvent(number), nowPs + <i64>flow.timeoutPs, drawOrder());
  }
}

/** Schedules the wake-up for the earliest end of a gap. */
function setWake(port: SimPort): void {
  const at = port.leaves ? firstGapPs(port) : firstEndOfGap(port);
  if (at == NEVER || at <= nowPs) return;
  port.wakePending = 1;
  port.wakeSetPs = nowPs;
  schedule(wakeEvent(indexOfPort(port)), at, drawOrder());
}

function firstEndOfGap(port: SimPort): i64 {
  let at = NEVER;
  for (let place: u32 = 0; place < port.qpCount; place++) {
    const flow = flowAt(flowAtPlace(port, place));
    if (lossy && !(flow.flags & FLOW_DONE)) passHeld(flow, lossyFlow(flow.qp));
    if (flow.sndNxt >= flow.size || flow.nextAvailPs >= at) continue;
    if ((!reference || lossy) && flow.nextAvailPs <= nowPs) continue;
    at = flow.nextAvailPs;
  }
  return at;
}

/** Handles a wake-up. */
export function wake(index: u32): void {
  const port = portAt(index);
  port.wakePending = 0;
  serveNic(port, port.wakeSetPs);
}
