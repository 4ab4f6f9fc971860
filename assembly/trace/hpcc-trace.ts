/**
 * What HPCC and HPCC-PINT tell of an ACK.
 *
 * The hop told is the one that decides: the busiest, or under multiRate the one with the smallest Q (the first of equals).
 * It is found by going over the hops as hpcc-update.ts will, on copies of the kept records.
 *
 *   inputs  HPCC: u smoothed, u' of the hop, shorter queue [bytes], tx rate [b/s], line rate [b/s], tau [ns], Q_c, stage;
 *           HPCC-PINT: u decoded, power, R_c, stage. Q_c and stage are those that the ACK finds.
 *   no hop  the ACK measured none above 0: u' and the rest of the hop are 0
 *   KEPT    multiRate: the slowest hop was not measured by this ACK, and counts with its Q_c
 */
import { ACK_PINT_POWER, ACK_SEQ, ACK_TELEMETRY, HOP_RECORD_BYTES, TELEMETRY_EXACT,
  TELEMETRY_INT64 } from '../../src/abi/ack-layout';
import { TRACE_DETAIL_FULL, TRACE_DETAIL_WINDOW, TRACE_HPCC_ADDITIVE, TRACE_HPCC_KEPT, TRACE_HPCC_MULTIPLICATIVE,
  TRACE_NO_HOP, TRACE_PINT_ADDITIVE, TRACE_PINT_MULTIPLICATIVE } from '../../src/abi/trace-layout';
import { BYTES_SPAN, BYTES_UNIT, countedNs, hopCountOf, hopRecord, intervalNs, keptHop, measureHop, NOT_COUNTED,
  QLEN_UNIT, rateOfCode, wrapped } from '../algorithms/hpcc/hops';
import { ExactHop, frameOf, hopLimit, hopStep, Hpcc, HpccPintParameterSet, HpccParameterSet, KeptHop, PRIMARY_RATE,
  RawHop, RECORDS_EXACT } from '../algorithms/hpcc/record';
import { isMultiplicative, smooth, stepFrom } from '../algorithms/hpcc/steps';
import { decodePint } from '../algorithms/hpcc-pint/codec';
import { beginsRoundTrip } from '../algorithms/round-trip';
import { describe, input } from './ring';

const SECONDS_PER_NS: f64 = 1e-9;
/** A kept hop to be measured without a trace. */
const COPY: usize = memory.data(HOP_RECORD_BYTES, 8);

export function explainHpcc(q: usize, p: usize, hops: usize, record: usize, timePs: f64): void {
  const state = changetype<Hpcc>(q);
  const parameters = changetype<HpccParameterSet>(p);
  const exact = parameters.records == RECORDS_EXACT;
  const wanted: u32 = exact ? TELEMETRY_EXACT : TELEMETRY_INT64;
  if (<u32>load<u8>(record, ACK_TELEMETRY) != wanted || hopCountOf(record) > hopLimit(parameters)) return;
  const full = beginsRoundTrip(parameters.sequence, frameOf(state), load<u32>(record, ACK_SEQ));
  if (parameters.multiRate != 0) explainSlowest(parameters, hops, record, exact, full);
  else explainBusiest(state, parameters, hops, record, exact, full);
}

function explainBusiest(q: Hpcc, p: HpccParameterSet, hops: usize, record: usize, exact: bool, full: bool): void {
  const passesEmpty = !full && p.sampleFeedback != 0;
  let busiest: u32 = TRACE_NO_HOP;
  let largest: f64 = 0;
  let largestNs: f64 = 0;
  for (let i: u32 = 0, n = hopCountOf(record); i < n; i++) {
    const tauNs = intervalNs(exact, keptHop(hops, i), hopRecord(record, i));
    const utilization = measureCopy(p, exact, keptHop(hops, i), hopRecord(record, i), tauNs, passesEmpty);
    if (utilization == NOT_COUNTED || !(utilization > largest)) continue;
    busiest = i;
    largest = utilization;
    largestNs = countedNs(tauNs);
  }
  const smoothed = smooth(p, q.utilization, largest, largestNs);
  const multiplicative = isMultiplicative(p, q.incStage, smoothed / p.targetUtilization);
  describeStep(p, multiplicative ? TRACE_HPCC_MULTIPLICATIVE : TRACE_HPCC_ADDITIVE, full, busiest);
  describeReference(smoothed, q.committed, q.incStage);
  if (busiest != TRACE_NO_HOP) describeHop(p, exact, keptHop(hops, busiest), hopRecord(record, busiest), largest);
}

function explainSlowest(p: HpccParameterSet, hops: usize, record: usize, exact: bool, full: bool): void {
  const passesEmpty = !full && p.sampleFeedback != 0;
  let smallest: f64 = Infinity;
  for (let i: u32 = 0, n = hopCountOf(record); i < n; i++) {
    const hop = keptHop(hops, i);
    const sample = hopRecord(record, i);
    const tauNs = intervalNs(exact, hop, sample);
    const measured = measureCopy(p, exact, hop, sample, tauNs, passesEmpty);
    const counts = measured != NOT_COUNTED;
    const step = hopStep(hops, hopLimit(p), i);
    const utilization = counts ? smooth(p, step.utilization, measured, countedNs(tauNs)) : step.utilization;
    const normalized = utilization / p.targetUtilization;
    const multiplicative = isMultiplicative(p, hop.incStage, normalized);
    const quantity = counts ? stepFrom(p, step.committed, normalized, multiplicative) : step.committed;
    if (!(quantity < smallest)) continue;
    smallest = quantity;
    const reason: u32 = multiplicative ? TRACE_HPCC_MULTIPLICATIVE : TRACE_HPCC_ADDITIVE;
    describeStep(p, counts ? reason : TRACE_HPCC_KEPT, full, i);
    describeReference(utilization, step.committed, hop.incStage);
    if (counts) describeHop(p, exact, hop, sample, measured);
  }
}

function measureCopy(p: HpccParameterSet, exact: bool, hop: KeptHop, sample: usize, tauNs: f64,
  passesEmpty: bool): f64 {
  memory.copy(COPY, changetype<usize>(hop), HOP_RECORD_BYTES);
  return measureHop(p, exact, changetype<KeptHop>(COPY), sample, tauNs, passesEmpty);
}

function describeStep(p: HpccParameterSet, reason: u32, full: bool, hop: u32): void {
  const unit: u32 = p.primary == PRIMARY_RATE ? 0 : TRACE_DETAIL_WINDOW;
  describe(reason, unit | (full ? TRACE_DETAIL_FULL : 0), hop);
}

function describeReference(utilization: f64, committed: f64, stage: u32): void {
  input(0, utilization);
  input(6, committed);
  input(7, <f64>stage);
}

/** The terms of u' (measureHop of algorithms/hpcc/hops.ts). */
function describeHop(p: HpccParameterSet, exact: bool, hop: KeptHop, sample: usize, utilization: f64): void {
  const tauNs = countedNs(intervalNs(exact, hop, sample));
  input(1, utilization);
  input(3, (sentBytes(p, exact, hop, sample) * 8) / (tauNs * SECONDS_PER_NS));
  input(5, tauNs);
  if (exact) {
    const newer = changetype<ExactHop>(sample);
    input(2, newer.qlenBytes < hop.qlen ? newer.qlenBytes : hop.qlen);
    input(4, newer.lineRateBps);
  } else {
    const newer = changetype<RawHop>(sample);
    const qlen = <f64>newer.qlen < hop.qlen ? <f64>newer.qlen : hop.qlen;
    input(2, qlen * (QLEN_UNIT * p.intMultiplier));
    input(4, rateOfCode(newer.lineRateCode));
  }
}

function sentBytes(p: HpccParameterSet, exact: bool, hop: KeptHop, sample: usize): f64 {
  if (exact) return changetype<ExactHop>(sample).txBytes - hop.txBytes;
  const units = wrapped(<f64>changetype<RawHop>(sample).bytes - hop.txBytes + BYTES_SPAN, BYTES_SPAN);
  return units * BYTES_UNIT * p.intMultiplier;
}

export function explainHpccPint(q: usize, p: usize, hops: usize, record: usize, timePs: f64): void {
  const state = changetype<Hpcc>(q);
  const parameters = changetype<HpccPintParameterSet>(p);
  const power = load<u32>(record, ACK_PINT_POWER);
  const utilization = decodePint(<usize>parameters.tableAddress, <u32>parameters.pintBits, power);
  const multiplicative = isMultiplicative(parameters, state.incStage, utilization / parameters.targetUtilization);
  const full = beginsRoundTrip(parameters.sequence, frameOf(state), load<u32>(record, ACK_SEQ));
  const reason: u32 = multiplicative ? TRACE_PINT_MULTIPLICATIVE : TRACE_PINT_ADDITIVE;
  describe(reason, full ? TRACE_DETAIL_FULL : 0, TRACE_NO_HOP);
  input(0, utilization);
  input(1, <f64>power);
  input(2, state.committed);
  input(3, <f64>state.incStage);
}
