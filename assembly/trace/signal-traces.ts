/**
 * What TIMELY, DCTCP and Swift tell of an ACK or a loss: the signal, and what they compare it with.
 *
 *   TIMELY  round trip [ns], its smoothed difference d with this one [ns], gradient d / minRtt, stage found
 *   DCTCP   alpha as a cut uses it; F of the batch that this ACK ended, if it did (TRACE_DETAIL_FULL)
 *   Swift   round trip, delay, target [ps], window found [packets]; of a loss only the last round trip and the window
 */
import { ACK_ECN_ECHO, ACK_HOST_DELAY, ACK_PATH_HOPS, ACK_SENT_TIME, ACK_SEQ, ACK_SND_NXT, CONTROLLER_REDUCED,
  LOSS_FAST } from '../../src/abi/ack-layout';
import { TRACE_DCTCP_CUT, TRACE_DCTCP_INCREASE, TRACE_DETAIL_FULL, TRACE_NO_HOP, TRACE_SWIFT_DECREASE,
  TRACE_SWIFT_INCREASE, TRACE_SWIFT_LOSS, TRACE_SWIFT_ROUND_TRIP, TRACE_SWIFT_TIMEOUT, TRACE_TIMELY_GRADIENT,
  TRACE_TIMELY_HIGH_RTT, TRACE_TIMELY_LOW_RTT } from '../../src/abi/trace-layout';
import { ControllerState } from '../algorithms/controller-state';
import { Dctcp, DctcpParameterSet } from '../algorithms/dctcp/transitions';
import { beginsRoundTrip, isNewer, isStarted, sequenceOf } from '../algorithms/round-trip';
import { Swift, SwiftParameterSet, targetDelayPs } from '../algorithms/swift/transitions';
import { Timely, TimelyParameterSet } from '../algorithms/timely/transitions';
import { describe, input } from './ring';

const PS_PER_NS: f64 = 1000;

export function explainTimely(q: usize, p: usize, hops: usize, record: usize, timePs: f64): void {
  const state = changetype<Timely>(q);
  const parameters = changetype<TimelyParameterSet>(p);
  const rttNs = (timePs - load<f64>(record, ACK_SENT_TIME)) / PS_PER_NS;
  const diffNs = parameters.ewmaRetention * state.rttDiffNs + parameters.ewmaAlpha * (rttNs - state.lastRttNs);
  let reason: u32 = TRACE_TIMELY_GRADIENT;
  if (rttNs < parameters.lowRttNs) reason = TRACE_TIMELY_LOW_RTT;
  else if (rttNs > parameters.highRttNs) reason = TRACE_TIMELY_HIGH_RTT;
  describe(reason, 0, TRACE_NO_HOP);
  input(0, rttNs);
  input(1, diffNs);
  input(2, diffNs / parameters.minRttNs);
  input(3, <f64>state.incStage);
}

export function explainDctcp(q: usize, p: usize, hops: usize, record: usize, timePs: f64): void {
  const state = changetype<Dctcp>(q);
  const parameters = changetype<DctcpParameterSet>(p);
  const common = changetype<ControllerState>(q);
  const sequence = parameters.sequence;
  const ackSeq = sequenceOf(sequence, load<u32>(record, ACK_SEQ));
  const echo = load<u8>(record, ACK_ECN_ECHO) != 0;
  const ended = isStarted(common) && beginsRoundTrip(sequence, common, ackSeq);
  const counted = (<f64>state.markedAcks + (echo ? 1 : 0)) / (<f64>state.furtherPackets + 1);
  const marked = counted < 1 ? counted : 1;
  const reduced = (state.flags & CONTROLLER_REDUCED) != 0 && !isNewer(sequence, ackSeq, state.reducedUntilSeq);
  describe(echo && !reduced ? TRACE_DCTCP_CUT : TRACE_DCTCP_INCREASE, ended ? TRACE_DETAIL_FULL : 0, TRACE_NO_HOP);
  input(0, ended ? parameters.alphaRetention * state.alpha + parameters.alphaGain * marked : state.alpha);
  if (ended) input(1, marked);
}

export function explainSwift(q: usize, p: usize, hops: usize, record: usize, timePs: f64): void {
  const state = changetype<Swift>(q);
  const parameters = changetype<SwiftParameterSet>(p);
  const rttPs = timePs - load<f64>(record, ACK_SENT_TIME);
  const delayPs = rttPs - load<f64>(record, ACK_HOST_DELAY);
  const targetPs = targetDelayPs(parameters, state.cwnd, load<u32>(record, ACK_PATH_HOPS));
  let reason: u32 = TRACE_SWIFT_ROUND_TRIP;
  if (delayPs < targetPs) reason = TRACE_SWIFT_INCREASE;
  else if (timePs - state.lastDecreasePs >= rttPs) reason = TRACE_SWIFT_DECREASE;
  describe(reason, 0, TRACE_NO_HOP);
  input(0, rttPs);
  input(1, delayPs);
  input(2, targetPs);
  input(3, state.cwnd);
}

export function explainSwiftLoss(q: usize, p: usize, timePs: f64, found: u32): void {
  const state = changetype<Swift>(q);
  const timeouts: f64 = found == LOSS_FAST ? 0 : <f64>state.timeouts + 1;
  const resets = timeouts >= changetype<SwiftParameterSet>(p).timeoutsToReset;
  describe(resets ? TRACE_SWIFT_TIMEOUT : TRACE_SWIFT_LOSS, 0, TRACE_NO_HOP);
  input(0, state.rttPs);
  input(3, state.cwnd);
}
