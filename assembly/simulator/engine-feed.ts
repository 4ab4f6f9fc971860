/**
 * Connects the network's hosts with the engine: passes a flow's events to assembly/rp and assembly/np, and reads its rate and
 * window from the QP's record.
 */
import { FAST_ACKS, READS_POWER, TIMED } from '../../src/abi/algorithms';
import { ACK_ACKED_BYTES, ACK_ACKED_PACKETS, ACK_ECN_ECHO, ACK_HOP_COUNT, ACK_HOST_DELAY, ACK_NO_POWER, ACK_PARTIAL,
  ACK_PATH_HOPS, ACK_PATH_ID, ACK_PENALTY_GIVEN, ACK_PINT_POWER, ACK_SENT_TIME, ACK_SEQ, ACK_SND_NXT, ACK_TELEMETRY,
  ACK_RATE_SET, CREDIT_PULL_NUMBER, NACK_LAST_HOP, NACK_TRIMMED_BYTES, TELEMETRY_INT64,
  TELEMETRY_NONE } from '../../src/abi/ack-layout';
import { EVENT_ACK, EVENT_SENT, OUTCOME_ACK_APPLIED, OUTCOME_CNP_DUE, OUTCOME_CNP_DUPLICATE, OUTCOME_CNP_HANDLED,
  QP_LIMITED } from '../../src/abi/codes';
import { ack as applyAck } from '../algorithms/by-table';
import { traitsOf } from '../algorithms/registry';
import { txTimeNs } from '../algorithms/rate-numbers';
import { EVENT_ARG, EVENT_KIND_SHIFT, EVENT_QP, EVENT_TIME } from '../../src/abi/layout';
import { FLOW_AGENT_RATE, FLOW_AGENT_WINDOW, FLOW_DONE, FLOW_MRC, FLOW_SELECTIVE } from '../../src/abi/sim-codes';
import { clearActions } from '../memory/actions';
import { ackEventBytes, ackEvents, events, flagsOf, parameterSetOf, stateOf } from '../memory/map';
import { markedWithin } from '../np/notification-point';
import { applyAckAlone } from '../batch/ack-pairs';
import { cnp } from '../rp/notifications';
import { qpEvent } from '../rp/qp-event';
import { ack, credit, loss, nack, touch } from '../rp/reaction-point';
import { ownWindow } from '../rp/window';
import { agentOf, hasAgents, noteSent } from './agents/memory';
import { nowPs } from './event-queue';
import { hopsMax, ns3Time, pacing, reference, telemetryKind } from './network';
import { timeAtRate } from './serialisation';
import { writeHops } from './telemetry';
import { runTimersBefore } from './timer-ties';
import { mrcOf } from './transport/memory';
import { SimFlow, SimPacket, WINDOW_MODE_FIXED, WINDOW_MODE_VARIABLE } from '../records/network';

const PS_PER_NS: i64 = 1000;
const PSN_MASK: i64 = 0xffffff;

/** The rate at which a QP is paced: an agent's, otherwise its algorithm's. */
@inline function rateOf(flow: SimFlow): f64 {
  return flow.flags & FLOW_AGENT_RATE ? agentOf(flow.qp).rateBps : stateOf(flow.qp).rateBps;
}

/** The rate at a time up to which all events have been handled. */
export function rateAt(flow: SimFlow, timePs: f64): f64 {
  // An unlimited QP has no running timers.
  if (flagsOf(flow.qp) & QP_LIMITED) {
    clearActions();
    touch(flow.qp, timePs);
  }
  return rateOf(flow);
}

/** Stops the timers of a finished flow that still has bytes to send, so that its rate stays. */
export function stopTimers(flow: SimFlow, sincePs: i64): void {
  if (traitsOf(flow.algorithm) & TIMED) runTimersBefore(flow.qp, sincePs);
}

/** A data packet begins to leave; sets the earliest time of the next one. `sincePs`: when the current event was scheduled. */
export function feedSent(flow: SimFlow, lenBytes: u32, sincePs: i64): void {
  clearActions();
  const isTimed = (traitsOf(flow.algorithm) & TIMED) != 0;
  if (!isTimed || !(flow.flags & FLOW_DONE)) {
    if (isTimed && reference) runTimersBefore(flow.qp, sincePs);
    qpEvent(EVENT_SENT, flow.qp, <f64>nowPs, lenBytes);
  }
  flow.nextAvailPs = nextAfter(flow, lenBytes, isTimed);
  if (hasAgents) noteSent(flow, lenBytes);
}

/** Earliest time of the packet after one that leaves now. */
@inline function nextAfter(flow: SimFlow, lenBytes: u32, isTimed: bool): i64 {
  if (!pacing) return nowPs + timeAtRate(lenBytes, flow.lineRateBps);
  if (isTimed && ns3Time) return nowPs + <i64>txTimeNs(lenBytes, rateOf(flow)) * PS_PER_NS;
  if (isTimed && !(flagsOf(flow.qp) & QP_LIMITED)) return nowPs;
  return <i64>stateOf(flow.qp).nextSendPs;
}

/**
 * Limit of the bytes in flight; 0 = unlimited. An agent's window, otherwise the algorithm's, otherwise the plan's; the reference has
 * only the plan's. `sincePs`: when the current event was scheduled.
 */
@inline export function windowOf(flow: SimFlow, sincePs: i64): i64 {
  if (flow.flags & FLOW_AGENT_WINDOW) return agentOf(flow.qp).windowBytes;
  if (traitsOf(flow.algorithm) & TIMED) return flow.windowMode ? windowOfTimed(flow, sincePs) : 0;
  if (!reference) {
    const own = ownWindow(flow.qp);
    if (own) return own;
  }
  return flow.windowMode ? plannedWindow(flow) : 0;
}

/** Like `windowOf`, at a time up to which the QP's timers have been applied. */
export function windowNow(flow: SimFlow): i64 {
  if (flow.flags & FLOW_AGENT_WINDOW) return agentOf(flow.qp).windowBytes;
  const own = traitsOf(flow.algorithm) & TIMED || reference ? 0 : ownWindow(flow.qp);
  return own || !flow.windowMode ? own : plannedWindow(flow);
}

function windowOfTimed(flow: SimFlow, sincePs: i64): i64 {
  if (flow.windowMode == WINDOW_MODE_VARIABLE && !(flow.flags & FLOW_DONE)) {
    clearActions();
    if (reference) runTimersBefore(flow.qp, sincePs);
    else touch(flow.qp, <f64>nowPs);
  }
  return plannedWindow(flow);
}

/** The plan's window, fixed or scaled with the current rate, at least one byte. */
function plannedWindow(flow: SimFlow): i64 {
  if (flow.windowMode == WINDOW_MODE_FIXED) return <i64>flow.windowBytes;
  const window = <i64>((<u64>flow.windowBytes * <u64>rateOf(flow)) / <u64>flow.lineRateBps);
  return window > 1 ? window : 1;
}

/** Passes a CNP, or an ACK that echoes a mark, to the engine; returns whether the QP reacted. */
export function feedCnp(flow: SimFlow, sincePs: i64): bool {
  clearActions();
  if (reference && traitsOf(flow.algorithm) & TIMED) runTimersBefore(flow.qp, sincePs);
  const outcome = cnp(flow.qp, <f64>nowPs);
  if (outcome == OUTCOME_CNP_DUPLICATE) flow.duplicates++;
  if (outcome != OUTCOME_CNP_HANDLED) return false;
  flow.cnps++;
  return true;
}

/** Passes a marked data packet at its receiver to the engine; returns whether a CNP is due. An infinite interval disables CNPs. */
export function feedMarked(flow: SimFlow): bool {
  if (flow.cnpIntervalPs == Infinity) return false;
  clearActions();
  return markedWithin(flow.qp, <f64>nowPs, 0xffff, flow.cnpIntervalPs) == OUTCOME_CNP_DUE;
}

/** Passes a loss to the engine; `found`: LOSS_*. */
export function feedLoss(flow: SimFlow, found: u32): void {
  clearActions();
  loss(flow.qp, <f64>nowPs, found);
}

/** Passes a NACK to the engine: a switch trimmed a packet with this payload. */
export function feedNack(flow: SimFlow, packet: SimPacket, payloadBytes: i64, isLastHop: bool): void {
  clearActions();
  // Without an algorithm that reads ACKs there is no record: the address is that of the next region.
  if (ackEventBytes) {
    store<f64>(ackEvents, <f64>packet.sentPs, ACK_SENT_TIME);
    store<f64>(ackEvents, <f64>payloadBytes, NACK_TRIMMED_BYTES);
    store<u8>(ackEvents, isLastHop ? 1 : 0, NACK_LAST_HOP);
  }
  nack(flow.qp, <f64>nowPs, 0);
}

/** Passes credit to the engine, as a pull number. */
export function feedCredit(flow: SimFlow, pullNumber: f64): void {
  clearActions();
  if (ackEventBytes) store<f64>(ackEvents, pullNumber, CREDIT_PULL_NUMBER);
  credit(flow.qp, <f64>nowPs, 0);
}

/** Passes an ACK to an algorithm that reads them; returns whether the rate, and with it the running gap, may have changed. */
export function feedAck(flow: SimFlow, packet: SimPacket, ackedBytes: i64): bool {
  clearActions();
  writeAck(flow, packet, ackedBytes, ackEvents);
  if (reference) return feedReferenceAck(flow);
  if (traitsOf(flow.algorithm) & FAST_ACKS) return feedFastAck(flow);
  if (ack(flow.qp, <f64>nowPs, 0) != OUTCOME_ACK_APPLIED) return false;
  followGap(flow);
  return true;
}

/** Passes HPCC's common ACK to its branch-free path, which takes an event record. */
function feedFastAck(flow: SimFlow): bool {
  store<f64>(events, <f64>nowPs, EVENT_TIME);
  store<u32>(events, flow.qp, EVENT_QP);
  store<u32>(events, EVENT_ACK << EVENT_KIND_SHIFT, EVENT_ARG);
  applyAckAlone(events);
  followGap(flow);
  return true;
}

/**
 * Passes an ACK under `reference`. There, the gap changes exactly when HPCC sets the rate, even to the same value: not on a first
 * ACK, nor on one without a valid hop. It changes in proportion to the rate even if it was set by the port's rate (RATE_BOUND 0).
 */
function feedReferenceAck(flow: SimFlow): bool {
  const state = stateOf(flow.qp);
  const gapEndPs = state.nextSendPs;
  const result = applyAck(flow.qp, state, parameterSetOf(flagsOf(flow.qp)), <f64>nowPs, ackEvents);
  if (!(result & ACK_RATE_SET)) return false;
  flow.nextAvailPs += <i64>(state.nextSendPs - gapEndPs);
  return true;
}

/** Uses the gap that the algorithm has set, unless an agent paces the QP. */
@inline export function followGap(flow: SimFlow): void {
  if (pacing && !(flow.flags & FLOW_AGENT_RATE)) flow.nextAvailPs = <i64>stateOf(flow.qp).nextSendPs;
}

function writeAck(flow: SimFlow, packet: SimPacket, ackedBytes: i64, at: usize): void {
  const mtuBytes = <i64>flow.mtuBytes;
  store<u32>(at, sequenceOf(packet.sequence, mtuBytes), ACK_SEQ);
  // Transports that retransmit single packets report the highest byte sent, which algorithms use to count round trips.
  const next = flow.flags & FLOW_SELECTIVE ? flow.sentUpTo : flow.sndNxt;
  store<u32>(at, sequenceOf(next, mtuBytes), ACK_SND_NXT);
  store<f64>(at, <f64>packet.sentPs, ACK_SENT_TIME);
  store<f64>(at, 0, ACK_HOST_DELAY);
  store<f64>(at, <f64>((ackedBytes + mtuBytes - 1) / mtuBytes), ACK_ACKED_PACKETS);
  store<f64>(at, <f64>ackedBytes, ACK_ACKED_BYTES);
  store<u32>(at, 0, ACK_PATH_ID);
  store<u32>(at, packet.hops, ACK_PATH_HOPS);
  store<u32>(at, powerOrPenalty(flow, packet), ACK_PINT_POWER);
  store<u8>(at, <u8>packet.echo, ACK_ECN_ECHO);
  store<u8>(at, flow.telemetry ? <u8>telemetryKind : TELEMETRY_NONE, ACK_TELEMETRY);
  // Hops beyond the record's capacity are not stored; the reference still counts them.
  store<u8>(at, telemetryKind == TELEMETRY_INT64 ? packet.hops : <u8>min<u32>(packet.hops, hopsMax), ACK_HOP_COUNT);
  store<u8>(at, 0, ACK_PARTIAL);
  if (flow.telemetry) writeHops(packet, at);
}

/** The power of HPCC-PINT; or, of a SACK of MRC, what its receiver demands of the window. */
function powerOrPenalty(flow: SimFlow, packet: SimPacket): u32 {
  if (traitsOf(flow.algorithm) & READS_POWER) return packet.power;
  const demand = flow.flags & FLOW_MRC ? <u32>mrcOf(packet).windowDemand : 0;
  return demand ? ACK_PENALTY_GIVEN | demand : ACK_NO_POWER;
}

/** Sequence numbers in the algorithms' unit: bytes in the reference simulator, otherwise packets. */
@inline function sequenceOf(byte: i64, mtuBytes: i64): u32 {
  return reference ? <u32>byte : <u32>(((byte + mtuBytes - 1) / mtuBytes) & PSN_MASK);
}
