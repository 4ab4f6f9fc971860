/**
 * TIMELY's sender: transitions on one 64-byte record.
 *
 * Inputs    the round-trip time of each ACK: its arrival minus the acknowledged packet's send time.
 * State     Timely: R; d, the smoothed difference of round-trip times; the last round-trip time; consecutive increases;
 *           the round-trip mark.
 *
 *   first ACK         only stores rtt and mark
 *   completion event  d = (1 - a) d + a (rtt - last);  gradient = d / minRtt;  then one of
 *     rtt < T_low     increase
 *     rtt > T_high    decrease by 1 - b (1 - T_high / rtt)
 *     gradient <= 0   increase
 *     else            decrease by max(0, 1 - b gradient)
 *   increase          R = min(max, R + (stage < hyperAfterSteps ? R_AI : R_HAI)); stage + 1
 *   decrease          R = max(min, R factor); stage = 0
 *
 * A completion event is the first ACK of a round trip, or each ACK (`updateOn`). Times enter in nanoseconds. A new rate
 * applies from the next packet on: the running gap is unchanged. An ACK without a round-trip time, or with a negative one,
 * is no signal.
 *
 * Citation  Mittal et al., "TIMELY", SIGCOMM 2015, algorithm 1; every setting: src/config/algorithms/timely.ts.
 * Deviation Stage counters stop at 65535.
 */
import { ALGORITHM_TIMELY, TIMELY_TRAITS } from '../../../src/abi/algorithms';
import { ACK_FIRST, ACK_NO_SIGNAL, ACK_SENT_TIME, ACK_SEQ, ACK_SKIPPED, ACK_SND_NXT,
  ACK_UPDATE } from '../../../src/abi/ack-layout';
import { STAGE_MAX } from '../../../src/abi/codes';
import { PARAMETER_SET_BYTES } from '../../../src/abi/layout';
import { TRACE_TIMELY_GRADIENT, TRACE_TIMELY_HIGH_RTT, TRACE_TIMELY_LOW_RTT } from '../../../src/abi/trace-layout';
import { ParameterSet } from '../../memory/records';
import { because, input, TRACING, tracing } from '../../trace/ring';
import { paceSent, roundRate } from '../rate-numbers';
import { register as registerAlgorithm } from '../registry';
import { beginsRoundTrip, isNewer, isStarted, SEQUENCE_PSN24, sequenceOf, setStarted } from '../round-trip';
import { ControllerState, Timely } from '../../records/controllers';

const PS_PER_NS: f64 = 1000;
/** Codes of `lowRttIncrease` and `updateOn`. */
const LOW_RTT_STAGED: f64 = 0;
const UPDATE_ON_ROUND_TRIP: f64 = 0;

/** One parameter set, as src/config/algorithms/timely.ts writes it. */
@unmanaged
export class TimelyParameterSet extends ParameterSet {
  ewmaAlpha: f64;
  /** 1 - a, a the EWMA weight of a new sample. */
  ewmaRetention: f64;
  decreaseBeta: f64;
  lowRttNs: f64;
  highRttNs: f64;
  minRttNs: f64;
  aiRateBps: f64;
  haiRateBps: f64;
  hyperAfterSteps: f64;
  lowRttIncrease: f64;
  updateOn: f64;
  numbers: f64;
  sequence: f64;
  sendGap: f64;
}

/** Fails the build if the record layouts do not match. */
@inline function checkLayout(): void {
  if (<u32>offsetof<TimelyParameterSet>() > <u32>PARAMETER_SET_BYTES) ERROR('TimelyParameterSet is too long');
}

/** Registers TIMELY. */
export function register(): void {
  registerAlgorithm(ALGORITHM_TIMELY, TIMELY_TRAITS, open, sent, ack);
}

/** Opens a QP at the line rate. Its record has been zeroed. */
export function open(q: usize, p: usize, hops: usize): void {
  checkLayout();
  changetype<Timely>(q).rateBps = changetype<TimelyParameterSet>(p).maxRateBps;
}

/** A data packet was sent. The caller has checked its time. */
export function sent(q: usize, p: usize, hops: usize, timePs: f64, lenBytes: u32): void {
  const state = changetype<ControllerState>(q);
  paceSent(changetype<TimelyParameterSet>(p).sendGap, state, timePs, lenBytes, state.rateBps);
}

/** An ACK arrived. @returns ACK_*; with ACK_NO_SIGNAL nothing has changed. */
export function ack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): u32 {
  const rttNs = (timePs - load<f64>(record, ACK_SENT_TIME)) / PS_PER_NS;
  // An unknown value is NaN, which fails the comparison.
  if (!(rttNs >= 0)) return ACK_NO_SIGNAL;
  const parameters = changetype<TimelyParameterSet>(p);
  const state = changetype<Timely>(q);
  const perRoundTrip = parameters.updateOn == UPDATE_ON_ROUND_TRIP;
  if (perRoundTrip && !beginsRoundTrip(parameters.sequence, state, load<u32>(record, ACK_SEQ))) return ACK_SKIPPED;
  const first = !isStarted(state);
  if (!first) update(state, parameters, rttNs);
  noteRoundTrip(state, parameters, rttNs, load<u32>(record, ACK_SND_NXT));
  return first ? ACK_FIRST : ACK_UPDATE;
}

@inline function update(q: Timely, p: TimelyParameterSet, rttNs: f64): void {
  const diffNs = p.ewmaRetention * q.rttDiffNs + p.ewmaAlpha * (rttNs - q.lastRttNs);
  q.rttDiffNs = diffNs;
  const gradient = diffNs / p.minRttNs;
  if (TRACING && tracing) explain(q, rttNs, gradient);
  if (rttNs < p.lowRttNs) {
    if (TRACING && tracing) because(TRACE_TIMELY_LOW_RTT);
    if (p.lowRttIncrease == LOW_RTT_STAGED) increaseStaged(q, p);
    else increaseBy(q, p, p.aiRateBps);
  } else if (rttNs > p.highRttNs) {
    if (TRACING && tracing) because(TRACE_TIMELY_HIGH_RTT);
    decrease(q, p, 1 - p.decreaseBeta * (1 - p.highRttNs / rttNs));
  } else if (gradient <= 0) {
    increaseStaged(q, p);
  } else {
    decrease(q, p, 1 - p.decreaseBeta * gradient);
  }
}

/** Adds to the trace: round trip, its smoothed difference, gradient, and the stage before the ACK. */
function explain(q: Timely, rttNs: f64, gradient: f64): void {
  because(TRACE_TIMELY_GRADIENT);
  input(0, rttNs);
  input(1, q.rttDiffNs);
  input(2, gradient);
  input(3, <f64>q.incStage);
}

/** Stores the round-trip time; with one update per round trip only if more was sent since the mark, as in the reference. */
@inline function noteRoundTrip(q: Timely, p: TimelyParameterSet, rttNs: f64, sndNxt: u32): void {
  const eachAck = p.updateOn != UPDATE_ON_ROUND_TRIP;
  const next = sequenceOf(p.sequence, sndNxt);
  const further = !isStarted(q) || isNewer(p.sequence, next, q.lastUpdateSeq);
  if (further) q.lastUpdateSeq = next;
  if (further || eachAck) q.lastRttNs = rttNs;
  setStarted(q, p.sequence == SEQUENCE_PSN24 || eachAck || q.lastUpdateSeq != 0);
}

function increaseStaged(q: Timely, p: TimelyParameterSet): void {
  const stage = <u32>q.incStage;
  increaseBy(q, p, <f64>stage < p.hyperAfterSteps ? p.aiRateBps : p.haiRateBps);
  q.incStage = <u16>(stage + <u32>(stage != STAGE_MAX));
}

@inline function increaseBy(q: Timely, p: TimelyParameterSet, stepBps: f64): void {
  const raised = q.rateBps + stepBps;
  q.rateBps = raised < p.maxRateBps ? raised : p.maxRateBps;
}

function decrease(q: Timely, p: TimelyParameterSet, factor: f64): void {
  const cutBps = roundRate(p.numbers, q.rateBps * (factor > 0 ? factor : 0));
  q.rateBps = cutBps > p.minRateBps ? cutBps : p.minRateBps;
  q.incStage = 0;
}
