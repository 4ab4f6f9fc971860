/**
 * Adds the explanation of an HPCC or HPCC++ step to the trace of rate changes.
 *
 *   inputs  u as used by the step, u' of the hop, shorter queue [bytes], tx rate [b/s], line rate [b/s], tau [ns], Q_c, stage;
 *           Q_c and stage are those before the signal
 *   hop     the deciding hop: the busiest, or under multiRate the one with the smallest Q (the first of equals); none if
 *           no hop had any load
 *   KEPT    multiRate: the slowest hop was not measured by this ACK, and counts with its Q_c
 */
import { TRACE_DETAIL_FULL, TRACE_DETAIL_WINDOW, TRACE_HPCC_ADDITIVE, TRACE_HPCC_KEPT,
  TRACE_HPCC_MULTIPLICATIVE } from '../../../src/abi/trace-layout';
import { atHop, because, detail, input } from '../../trace/ring';
import { HpccParameterSet, PRIMARY_RATE } from './record';

let queueBytes: f64 = 0;
let txRateBps: f64 = 0;
let lineRateBps: f64 = 0;
let tauNs: f64 = 0;

/** Stores the terms of u' of the hop being measured. */
export function noteHop(queue: f64, txRate: f64, lineRate: f64, tau: f64): void {
  queueBytes = queue;
  txRateBps = txRate;
  lineRateBps = lineRate;
  tauNs = tau;
}

/** Makes the hop measured last the deciding one so far; `place`: position on the path, or in the signal's list. */
export function explainHop(place: u32, utilization: f64): void {
  atHop(place);
  input(1, utilization);
  input(2, queueBytes);
  input(3, txRateBps);
  input(4, lineRateBps);
  input(5, tauNs);
}

/** Makes a hop that was not measured the deciding one so far. */
export function explainKept(place: u32): void {
  because(TRACE_HPCC_KEPT);
  noteHop(0, 0, 0, 0);
  explainHop(place, 0);
}

/** Explains the step that is about to be made from a reference and a stage. */
export function explainStep(p: HpccParameterSet, multiplicative: bool, full: bool, utilization: f64, committed: f64,
  stage: u32): void {
  because(multiplicative ? TRACE_HPCC_MULTIPLICATIVE : TRACE_HPCC_ADDITIVE);
  detail(unitOf(p) | (full ? TRACE_DETAIL_FULL : 0));
  input(0, utilization);
  input(6, committed);
  input(7, <f64>stage);
}

/** TRACE_DETAIL_WINDOW if reference and target are windows, else 0. */
@inline export function unitOf(p: HpccParameterSet): u32 {
  return p.primary == PRIMARY_RATE ? 0 : TRACE_DETAIL_WINDOW;
}
