/**
 * HPCC++'s sender: transitions on one 64-byte record, its stored hops, and its timers.
 *
 * Role: HPCC's core, driven by three kinds of signals. Due recovery steps are applied first, then:
 *
 *   signal                          effect
 *   ACK event with exact records    as HPCC, hops matched by identity; full update by sequence numbers, or by the timer
 *   trace of an ACK frame           the same, by the timer: frames do not carry sndNxt
 *   Fast CNP with readable records  u at least notifiedUtilization; full update by the timer
 *   CNP, other Fast CNP             u = notifiedUtilization; full update by the timer
 *   disabled sources                none
 *
 * The timer allows a full update once T has passed since the last one. A full update by a notification also blocks those by
 * ACKs for T, so that one congestion event does not change the reference twice.
 *
 *   u is that of the busiest hop, smoothed; after a notification at least notifiedUtilization
 *   incomplete (a hop is only estimated, or missing) and u < eta: no effect; such a signal may only lower the rate
 *   else HPCC's step from Qc; a full update commits, and a cut also stores the old Qc as the target of recovery
 *
 * Citation  Li et al., SIGCOMM 2019, algorithm 1; draft-xiao-rtgwg-rocev2-fast-cnp-01, section 4; docs/reference/sources.md, HPCC++.
 *           Readable model: src/reference/algorithms/hpcc-pp/model.ts.
 * Files     This one: the cases. hops.ts: one hop. recovery.ts: recovery without signals. hpcc/steps.ts: one step.
 */
import { ALGORITHM_HPCC_PP, HPCC_PP_TRAITS } from '../../../src/abi/algorithms';
import { ACK_FAST, ACK_NO_SIGNAL, ACK_PARTIAL, ACK_PATH_ID, ACK_RATE_SET, ACK_SEQ, ACK_SKIPPED, ACK_SND_NXT,
  ACK_TELEMETRY, ACK_UPDATE, PLUS_HOPS, TELEMETRY_EXACT, TELEMETRY_INT64,
  TELEMETRY_NONE } from '../../../src/abi/ack-layout';
import { hopCountOf, hopRecord, NOT_COUNTED } from '../hpcc/hops';
import { beginSignal, isIncomplete, measuredNs, measuredQlenBytes, measuredTxBps, measurePlusHop } from './hops';
import { armRecovery, recover } from './recovery';
import { checkPlusLayouts, CLOCK_ACKS, HpccPpParameterSet, reads, SOURCE_ACKS, SOURCE_CNPS, SOURCE_FAST_CNPS,
  timersOf } from './record';
import { ExactHop, PATH_CHANGE_RESET } from '../hpcc/record';
import { explainHop, explainStep, noteHop } from '../hpcc/explain';
import { isMultiplicative, smooth, step } from '../hpcc/steps';
import { TRACING, tracing } from '../../trace/ring';
import { applyQuantity, openAtMaximum } from '../hpcc/update';
import { paceSent } from '../rate-numbers';
import { register as registerAlgorithm, registerCheck, registerCnp, registerTime } from '../registry';
import { beginsRoundTrip, moveMark } from '../round-trip';
import { Hpcc } from '../../records/controllers';

/** Returned instead of u if all hops were ignored. */
const NONE_COUNTED: f64 = -1;

/** Registers HPCC++. */
export function register(): void {
  registerAlgorithm(ALGORITHM_HPCC_PP, HPCC_PP_TRAITS, open, sent, ack);
  registerCnp(ALGORITHM_HPCC_PP, cnp);
  registerTime(ALGORITHM_HPCC_PP, touch, deadline);
  registerCheck(ALGORITHM_HPCC_PP, check);
}

/** Opens a QP at its largest rate or window, u = 1. Its record and its hops have been zeroed. */
export function open(q: usize, p: usize, hops: usize): void {
  checkPlusLayouts();
  const parameters = changetype<HpccPpParameterSet>(p);
  openAtMaximum(changetype<Hpcc>(q), parameters);
  const timers = timersOf(hops);
  timers.nextRecoveryPs = Infinity;
  timers.target = parameters.stepMaximum;
}

/** Checks a record from outside: number of hops, a reference that can be divided, and a valid time of recovery. */
export function check(q: usize, p: usize, hops: usize): bool {
  const state = changetype<Hpcc>(q);
  const timers = timersOf(hops);
  return <u32>state.hopCount <= <u32>PLUS_HOPS && state.committed > 0 && state.utilization >= 0 &&
    timers.nextRecoveryPs >= 0 &&
    timers.target > 0 && timers.heldUntilPs >= 0 && timers.nextFullPs >= 0;
}

/** A data packet was sent; applies due recovery steps first. The caller has checked its time. */
export function sent(q: usize, p: usize, hops: usize, timePs: f64, lenBytes: u32): void {
  touch(q, p, hops, timePs);
  const state = changetype<Hpcc>(q);
  paceSent(changetype<HpccPpParameterSet>(p).sendGap, state, timePs, lenBytes, state.rateBps);
}

/** Applies everything that is due up to and including a time. */
export function touch(q: usize, p: usize, hops: usize, timePs: f64): void {
  recover(changetype<Hpcc>(q), changetype<HpccPpParameterSet>(p), timersOf(hops), timePs);
}

/** Next time when the rate can change without an event, picoseconds. */
export function deadline(hops: usize): f64 {
  return timersOf(hops).nextRecoveryPs;
}

/**
 * An ACK arrived, as an event or as a frame with a trace.
 *
 * @returns ACK_*, with ACK_RATE_SET if it had an effect; with ACK_NO_SIGNAL nothing has changed.
 */
export function ack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): u32 {
  const kind = <u32>load<u8>(record, ACK_TELEMETRY);
  if (kind == TELEMETRY_NONE || kind == TELEMETRY_INT64) return ACK_NO_SIGNAL;
  const state = changetype<Hpcc>(q);
  const parameters = changetype<HpccPpParameterSet>(p);
  const timers = timersOf(hops);
  recover(state, parameters, timers, timePs);
  if (!reads(parameters, SOURCE_ACKS)) return ACK_SKIPPED;
  const bySequence = parameters.clock == CLOCK_ACKS && kind == TELEMETRY_EXACT;
  const sequence = parameters.sequence;
  const full = bySequence ?
    beginsRoundTrip(sequence, state, load<u32>(record, ACK_SEQ)) && timePs >= timers.heldUntilPs :
    timePs >= timers.nextFullPs;
  if (full && bySequence) moveMark(sequence, state, load<u32>(record, ACK_SND_NXT));
  return apply(state, parameters, hops, record, timePs, false, full);
}

/**
 * A CNP or a Fast CNP arrived.
 *
 * @param record the AckEvent with the hops of a Fast CNP; 0 = no readable hops.
 * @returns like `ack`.
 */
export function cnp(q: usize, p: usize, hops: usize, record: usize, timePs: f64, cause: u32): u32 {
  const state = changetype<Hpcc>(q);
  const parameters = changetype<HpccPpParameterSet>(p);
  if (!reads(parameters, record ? SOURCE_FAST_CNPS : SOURCE_CNPS)) return ACK_NO_SIGNAL;
  const timers = timersOf(hops);
  recover(state, parameters, timers, timePs);
  return apply(state, parameters, hops, record, timePs, true, timePs >= timers.nextFullPs);
}

/** Applies a signal to rate and state, unless it is too early for a full update and fastReact is off. @returns ACK_* */
function apply(q: Hpcc, p: HpccPpParameterSet, hops: usize, record: usize, timePs: f64, notified: bool,
  full: bool): u32 {
  if (!full && p.fastReact == 0) return ACK_SKIPPED;
  const isNews = react(q, p, hops, record, timePs, notified, full);
  if (isNews) {
    const timers = timersOf(hops);
    if (full) timers.nextFullPs = timePs + p.baseRttPs;
    if (full && notified) timers.heldUntilPs = timers.nextFullPs;
    armRecovery(q, p, timers, timePs);
  }
  return (isNews ? ACK_RATE_SET : 0) | (full ? ACK_UPDATE : ACK_FAST);
}

/** @returns whether the signal had an effect. */
function react(q: Hpcc, p: HpccPpParameterSet, hops: usize, record: usize, timePs: f64, notified: bool,
  full: bool): bool {
  let utilization = record ? smoothedBusiest(q, p, hops, record, timePs, notified) : NONE_COUNTED;
  if (notified) utilization = max<f64>(utilization, p.notifiedUtilization);
  else if (utilization < 0) return false;
  const normalized = utilization / p.targetUtilization;
  if (normalized < 1 && isIncomplete) return false;
  q.utilization = utilization;
  const reference = q.committed;
  const multiplicative = isMultiplicative(p, q.incStage, normalized);
  if (TRACING && tracing) explainStep(p, multiplicative, full, utilization, reference, q.incStage);
  const quantity = step(q, p, normalized, multiplicative, full);
  if (full && quantity < reference) timersOf(hops).target = reference;
  applyQuantity(q, p, quantity);
  return true;
}

/** The smoothed u with the largest u' of all hops; NONE_COUNTED if all were ignored. */
function smoothedBusiest(q: Hpcc, p: HpccPpParameterSet, hops: usize, record: usize, timePs: f64, notified: bool): f64 {
  forgetOtherPath(q, p, record);
  const kind = <u32>load<u8>(record, ACK_TELEMETRY);
  const hopCount = hopCountOf(record);
  const inspected = min<u32>(hopCount, PLUS_HOPS);
  beginSignal(load<u8>(record, ACK_PARTIAL) != 0 || inspected != hopCount);
  let counted = false;
  let largest: f64 = 0;
  let largestNs: f64 = 0;
  for (let i: u32 = 0; i < inspected; i++) {
    const sample = changetype<ExactHop>(hopRecord(record, i));
    const utilization = measurePlusHop(q, p, hops, sample, kind, i, timePs, notified);
    if (utilization == NOT_COUNTED) continue;
    counted = true;
    if (utilization > largest) {
      largest = utilization;
      largestNs = measuredNs;
      if (TRACING && tracing) {
        noteHop(measuredQlenBytes, measuredTxBps, sample.lineRateBps, measuredNs);
        explainHop(i, utilization);
      }
    }
  }
  return counted ? smooth(p, q.utilization, largest, largestNs) : NONE_COUNTED;
}

/** Removes the hops of another path, if records name their path. */
@inline function forgetOtherPath(q: Hpcc, p: HpccPpParameterSet, record: usize): void {
  const pathId = load<u32>(record, ACK_PATH_ID);
  if (pathId == 0) return;
  if (p.pathChange == PATH_CHANGE_RESET && pathId != q.pathId) q.hopCount = 0;
  q.pathId = pathId;
}
