/**
 * HPCC's reaction to the telemetry of one ACK.
 *
 *   busiest hop   u' strictly largest, above 0; the QP smooths, decides and, on a full update, commits
 *   multiRate     each hop smooths, decides and commits separately, and the smallest Q is used; a hop that this ACK
 *                 skips counts with its Qc. A full update stores that smallest Q as the QP's Qc, which nothing
 *                 reads.
 *   then          the rate is Q, or W / T up to the line rate; the window follows; the running gap is adjusted
 *
 * Citation  Li et al., SIGCOMM 2019, algorithm 1; readable model: src/reference/algorithms/hpcc/model.ts.
 */
import { TRACING, tracing } from '../../trace/ring';
import { explainHop, explainKept, explainStep } from './explain';
import { countedNs, hopCountOf, hopRecord, intervalNs, keptHop, measureHop, NOT_COUNTED } from './hops';
import { hopLimit, HopStep, hopStep, HpccParameterSet, KeptHop, PRIMARY_RATE } from './record';
import { isMultiplicative, smooth, stageAfter, step, stepFrom } from './steps';
import { paceRateChange, windowInUse } from '../rate-numbers';
import { Hpcc } from '../../records/controllers';

const PS_BITS_PER_BYTE_SECOND: f64 = 8e12;
/** Returned if all hops were ignored; quantities are always above 0. */
const NO_HOP_COUNTED: f64 = 0;

/** The rate that follows from the controlled quantity. */
@inline export function rateOf(p: HpccParameterSet, quantity: f64): f64 {
  if (p.primary == PRIMARY_RATE) return quantity;
  const rateBps = (quantity * PS_BITS_PER_BYTE_SECOND) / p.baseRttPs;
  return rateBps < p.maxRateBps ? rateBps : p.maxRateBps;
}

/** The window that follows from the controlled quantity and its rate. */
@inline export function windowOf(p: HpccParameterSet, quantity: f64, rateBps: f64): f64 {
  if (p.primary != PRIMARY_RATE) return quantity;
  return windowInUse(p.windowMode, p.numbers, p.windowBytes, rateBps, p.maxRateBps);
}

/** Opens a QP at its largest rate or window, u = 1. Its record has been zeroed. */
export function openAtMaximum(q: Hpcc, p: HpccParameterSet): void {
  const committed = p.stepMaximum;
  const rateBps = rateOf(p, committed);
  q.committed = committed;
  q.rateBps = rateBps;
  q.windowBytes = windowOf(p, committed, rateBps);
  q.utilization = 1;
}

/** Applies an ACK's telemetry, whose hops fit the record, to rate and state. @returns whether the rate was set. */
@inline export function react(q: Hpcc, p: HpccParameterSet, hops: usize, record: usize, exact: bool,
  full: bool): bool {
  let quantity: f64;
  if (p.multiRate != 0) quantity = slowestHop(q, p, hops, record, exact, full);
  else if (exact) quantity = busiestHop(q, p, hops, record, true, full);
  else quantity = busiestHop(q, p, hops, record, false, full);
  if (quantity == NO_HOP_COUNTED) return false;
  applyQuantity(q, p, quantity);
  return true;
}

/** Sets rate and window from the controlled quantity, and adjusts the running gap. */
@inline export function applyQuantity(q: Hpcc, p: HpccParameterSet, quantity: f64): void {
  const rateBps = rateOf(p, quantity);
  paceRateChange(p.sendGap, q, q.rateBps, rateBps);
  q.rateBps = rateBps;
  q.windowBytes = windowOf(p, quantity, rateBps);
}

/** The step with one utilisation, reference and stage for the QP: the hot loop, compiled once for each kind of record. */
@inline function busiestHop(q: Hpcc, p: HpccParameterSet, hops: usize, record: usize, exact: bool,
  full: bool): f64 {
  const hopCount = hopCountOf(record);
  const passesEmpty = !full && p.sampleFeedback != 0;
  let counted = false;
  let largest: f64 = 0;
  let largestNs: f64 = 0;
  for (let i: u32 = 0; i < hopCount; i++) {
    const hop = keptHop(hops, i);
    const sample = hopRecord(record, i);
    const tauNs = intervalNs(exact, hop, sample);
    const utilization = measureHop(p, exact, hop, sample, tauNs, passesEmpty);
    if (utilization == NOT_COUNTED) continue;
    counted = true;
    if (utilization > largest) {
      largest = utilization;
      largestNs = countedNs(tauNs);
      if (TRACING && tracing) explainHop(i, utilization);
    }
  }
  if (!counted) return NO_HOP_COUNTED;
  const smoothed = smooth(p, q.utilization, largest, largestNs);
  q.utilization = smoothed;
  const normalized = smoothed / p.targetUtilization;
  const multiplicative = isMultiplicative(p, q.incStage, normalized);
  if (TRACING && tracing) explainStep(p, multiplicative, full, smoothed, q.committed, q.incStage);
  return step(q, p, normalized, multiplicative, full);
}

/** The step with a utilisation, reference and stage per hop. */
function slowestHop(q: Hpcc, p: HpccParameterSet, hops: usize, record: usize, exact: bool, full: bool): f64 {
  const hopCount = hopCountOf(record);
  const passesEmpty = !full && p.sampleFeedback != 0;
  let counted = false;
  let smallest: f64 = Infinity;
  for (let i: u32 = 0; i < hopCount; i++) {
    const hop = keptHop(hops, i);
    const sample = hopRecord(record, i);
    const tauNs = intervalNs(exact, hop, sample);
    const utilization = measureHop(p, exact, hop, sample, tauNs, passesEmpty);
    const own = hopStep(hops, hopLimit(p), i);
    const committed = own.committed;
    const stage = hop.incStage;
    const counts = utilization != NOT_COUNTED;
    let quantity = committed;
    let multiplicative = false;
    if (counts) {
      counted = true;
      own.utilization = smooth(p, own.utilization, utilization, countedNs(tauNs));
      const normalized = own.utilization / p.targetUtilization;
      multiplicative = isMultiplicative(p, stage, normalized);
      quantity = stepFrom(p, committed, normalized, multiplicative);
      if (full) commitHop(hop, own, quantity, stageAfter(stage, multiplicative));
    }
    if (!(quantity < smallest)) continue;
    smallest = quantity;
    if (TRACING && tracing) {
      explainStep(p, multiplicative, full, own.utilization, committed, stage);
      if (counts) explainHop(i, utilization);
      else explainKept(i);
    }
  }
  if (!counted) return NO_HOP_COUNTED;
  if (full) q.committed = smallest;
  return smallest;
}

@inline function commitHop(hop: KeptHop, own: HopStep, quantity: f64, stage: u32): void {
  own.committed = quantity;
  hop.incStage = stage;
}
