/**
 * Swift's sender: transitions on one 64-byte record.
 *
 * Inputs    per ACK the round trip, the host delay within it, the number of hops, packets acknowledged; losses.
 * State     Swift: cwnd (packets, fractions allowed); last round trip; time of the last decrease; consecutive timeouts;
 *           rate and window derived from these.
 *
 *   target           base + hops hopScale + max(0, min(slope / sqrt(cwnd) - offset, fsRange))
 *   ACK              timeouts = 0; delay = round trip - host delay
 *     delay < target   cwnd += ai acked / cwnd     (cwnd below 1: ai acked)
 *     else             if now - last decrease >= round trip:
 *                      cwnd *= max(1 - beta (delay - target) / delay, 1 - maxMdf)
 *   fast loss        timeouts = 0; if a decrease is due: cwnd *= 1 - maxMdf
 *   timeout          timeouts + 1; from timeoutsToReset on cwnd = minCwnd; else like a fast loss
 *   always           cwnd within minCwnd .. maxCwnd; if it fell: last decrease = now
 *   rate             min(line rate, cwnd packet / round trip);  window  max(1, cwnd) packet
 *   pacing           cwnd < 1: the next packet goes round trip / cwnd after the last one; else none
 *
 * Citation  Kumar et al., SIGCOMM 2020, section 3 with algorithm 1; every number: src/config/algorithms/swift.ts.
 * Deviation The paper has two windows, for fabric and host delay, and uses the smaller; this code has only the fabric
 *           window and subtracts the host delay. `last decrease` changes only if cwnd fell, not if it stayed. Until a
 *           round trip has been measured the base target replaces it.
 */
import { ALGORITHM_SWIFT, SWIFT_TRAITS } from '../../../src/abi/algorithms';
import { ACK_ACKED_PACKETS, ACK_HOST_DELAY, ACK_NO_SIGNAL, ACK_PATH_HOPS, ACK_SENT_TIME, ACK_SKIPPED, ACK_UPDATE,
  LOSS_FAST } from '../../../src/abi/ack-layout';
import { PARAMETER_SET_BYTES } from '../../../src/abi/layout';
import { TRACE_SWIFT_DECREASE, TRACE_SWIFT_INCREASE, TRACE_SWIFT_LOSS, TRACE_SWIFT_ROUND_TRIP,
  TRACE_SWIFT_TIMEOUT } from '../../../src/abi/trace-layout';
import { ParameterSet } from '../../memory/records';
import { because, input, TRACING, tracing } from '../../trace/ring';
import { register as registerAlgorithm, registerLoss } from '../registry';
import { Swift } from '../../records/controllers';

const PS_BITS_PER_BYTE_SECOND: f64 = 8e12;

/** One parameter set, as src/config/algorithms/swift.ts writes it. */
@unmanaged
export class SwiftParameterSet extends ParameterSet {
  packetBytes: f64;
  baseTargetPs: f64;
  hopScalePs: f64;
  flowScaleRangePs: f64;
  /** a = fsRange / (1 / sqrt(fsMin) - 1 / sqrt(fsMax)) */
  flowScaleSlopePs: f64;
  /** a / sqrt(fsMax) */
  flowScaleOffsetPs: f64;
  aiPackets: f64;
  decreaseBeta: f64;
  /** 1 - maxMdf, the smallest factor of a decrease. */
  leastFactor: f64;
  minCwnd: f64;
  maxCwnd: f64;
  initialCwnd: f64;
  timeoutsToReset: f64;
}

/** Fails the build if the record layouts do not match. */
@inline function checkLayout(): void {
  if (<u32>offsetof<SwiftParameterSet>() > <u32>PARAMETER_SET_BYTES) ERROR('SwiftParameterSet is too long');
}

/** Registers Swift. */
export function register(): void {
  registerAlgorithm(ALGORITHM_SWIFT, SWIFT_TRAITS, open, sent, ack);
  registerLoss(ALGORITHM_SWIFT, loss);
}

/** Opens a QP with the initial window and no previous decrease. Its record has been zeroed. */
export function open(q: usize, p: usize, hops: usize): void {
  checkLayout();
  const state = changetype<Swift>(q);
  const parameters = changetype<SwiftParameterSet>(p);
  state.cwnd = parameters.initialCwnd;
  state.rttPs = parameters.baseTargetPs;
  state.lastDecreasePs = -Infinity;
  follow(state, parameters);
}

/** A data packet was sent. The caller has checked its time. */
export function sent(q: usize, p: usize, hops: usize, timePs: f64, lenBytes: u32): void {
  const state = changetype<Swift>(q);
  const cwnd = state.cwnd;
  state.nextSendPs = cwnd < 1 ? timePs + ceil<f64>(state.rttPs / cwnd) : timePs;
}

/** An ACK arrived. @returns ACK_*; with ACK_NO_SIGNAL nothing has changed. */
export function ack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): u32 {
  const rttPs = timePs - load<f64>(record, ACK_SENT_TIME);
  const delayPs = rttPs - load<f64>(record, ACK_HOST_DELAY);
  // An unknown value is NaN, which fails both comparisons.
  if (!(rttPs > 0 && delayPs >= 0)) return ACK_NO_SIGNAL;
  const state = changetype<Swift>(q);
  const parameters = changetype<SwiftParameterSet>(p);
  const targetPs = targetDelayPs(parameters, state.cwnd, load<u32>(record, ACK_PATH_HOPS));
  state.timeouts = 0;
  state.rttPs = rttPs;
  if (TRACING && tracing) explainAck(state, delayPs, targetPs);
  let result: u32 = ACK_UPDATE;
  if (delayPs < targetPs) {
    if (TRACING && tracing) because(TRACE_SWIFT_INCREASE);
    const step = parameters.aiPackets * load<f64>(record, ACK_ACKED_PACKETS);
    moveTo(state, parameters, timePs, increased(state.cwnd, step));
  } else if (mayDecrease(state, timePs)) {
    if (TRACING && tracing) because(TRACE_SWIFT_DECREASE);
    moveTo(state, parameters, timePs, state.cwnd * decreaseFactor(parameters, delayPs, targetPs));
  } else {
    result = ACK_SKIPPED;
  }
  follow(state, parameters);
  return result;
}

/** A packet was lost; `found`: LOSS_*. */
export function loss(q: usize, p: usize, hops: usize, timePs: f64, found: u32): void {
  const state = changetype<Swift>(q);
  const parameters = changetype<SwiftParameterSet>(p);
  const toReset = <u32>parameters.timeoutsToReset;
  const timeouts: u32 = found == LOSS_FAST ? 0 : min<u32>(state.timeouts + 1, toReset);
  state.timeouts = timeouts;
  if (TRACING && tracing) explain(timeouts >= toReset ? TRACE_SWIFT_TIMEOUT : TRACE_SWIFT_LOSS, state);
  if (timeouts >= toReset) moveTo(state, parameters, timePs, parameters.minCwnd);
  else if (mayDecrease(state, timePs)) moveTo(state, parameters, timePs, state.cwnd * parameters.leastFactor);
  follow(state, parameters);
}

/** Adds to the trace: the round trip, and the window before the event. */
function explain(reason: u32, q: Swift): void {
  because(reason);
  input(0, q.rttPs);
  input(3, q.cwnd);
}

/** Adds delay and target of an ACK to the trace. */
function explainAck(q: Swift, delayPs: f64, targetPs: f64): void {
  explain(TRACE_SWIFT_ROUND_TRIP, q);
  input(1, delayPs);
  input(2, targetPs);
}

/** Target delay for a window on a path with this many hops, picoseconds. */
@inline function targetDelayPs(p: SwiftParameterSet, cwnd: f64, hopCount: u32): f64 {
  const scaled = p.flowScaleSlopePs / sqrt<f64>(cwnd) - p.flowScaleOffsetPs;
  const capped = scaled < p.flowScaleRangePs ? scaled : p.flowScaleRangePs;
  return p.baseTargetPs + <f64>hopCount * p.hopScalePs + (capped > 0 ? capped : 0);
}

@inline function increased(cwnd: f64, step: f64): f64 {
  return cwnd >= 1 ? cwnd + step / cwnd : cwnd + step;
}

@inline function decreaseFactor(p: SwiftParameterSet, delayPs: f64, targetPs: f64): f64 {
  const byDelay = 1 - p.decreaseBeta * ((delayPs - targetPs) / delayPs);
  return byDelay > p.leastFactor ? byDelay : p.leastFactor;
}

@inline function mayDecrease(q: Swift, timePs: f64): bool {
  return timePs - q.lastDecreasePs >= q.rttPs;
}

@inline function moveTo(q: Swift, p: SwiftParameterSet, timePs: f64, wanted: f64): void {
  const floored = wanted > p.minCwnd ? wanted : p.minCwnd;
  const cwnd = floored < p.maxCwnd ? floored : p.maxCwnd;
  if (cwnd < q.cwnd) q.lastDecreasePs = timePs;
  q.cwnd = cwnd;
}

/** Derives rate and window from cwnd and round trip. */
@inline function follow(q: Swift, p: SwiftParameterSet): void {
  const cwnd = q.cwnd;
  const rateBps = (cwnd * p.packetBytes * PS_BITS_PER_BYTE_SECOND) / q.rttPs;
  q.rateBps = rateBps < p.maxRateBps ? rateBps : p.maxRateBps;
  q.windowBytes = (cwnd > 1 ? cwnd : 1) * p.packetBytes;
}
