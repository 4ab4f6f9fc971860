/** A wasm module that holds TIMELY, DCTCP, Swift and the shared arithmetic only, for their tests. */
import { DctcpParameterSet } from '../../../assembly/algorithms/dctcp/transitions';
import { paceRateChange, paceSent } from '../../../assembly/algorithms/rate-numbers';
import { beginsRoundTrip, moveMark } from '../../../assembly/algorithms/round-trip';
import { SwiftParameterSet } from '../../../assembly/algorithms/swift/transitions';
import { TimelyParameterSet } from '../../../assembly/algorithms/timely/transitions';
import { ControllerState } from '../../../assembly/records/controllers';

export { ack as timelyAck, open as timelyOpen,
  sent as timelySent } from '../../../assembly/algorithms/timely/transitions';
export { ack as dctcpAck, open as dctcpOpen, sent as dctcpSent } from '../../../assembly/algorithms/dctcp/transitions';
export { ack as swiftAck, loss as swiftLoss, open as swiftOpen,
  sent as swiftSent } from '../../../assembly/algorithms/swift/transitions';
export { roundRate, sendGapPs, txTimeNs, windowAtRate, windowInUse } from '../../../assembly/algorithms/rate-numbers';
export { isNewer, newerOf, sequenceGap, sequenceOf } from '../../../assembly/algorithms/round-trip';

export function paceSentAt(gap: f64, q: usize, timePs: f64, lenBytes: u32, rateBps: f64): void {
  paceSent(gap, changetype<ControllerState>(q), timePs, lenBytes, rateBps);
}

export function paceRateChangeAt(gap: f64, q: usize, oldRateBps: f64, newRateBps: f64): void {
  paceRateChange(gap, changetype<ControllerState>(q), oldRateBps, newRateBps);
}

export function beginsRoundTripAt(mode: f64, q: usize, ackSeq: u32): bool {
  return beginsRoundTrip(mode, changetype<ControllerState>(q), ackSeq);
}

export function moveMarkAt(mode: f64, q: usize, sndNxt: u32): void {
  moveMark(mode, changetype<ControllerState>(q), sndNxt);
}

// ---- Fields of the parameter sets, in the order of the corresponding test.

export function timelyFields(at: usize, out: usize): void {
  const p = changetype<TimelyParameterSet>(at);
  store<f64>(out, p.maxRateBps, 0);
  store<f64>(out, p.minRateBps, 8);
  store<f64>(out, p.aiRateBps, 16);
  store<f64>(out, p.haiRateBps, 24);
  store<f64>(out, p.ewmaAlpha, 32);
  store<f64>(out, p.ewmaRetention, 40);
  store<f64>(out, p.decreaseBeta, 48);
  store<f64>(out, p.lowRttNs, 56);
  store<f64>(out, p.highRttNs, 64);
  store<f64>(out, p.minRttNs, 72);
  store<f64>(out, p.hyperAfterSteps, 80);
  store<f64>(out, p.numbers, 88);
  store<f64>(out, p.lowRttIncrease, 96);
  store<f64>(out, p.updateOn, 104);
  store<f64>(out, p.sequence, 112);
  store<f64>(out, p.sendGap, 120);
}

export function dctcpFields(at: usize, out: usize): void {
  const p = changetype<DctcpParameterSet>(at);
  store<f64>(out, p.maxRateBps, 0);
  store<f64>(out, p.minRateBps, 8);
  store<f64>(out, p.aiRateBps, 16);
  store<f64>(out, p.alphaGain, 24);
  store<f64>(out, p.alphaRetention, 32);
  store<f64>(out, p.sequencePerPacket, 40);
  store<f64>(out, p.numbers, 48);
  store<f64>(out, p.sequence, 56);
  store<f64>(out, p.sendGap, 64);
}

export function swiftFields(at: usize, out: usize): void {
  const p = changetype<SwiftParameterSet>(at);
  store<f64>(out, p.maxRateBps, 0);
  store<f64>(out, p.minRateBps, 8);
  store<f64>(out, p.packetBytes, 16);
  store<f64>(out, p.baseTargetPs, 24);
  store<f64>(out, p.hopScalePs, 32);
  store<f64>(out, p.flowScaleRangePs, 40);
  store<f64>(out, p.flowScaleSlopePs, 48);
  store<f64>(out, p.flowScaleOffsetPs, 56);
  store<f64>(out, p.aiPackets, 64);
  store<f64>(out, p.decreaseBeta, 72);
  store<f64>(out, p.leastFactor, 80);
  store<f64>(out, p.minCwnd, 88);
  store<f64>(out, p.maxCwnd, 96);
  store<f64>(out, p.initialCwnd, 104);
  store<f64>(out, p.timeoutsToReset, 112);
}
