/**
 * NSCC's sender: transitions on one 64-byte record and the 96 bytes after it.
 *
 * Inputs    per ACK the payload newly acknowledged, the round trip, whether the packet was marked; NACKs of trimmed packets; losses.
 * State     Nscc, NsccMore: window W (whole bytes), base round trip and largest window, average delay, achieved bytes, and times.
 *
 *   delay            round trip - base; base = shortest round trip seen; average = floor(w delay + (1 - w) average), where a delay
 *                    above target without a mark counts as base / 4. An ACK without a round trip has the average delay.
 *   quick adapt      once per base + target, after a loss or NACK, or with delay > adaptTargets target, if achieved < floor(max / 2^gate):
 *                    W = max(achieved, packet); then marked ACKs do nothing until the bytes in flight are acknowledged. No other rule
 *                    applies to this event.
 *   ACK of b bytes   not marked, delay >= target   inc += fi b                       (fair increase)
 *                    not marked, delay < target    inc += alpha b (target - delay)   (proportional increase)
 *                      a whole window without delay  W += b fi_scale instead         (fast increase)
 *                    marked, delay >= target       once per base, if average > target:
 *                                                  W *= max(1 - gamma (average - target) / average, 1 - maxDecrease)
 *   fulfil           each 8 packets or base round trip: W += floor(inc / W); each base round trip also W += eta
 *   penalty p > 0    no increase; W is saved unless already saved; W = min(W, in flight before the ACK) - floor(p b / 128)
 *   p = 0, restore   W = saved window
 *   NACK             average updated with a delay of one base round trip; quick adapt, else W -= packet
 *   loss             like a NACK, or W -= packet and quick adapt may act (inferredLoss);  timeout  W -= packet
 *   always           packet <= W <= largest window = floor(1.5 bandwidth-delay products of base)
 *   rate             min(line rate, W / base); packets are not paced
 *
 * Citation  UE Specification 1.0, NSCC, as uet-htsim implements it; tests compare with its traces. Every number:
 *           src/config/algorithms/nscc.ts.
 * Deviation Bytes in flight are counted from packets sent, each at most a full one, and are 0 when everything sent is acknowledged.
 *           Sums other than inc have more than 32 bits. The last packet may exceed the window, as with all algorithms here (rp/window.ts).
 */
import { ALGORITHM_NSCC, NSCC_TRAITS } from '../../../src/abi/algorithms';
import { ACK_ACKED_BYTES, ACK_ECN_ECHO, ACK_NO_SIGNAL, ACK_PENALTY, ACK_PENALTY_GIVEN, ACK_PENALTY_MAX,
  ACK_RESTORES_WINDOW, ACK_SENT_TIME, ACK_SEQ, ACK_SND_NXT, ACK_UPDATE, KEPT_HOP_BYTES, LOSS_FAST, NACK_LAST_HOP,
  NACK_TRIMMED_BYTES } from '../../../src/abi/ack-layout';
import { PARAMETER_SET_BYTES } from '../../../src/abi/layout';
import { TRACE_NSCC_DECREASE, TRACE_NSCC_FAST_INCREASE, TRACE_NSCC_INCREASE, TRACE_NSCC_LOSS, TRACE_NSCC_QUICK_ADAPT,
  TRACE_NSCC_ROUND_TRIP, TRACE_NSCC_TIMEOUT } from '../../../src/abi/trace-layout';
import { ParameterSet } from '../../memory/records';
import { CONTROLLER_FAST, CONTROLLER_LOST, Nscc, NSCC_MORE_BYTES, NsccMore } from '../../records/controllers';
import { because, input, TRACING, tracing } from '../../trace/ring';
import { register as registerAlgorithm, registerCheck, registerLoss, registerNack } from '../registry';

const PS_BITS_PER_BYTE_SECOND: f64 = 8e12;
const WORD: f64 = 4294967296;
/** Share of the newly acknowledged bytes by which a penalty of 1 shrinks the window. */
const PENALTY_UNIT: f64 = 1.0 / 128.0;
/** A delay above target without a mark counts as this many base round trips. */
const OUTLIER_BASES: f64 = 0.25;

/** One parameter set, as src/config/algorithms/nscc.ts writes it. */
@unmanaged
export class NsccParameterSet extends ParameterSet {
  packetBytes: f64;
  baseRttPs: f64;
  targetDelayPs: f64;
  bdpBytes: f64;
  maxWindowBdps: f64;
  /** 0 means the largest window. */
  initialWindowBytes: f64;
  alpha: f64;
  fairBytes: f64;
  fixedBytes: f64;
  fastFactor: f64;
  fastDelayPs: f64;
  decreaseGain: f64;
  /** 1 - maxDecrease */
  leastFactor: f64;
  delayWeight: f64;
  fulfilBytes: f64;
  quickAdapt: f64;
  /** 2^-adaptGate */
  gateFactor: f64;
  /** Delay above which quick adapt may act; Infinity: never because of delay. */
  adaptDelayPs: f64;
  /** 1: an inferred loss only reduces the window; 0: it is handled like a trimmed packet. */
  inferredLoss: f64;
  /** 1: packets trimmed at the last hop are not subtracted from the window. */
  lastHopTrims: f64;
  /** 1: NACKs do not measure a round trip. */
  nackRtt: f64;
  /** 1: the sum of increases is not truncated to 32 bits. */
  increaseSum: f64;
}

/** Fails the build if the two records disagree. */
@inline function checkLayout(): void {
  if (<u32>offsetof<NsccParameterSet>() > <u32>PARAMETER_SET_BYTES) ERROR('NsccParameterSet is too long');
  if (<u32>NSCC_MORE_BYTES != <u32>KEPT_HOP_BYTES * 2) ERROR('NsccMore does not fill the room of two hops');
}

/** Registers NSCC. */
export function register(): void {
  registerAlgorithm(ALGORITHM_NSCC, NSCC_TRAITS, open, sent, ack);
  registerLoss(ALGORITHM_NSCC, loss);
  registerNack(ALGORITHM_NSCC, nack);
  registerCheck(ALGORITHM_NSCC, check);
}

/** Whether a restored record is usable: the code divides by window and base round trip. */
function check(q: usize, p: usize, hops: usize): bool {
  const state = changetype<Nscc>(q);
  const more = changetype<NsccMore>(hops);
  const isPath = state.baseRttPs > 0 && state.averageDelayPs >= 0 && state.averageDelayPs < Infinity;
  return isPath && state.windowBytes >= 1 && more.maxWindowBytes >= 0 && more.increase >= 0 &&
    more.savedWindowBytes >= 0;
}

/** Opens a QP with the initial window; its record and the bytes after it are already zeroed. */
export function open(q: usize, p: usize, hops: usize): void {
  checkLayout();
  const state = changetype<Nscc>(q);
  const more = changetype<NsccMore>(hops);
  const parameters = changetype<NsccParameterSet>(p);
  state.baseRttPs = parameters.baseRttPs;
  more.maxWindowBytes = largestWindow(parameters, parameters.bdpBytes);
  state.windowBytes = parameters.initialWindowBytes == 0 ? more.maxWindowBytes : parameters.initialWindowBytes;
  bound(state, more, parameters);
  follow(state, parameters);
}

/** Handles a departed data packet, whose time has been validated. */
export function sent(q: usize, p: usize, hops: usize, timePs: f64, lenBytes: u32): void {
  changetype<NsccMore>(hops).inFlightBytes += min<f64>(<f64>lenBytes, changetype<NsccParameterSet>(p).packetBytes);
  changetype<Nscc>(q).nextSendPs = timePs;
}

/** Handles an ACK. @returns ACK_*; with ACK_NO_SIGNAL nothing has changed. */
export function ack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): u32 {
  const ackedBytes = load<f64>(record, ACK_ACKED_BYTES);
  // Unknown values are NaN.
  if (!(ackedBytes >= 0)) return ACK_NO_SIGNAL;
  const state = changetype<Nscc>(q);
  const more = changetype<NsccMore>(hops);
  const parameters = changetype<NsccParameterSet>(p);
  const isMarked = load<u8>(record, ACK_ECN_ECHO) != 0;
  const said = load<u32>(record, ACK_PENALTY);
  const penalty = penaltyOf(said);
  const inFlightBytes = more.inFlightBytes;
  acknowledge(more, ackedBytes, load<u32>(record, ACK_SEQ) == load<u32>(record, ACK_SND_NXT));
  const delayPs = measure(state, more, parameters, timePs - load<f64>(record, ACK_SENT_TIME), isMarked);
  if (TRACING && tracing) explain(TRACE_NSCC_ROUND_TRIP, state, parameters, delayPs);
  if (!adapts(state, more, parameters, timePs, delayPs, isMarked, false)) {
    if (isMarked) decrease(state, more, parameters, timePs, delayPs);
    else if (!penalty) increase(state, more, parameters, delayPs, ackedBytes);
    bound(state, more, parameters);
    if (!penalty) fulfil(state, more, parameters, timePs);
  }
  if (penalty) penalise(state, more, inFlightBytes, floor<f64>(<f64>penalty * ackedBytes * PENALTY_UNIT));
  else if (said == (ACK_PENALTY_GIVEN | ACK_RESTORES_WINDOW)) restore(state, more);
  bound(state, more, parameters);
  follow(state, parameters);
  return ACK_UPDATE;
}

/** The penalty in an ACK; 0: none. */
@inline function penaltyOf(said: u32): u32 {
  return (said & ~(ACK_PENALTY_MAX | ACK_RESTORES_WINDOW)) == ACK_PENALTY_GIVEN ? said & ACK_PENALTY_MAX : 0;
}

@inline function penalise(state: Nscc, more: NsccMore, inFlightBytes: f64, bytes: f64): void {
  if (more.savedWindowBytes == 0) more.savedWindowBytes = state.windowBytes;
  state.windowBytes = min<f64>(state.windowBytes, inFlightBytes) - bytes;
}

/** Restores the saved window when the receiver ends its penalties. */
@inline function restore(state: Nscc, more: NsccMore): void {
  if (more.savedWindowBytes == 0) return;
  state.windowBytes = more.savedWindowBytes;
  more.savedWindowBytes = 0;
}

/** Handles a NACK: a switch trimmed a packet. */
export function nack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): void {
  const state = changetype<Nscc>(q);
  const more = changetype<NsccMore>(hops);
  const parameters = changetype<NsccParameterSet>(p);
  const rttPs = timePs - load<f64>(record, ACK_SENT_TIME);
  // An unknown round trip is NaN.
  if (parameters.nackRtt == 0 && rttPs > 0 && rttPs < state.baseRttPs) lowerBase(state, more, parameters, rttPs);
  const isLeft = parameters.lastHopTrims != 0 && load<u8>(record, NACK_LAST_HOP) != 0;
  trimmed(state, more, parameters, timePs, load<f64>(record, NACK_TRIMMED_BYTES), isLeft);
  follow(state, parameters);
}

/** Handles the loss of a packet. `found`: how it was detected, LOSS_*. */
export function loss(q: usize, p: usize, hops: usize, timePs: f64, found: u32): void {
  const state = changetype<Nscc>(q);
  const more = changetype<NsccMore>(hops);
  const parameters = changetype<NsccParameterSet>(p);
  const packetBytes = parameters.packetBytes;
  if (found == LOSS_FAST && parameters.inferredLoss == 0) {
    trimmed(state, more, parameters, timePs, packetBytes, false);
  } else {
    if (TRACING && tracing)
      explain(found == LOSS_FAST ? TRACE_NSCC_LOSS : TRACE_NSCC_TIMEOUT, state, parameters, 0);
    if (found == LOSS_FAST) state.flags |= <u8>CONTROLLER_LOST;
    take(state, more, parameters, packetBytes);
    more.inFlightBytes -= packetBytes;
  }
  follow(state, parameters);
}

/** Handles a trimmed packet. `isLeft`: does not subtract it from the window, as receiver credit controls the last hop. */
function trimmed(state: Nscc, more: NsccMore, p: NsccParameterSet, timePs: f64, bytes: f64, isLeft: bool): void {
  more.ignoredBytes += bytes;
  average(state, p, p.baseRttPs, true);
  if (TRACING && tracing) explain(TRACE_NSCC_LOSS, state, p, 0);
  state.flags |= <u8>CONTROLLER_LOST;
  if (!adapts(state, more, p, timePs, 0, true, true) && !isLeft) take(state, more, p, bytes);
  bound(state, more, p);
  more.inFlightBytes -= bytes;
}

@inline function take(state: Nscc, more: NsccMore, p: NsccParameterSet, bytes: f64): void {
  state.windowBytes -= bytes;
  bound(state, more, p);
}

/** Counts acknowledged bytes. `isAll`: everything sent is acknowledged. */
@inline function acknowledge(more: NsccMore, bytes: f64, isAll: bool): void {
  more.achievedBytes += bytes;
  more.receivedBytes += bytes;
  more.ignoredBytes += bytes;
  more.inFlightBytes = isAll ? 0 : more.inFlightBytes - bytes;
}

/** Updates base round trip and average delay with a round trip; NaN: none. @returns the queueing delay, picoseconds. */
@inline function measure(state: Nscc, more: NsccMore, p: NsccParameterSet, rttPs: f64, isMarked: bool): f64 {
  if (!(rttPs > 0)) return state.averageDelayPs;
  if (rttPs < state.baseRttPs) lowerBase(state, more, p, rttPs);
  const delayPs = rttPs - state.baseRttPs;
  average(state, p, delayPs, isMarked);
  return delayPs;
}

/** Lowers the base round trip and the largest window; `bound` later limits the window to it. */
function lowerBase(state: Nscc, more: NsccMore, p: NsccParameterSet, rttPs: f64): void {
  state.baseRttPs = rttPs;
  more.maxWindowBytes = largestWindow(p, floor<f64>(((rttPs / 1e6) * p.maxRateBps) / 8e6));
}

@inline function largestWindow(p: NsccParameterSet, bdpBytes: f64): f64 {
  return floor<f64>(p.maxWindowBdps * bdpBytes);
}

@inline function average(state: Nscc, p: NsccParameterSet, delayPs: f64, isMarked: bool): void {
  const weight = p.delayWeight;
  const isOutlier = !isMarked && delayPs > p.targetDelayPs;
  const sample = isOutlier ? weight * state.baseRttPs * OUTLIER_BASES : weight * delayPs;
  state.averageDelayPs = floor<f64>(sample + (1 - weight) * state.averageDelayPs);
}

/** Quick adapt. @returns whether it has handled the event, so that no other rule applies. */
function adapts(state: Nscc, more: NsccMore, p: NsccParameterSet, timePs: f64, delayPs: f64, isMarked: bool,
  isLoss: bool): bool {
  if (p.quickAdapt == 0) return false;
  let isTaken = false;
  if (isMarked && more.ignoredBytes < more.toIgnoreBytes) {
    isTaken = true;
  } else if (timePs > more.adaptEndPs) {
    if (more.adaptEndPs != 0 && hasCollapsed(state, more, p, delayPs, isLoss)) {
      if (TRACING && tracing) because(TRACE_NSCC_QUICK_ADAPT);
      jump(state, more, p);
      isTaken = true;
    }
    more.achievedBytes = 0;
    more.adaptEndPs = timePs + state.baseRttPs + p.targetDelayPs;
  }
  if (isTaken) {
    more.increase = 0;
    more.receivedBytes = 0;
  }
  return isTaken;
}

@inline function hasCollapsed(state: Nscc, more: NsccMore, p: NsccParameterSet, delayPs: f64, isLoss: bool): bool {
  const isCongested = isLoss || (state.flags & CONTROLLER_LOST) != 0 || delayPs > p.adaptDelayPs;
  return isCongested && more.achievedBytes < floor<f64>(more.maxWindowBytes * p.gateFactor);
}

/** Sets the window to the bytes achieved in the period, which may be more than before. */
function jump(state: Nscc, more: NsccMore, p: NsccParameterSet): void {
  state.windowBytes = max<f64>(more.achievedBytes, p.packetBytes);
  more.toIgnoreBytes = more.inFlightBytes;
  more.ignoredBytes = 0;
  state.flags &= <u8>~CONTROLLER_LOST;
}

@inline function increase(state: Nscc, more: NsccMore, p: NsccParameterSet, delayPs: f64, bytes: f64): void {
  if (delayPs >= p.targetDelayPs) gain(more, p, p.fairBytes * bytes);
  else if (!increasesFast(state, more, p, delayPs, bytes)) gain(more, p, p.alpha * bytes * (p.targetDelayPs - delayPs));
}

/** Adds an increase, which the next fulfilment applies. */
@inline function gain(more: NsccMore, p: NsccParameterSet, bytesSquared: f64): void {
  const sum = floor<f64>(more.increase + bytesSquared);
  more.increase = sum < WORD || p.increaseSum != 0 ? sum : sum - floor<f64>(sum / WORD) * WORD;
}

/** Fast increase: after a whole window without queueing delay, until there is delay. @returns whether it was applied. */
@inline function increasesFast(state: Nscc, more: NsccMore, p: NsccParameterSet, delayPs: f64, bytes: f64): bool {
  if (delayPs < p.fastDelayPs) {
    more.fastBytes += bytes;
    if (more.fastBytes > state.windowBytes || state.flags & CONTROLLER_FAST) {
      if (TRACING && tracing) because(TRACE_NSCC_FAST_INCREASE);
      state.windowBytes = floor<f64>(state.windowBytes + bytes * p.fastFactor);
      state.flags |= <u8>CONTROLLER_FAST;
      return true;
    }
  } else {
    more.fastBytes = 0;
  }
  state.flags &= <u8>~CONTROLLER_FAST;
  return false;
}

@inline function decrease(state: Nscc, more: NsccMore, p: NsccParameterSet, timePs: f64, delayPs: f64): void {
  if (delayPs < p.targetDelayPs) return;
  state.flags &= <u8>~CONTROLLER_FAST;
  more.fastBytes = 0;
  const averagePs = state.averageDelayPs;
  if (averagePs <= p.targetDelayPs || timePs - more.lastDecreasePs <= state.baseRttPs) return;
  if (TRACING && tracing) because(TRACE_NSCC_DECREASE);
  const byDelay = 1 - (p.decreaseGain * (averagePs - p.targetDelayPs)) / averagePs;
  state.windowBytes = floor<f64>(state.windowBytes * max<f64>(byDelay, p.leastFactor));
  more.lastDecreasePs = timePs;
}

/** Adds the collected increase to the window. The time of the next fulfilment restarts only if due: one by bytes does not restart it. */
@inline function fulfil(state: Nscc, more: NsccMore, p: NsccParameterSet, timePs: f64): void {
  const sincePs = timePs - more.lastFulfilPs;
  if (more.receivedBytes <= p.fulfilBytes && sincePs <= p.baseRttPs) return;
  if (TRACING && tracing) because(TRACE_NSCC_INCREASE);
  state.windowBytes += floor<f64>(more.increase / state.windowBytes);
  if (sincePs >= p.baseRttPs) {
    state.windowBytes = floor<f64>(state.windowBytes + p.fixedBytes);
    more.lastFulfilPs = timePs;
  }
  more.increase = 0;
  more.receivedBytes = 0;
}

/** Limits the window to the largest one, but to at least a packet, even if the largest window is smaller. */
@inline function bound(state: Nscc, more: NsccMore, p: NsccParameterSet): void {
  const least = p.packetBytes;
  const windowBytes = min<f64>(state.windowBytes, more.maxWindowBytes);
  state.windowBytes = windowBytes > least ? windowBytes : least;
}

/** Computes the rate from window and base round trip. */
@inline function follow(state: Nscc, p: NsccParameterSet): void {
  const rateBps = (state.windowBytes * PS_BITS_PER_BYTE_SECOND) / state.baseRttPs;
  state.rateBps = rateBps < p.maxRateBps ? rateBps : p.maxRateBps;
}

/** Traces why the rate is about to change, and the numbers at the event. */
function explain(reason: u32, state: Nscc, p: NsccParameterSet, delayPs: f64): void {
  because(reason);
  input(0, delayPs);
  input(1, state.averageDelayPs);
  input(2, p.targetDelayPs);
  input(3, state.windowBytes);
  input(4, state.baseRttPs);
}
