/**
 * What HPCC++ tells of its steps, which it tells itself: one signal may find steps of recovery before its own.
 *
 *   signal    as HPCC's (hpcc-trace.ts): u as it was used, u' of the hop, shorter queue [bytes], tx rate [b/s], line rate [b/s],
 *             tau [ns], Q_c, stage; the hop by its place in the signal's list. FULL: the step became the new Q_c
 *   no hop    none showed any load, or a notification had none to tell of
 *   estimate  a hop whose throughput is not known: tx rate is the one assumed, the line rate or 0, tau a round trip
 *   recovery  target, step counted from 1; WINDOW as HPCC's
 */
import { CAUSE_ACK, CAUSE_TIME } from '../../src/abi/codes';
import { TRACE_DETAIL_FULL, TRACE_DETAIL_WINDOW, TRACE_HPCC_ADDITIVE, TRACE_HPCC_MULTIPLICATIVE, TRACE_NO_HOP,
  TRACE_RECOVERY_ADDITIVE, TRACE_RECOVERY_HALFWAY } from '../../src/abi/trace-layout';
import { PlusTimers } from '../algorithms/hpcc-pp/record';
import { Hpcc, HpccParameterSet, PRIMARY_RATE } from '../algorithms/hpcc/record';
import { isMultiplicative } from '../algorithms/hpcc/steps';
import { describe, input, keepChange, notifiedBy, numberOf } from './ring';

let place: u32 = TRACE_NO_HOP;
let hopUtilization: f64 = 0;
let queueBytes: f64 = 0;
let txRateBps: f64 = 0;
let lineRateBps: f64 = 0;
let tauNs: f64 = 0;

/** A new signal: no hop of it is the busiest yet. */
export function forgetBusiest(): void {
  place = TRACE_NO_HOP;
}

/** A hop is the busiest so far; `index`: its place in the signal's list. */
export function noteBusiest(index: u32, utilization: f64, queue: f64, txRate: f64, lineRate: f64, tau: f64): void {
  place = index;
  hopUtilization = utilization;
  queueBytes = queue;
  txRateBps = txRate;
  lineRateBps = lineRate;
  tauNs = tau;
}

/** A signal is about to act on the state that it finds; `utilization`: u as the step uses it; `normalized`: c. */
export function describeSignal(q: Hpcc, p: HpccParameterSet, utilization: f64, normalized: f64, full: bool): void {
  describe(isMultiplicative(p, q.incStage, normalized) ? TRACE_HPCC_MULTIPLICATIVE : TRACE_HPCC_ADDITIVE,
    unitOf(p) | (full ? TRACE_DETAIL_FULL : 0), place);
  input(0, utilization);
  input(6, q.committed);
  input(7, <f64>q.incStage);
  if (place == TRACE_NO_HOP) return;
  input(1, hopUtilization);
  input(2, queueBytes);
  input(3, txRateBps);
  input(4, lineRateBps);
  input(5, tauNs);
}

/** What was described has acted. */
export function keepSignal(timePs: f64, q: Hpcc, notified: bool, beforeBps: f64): void {
  keepChange(timePs, numberOf(changetype<usize>(q)), notified ? notifiedBy : <u32>CAUSE_ACK, beforeBps, q.rateBps);
}

/** The step of recovery that was due was made, and is counted. */
export function traceRecovery(q: Hpcc, p: HpccParameterSet, timers: PlusTimers, isFast: bool, beforeBps: f64): void {
  describe(isFast ? TRACE_RECOVERY_HALFWAY : TRACE_RECOVERY_ADDITIVE, unitOf(p), TRACE_NO_HOP);
  input(0, timers.target);
  input(1, <f64>timers.recoverySteps);
  keepChange(timers.nextRecoveryPs, numberOf(changetype<usize>(q)), CAUSE_TIME, beforeBps, q.rateBps);
}

@inline function unitOf(p: HpccParameterSet): u32 {
  return p.primary == PRIMARY_RATE ? 0 : TRACE_DETAIL_WINDOW;
}
