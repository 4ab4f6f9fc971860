/**
 * HPCC as a custom algorithm in AssemblyScript: the sender of the built-in one, with all its parameters, and equal to it to the bit.
 *
 *   npx asc hpcc.ts --importMemory --memoryBase 16384 --runtime stub -O3 --use abort= -o hpcc.wasm
 *
 * Inputs    the telemetry of each ACK: a record per hop of the acknowledged packet's path.
 * State     the reference R_c or W_c, u, the stage, the end of the running round trip; the last record of each hop.
 *
 *   measure   u' = txRate / B + min(qlen, previous qlen) L / (B W0) per hop; the busiest hop counts
 *   smooth    u = (u (T - tau) + u' tau) / T with tau at most T; or with a constant weight
 *   decide    c = u / eta; c >= 1 or stage >= maxStage: Q = Q_c / c + Q_AI, stage 0; else Q = Q_c + Q_AI, stage + 1;
 *             then at least its minimum, then at most its maximum
 *   commit    once per round trip Q_c = Q and the stage; else only Q moves
 *
 * With multiRate each hop smooths, decides and commits separately, and the smallest Q is used. A hop does not count when its queue is
 * empty (sampleFeedback) or its time has not moved (skip-hop), and keeps its older record then; or when its record runs backwards.
 *
 * Source    Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, algorithm 1; alibaba-edu/High-Precision-Congestion-
 *           Control at 9f4be2a; every parameter: hpcc.json. The running gap follows the rate (`pacing`), which the engine does.
 */
import { Ack, EXACT_HOPS_MAX, NO_SIGNAL, NOT_USED, Qp, RATE_SET, TELEMETRY_EXACT, TELEMETRY_INT64,
  USED } from 'roce-cc/algorithm/as';
import { BY_RATE, EWMA_CONSTANT, hopLimit, KeptHop, keptHop, Parameters, parametersAt, PATH_RESET, RECORDS_EXACT,
  SKIP_HOP, State, stateOf, WHOLE_BPS, WINDOW_NONE, WINDOW_VARIABLE } from './hpcc-record';

export { roce_abi_version } from 'roce-cc/algorithm/as';

const PS_BITS_PER_BYTE_SECOND: f64 = 8e12;
const TIME_SPAN: f64 = 16777216.0;
const BYTES_SPAN: f64 = 1048576.0;
const BYTES_UNIT: f64 = 128;
const QUEUE_UNIT: f64 = 80;
const PSN_MASK: u32 = 0xffffff;
/** Instead of u' of a hop that does not count, and of a quantity where none does. */
const NOT_COUNTED: f64 = -1;

// ---- Rates and windows.

@inline function rateOf(qp: Qp, p: Parameters, quantity: f64): f64 {
  if (p.primary == BY_RATE) return quantity;
  return min<f64>((quantity * PS_BITS_PER_BYTE_SECOND) / p.baseRttPs, qp.lineRateBps);
}

@inline function windowOf(qp: Qp, p: Parameters, quantity: f64, rateBps: f64): f64 {
  if (p.primary != BY_RATE) return quantity;
  if (p.windowMode != WINDOW_VARIABLE) return p.windowMode == WINDOW_NONE ? 0 : p.windowBytes;
  if (p.numbers != WHOLE_BPS) return max<f64>((p.windowBytes * rateBps) / qp.lineRateBps, 1);
  return max<f64>(<f64>((<u64>p.windowBytes * <u64>rateBps) / <u64>qp.lineRateBps), 1);
}

@inline function apply(qp: Qp, p: Parameters, quantity: f64): void {
  const rateBps = rateOf(qp, p, quantity);
  qp.rateBps = rateBps;
  qp.flags |= RATE_SET;
  qp.windowBytes = windowOf(qp, p, quantity, rateBps);
}

// ---- Hops. Of 64-bit records in raw units, and without identities.

@inline function timeAt(ack: Ack, i: u32, exact: bool): f64 {
  return exact ? ack.hop(i).timePs : <f64>ack.rawHop(i).time;
}

@inline function bytesAt(ack: Ack, i: u32, exact: bool): f64 {
  return exact ? ack.hop(i).txBytes : <f64>ack.rawHop(i).bytes;
}

@inline function queueAt(ack: Ack, i: u32, exact: bool): f64 {
  return exact ? ack.hop(i).queueBytes : <f64>ack.rawHop(i).queue;
}

@inline function lineRateAt(ack: Ack, i: u32, exact: bool): f64 {
  if (exact) return ack.hop(i).lineRateBps;
  const code = ack.rawHop(i).lineRateCode;
  if (code <= 4) return 25e9 * <f64>(1 << code);
  // Of ConWeave's simulator alone.
  return code == 5 ? 40e9 : 0;
}

@inline function hopIdAt(ack: Ack, i: u32, exact: bool): f64 {
  return exact ? <f64>ack.hop(i).hopId : 0;
}

@inline function pathIdOf(ack: Ack, exact: bool): f64 {
  return exact ? <f64>ack.pathId : 0;
}

/** All records of an ACK, as a new start. */
function keepAll(p: Parameters, s: State, ack: Ack, exact: bool): void {
  const count = min<u32>(ack.hopCount, hopLimit(p));
  s.hopCount = ack.hopCount;
  s.pathId = pathIdOf(ack, exact);
  for (let i: u32 = 0; i < count; i++) {
    const hop = keptHop(s, i);
    hop.keep(timeAt(ack, i, exact), bytesAt(ack, i, exact), queueAt(ack, i, exact));
    hop.hopId = hopIdAt(ack, i, exact);
  }
}

function restartHops(s: State, committed: f64): void {
  for (let i: u32 = 0; i < EXACT_HOPS_MAX; i++) keptHop(s, i).setStep(1, committed, 0);
}

@inline function isNewPath(s: State, ack: Ack, exact: bool): bool {
  if (<f64>ack.hopCount != s.hopCount || pathIdOf(ack, exact) != s.pathId) return true;
  for (let i: u32 = 0; i < <u32>ack.hopCount; i++) {
    if (keptHop(s, i).hopId != hopIdAt(ack, i, exact)) return true;
  }
  return false;
}

/** The remainder by a power of two: exact for whole numbers below 2^53. */
@inline function wrapped(sum: f64, span: f64): f64 {
  return sum - span * trunc<f64>(sum * (1 / span));
}

@inline function intervalNs(hop: KeptHop, ack: Ack, i: u32, exact: bool): f64 {
  const interval = timeAt(ack, i, exact) - hop.time;
  return exact ? interval / 1000 : wrapped(interval + TIME_SPAN, TIME_SPAN);
}

/** As it counts; 0 is left only under one-nanosecond. */
@inline function countedNs(tauNs: f64): f64 {
  return tauNs == 0 ? 1 : tauNs;
}

/** u' of a hop, whose record is replaced, or NOT_COUNTED. */
@inline function measure(qp: Qp, p: Parameters, hop: KeptHop, ack: Ack, i: u32, tauNs: f64, exact: bool,
  skipsEmpty: bool): f64 {
  const queue = queueAt(ack, i, exact);
  if (skipsEmpty && queue == 0) return NOT_COUNTED;
  if (tauNs == 0 && p.repeatedTimestamp == SKIP_HOP) return NOT_COUNTED;
  let sentBytes = bytesAt(ack, i, exact) - hop.txBytes;
  let queueBytes = min<f64>(queue, hop.queue);
  if (!exact) {
    sentBytes = wrapped(sentBytes + BYTES_SPAN, BYTES_SPAN) * BYTES_UNIT * p.intMultiplier;
    queueBytes = queueBytes * (QUEUE_UNIT * p.intMultiplier);
  }
  hop.keep(timeAt(ack, i, exact), bytesAt(ack, i, exact), queue);
  const lineRateBps = lineRateAt(ack, i, exact);
  if (tauNs < 0 || sentBytes < 0 || lineRateBps <= 0) return NOT_COUNTED;
  const txRateBps = (sentBytes * 8) / (countedNs(tauNs) * 1e-9);
  return txRateBps / lineRateBps + (queueBytes * qp.lineRateBps) / lineRateBps / p.windowBytes;
}

// ---- Steps.

@inline function smooth(p: Parameters, s: State, last: f64, sample: f64, tauNs: f64): f64 {
  if (p.ewma == EWMA_CONSTANT) return last * (1 - p.ewmaBeta) + sample * p.ewmaBeta;
  const baseNs = s.baseRttNs;
  const weight = min<f64>(tauNs, baseNs);
  return (last * (baseNs - weight) + sample * weight) / baseNs;
}

@inline function isMultiplicative(p: Parameters, stage: f64, normalized: f64): bool {
  return normalized >= 1 || stage >= p.maxStage;
}

/** Q after a step from a reference. @param normalized c. */
@inline function step(p: Parameters, s: State, committed: f64, normalized: f64, multiplicative: bool): f64 {
  let base = committed;
  if (multiplicative) {
    base = committed / normalized;
    if (p.numbers == WHOLE_BPS) base = floor<f64>(base);
  }
  return min<f64>(max<f64>(base + s.increment, s.minimum), s.maximum);
}

/** One utilisation, reference and stage for the QP. @returns Q, or NOT_COUNTED. */
@inline function busiestHop(qp: Qp, p: Parameters, s: State, ack: Ack, exact: bool, full: bool): f64 {
  const skipsEmpty = !full && p.sampleFeedback != 0;
  const hopCount: u32 = ack.hopCount;
  let counted = false;
  let largest: f64 = 0;
  let largestNs: f64 = 0;
  for (let i: u32 = 0; i < hopCount; i++) {
    const hop = keptHop(s, i);
    const tauNs = intervalNs(hop, ack, i, exact);
    const utilization = measure(qp, p, hop, ack, i, tauNs, exact, skipsEmpty);
    if (utilization == NOT_COUNTED) continue;
    counted = true;
    if (utilization > largest) {
      largest = utilization;
      largestNs = countedNs(tauNs);
    }
  }
  if (!counted) return NOT_COUNTED;
  s.utilization = smooth(p, s, s.utilization, largest, largestNs);
  const normalized = s.utilization / p.targetUtilization;
  const multiplicative = isMultiplicative(p, s.stage, normalized);
  const quantity = step(p, s, s.committed, normalized, multiplicative);
  if (full) {
    s.committed = quantity;
    s.stage = multiplicative ? 0 : s.stage + 1;
  }
  return quantity;
}

/** A utilisation, reference and stage per hop. @returns the smallest Q, or NOT_COUNTED. */
function slowestHop(qp: Qp, p: Parameters, s: State, ack: Ack, exact: bool, full: bool): f64 {
  const skipsEmpty = !full && p.sampleFeedback != 0;
  const hopCount: u32 = ack.hopCount;
  let counted = false;
  let smallest: f64 = Infinity;
  for (let i: u32 = 0; i < hopCount; i++) {
    const hop = keptHop(s, i);
    const tauNs = intervalNs(hop, ack, i, exact);
    const sample = measure(qp, p, hop, ack, i, tauNs, exact, skipsEmpty);
    let quantity = hop.committed;
    if (sample != NOT_COUNTED) {
      counted = true;
      const utilization = smooth(p, s, hop.utilization, sample, countedNs(tauNs));
      const normalized = utilization / p.targetUtilization;
      const multiplicative = isMultiplicative(p, hop.stage, normalized);
      const next = step(p, s, quantity, normalized, multiplicative);
      if (full) hop.setStep(utilization, next, multiplicative ? 0 : hop.stage + 1);
      else hop.setStep(utilization, quantity, hop.stage);
      quantity = next;
    }
    smallest = min<f64>(quantity, smallest);
  }
  if (!counted) return NOT_COUNTED;
  if (full) s.committed = smallest;
  return smallest;
}

@inline function react(qp: Qp, p: Parameters, s: State, ack: Ack, full: bool): f64 {
  const exact = p.records == RECORDS_EXACT;
  if (p.multiRate != 0) return slowestHop(qp, p, s, ack, exact, full);
  return exact ? busiestHop(qp, p, s, ack, true, full) : busiestHop(qp, p, s, ack, false, full);
}

// ---- Round trips.

@inline function sequenceOf(qp: Qp, value: u32): u32 {
  return qp.sequence != 0 ? value & PSN_MASK : value;
}

@inline function beginsRoundTrip(qp: Qp, s: State, ackSeq: u32): bool {
  if (qp.sequence != 0 && s.isStarted == 0) return true;
  return qp.isNewer(sequenceOf(qp, ackSeq), <u32>s.lastUpdateSeq);
}

/** The running round trip ends with an ACK of what is sent from now on. */
@inline function moveMark(qp: Qp, s: State, sndNxt: u32): void {
  const next = sequenceOf(qp, sndNxt);
  if (s.isStarted == 0 || qp.isNewer(next, <u32>s.lastUpdateSeq)) s.lastUpdateSeq = next;
  s.isStarted = qp.sequence != 0 || s.lastUpdateSeq != 0 ? 1 : 0;
}

// ---- Handlers.

export function roce_open(qp: Qp, parameters: usize, timePs: f64, unused: u32): i32 {
  const p = parametersAt(parameters);
  const s = stateOf(qp);
  const byRate = p.primary == BY_RATE;
  s.baseRttNs = p.baseRttPs / 1000;
  s.minimum = byRate ? p.minRateBps : (p.minRateBps * p.baseRttPs) / PS_BITS_PER_BYTE_SECOND;
  s.maximum = byRate ? qp.lineRateBps : p.windowBytes;
  s.increment = byRate ? p.aiRateBps : p.aiWindowBytes;
  s.committed = s.maximum;
  s.utilization = 1;
  restartHops(s, s.maximum);
  apply(qp, p, s.maximum);
  return USED;
}

export function roce_ack(qp: Qp, parameters: usize, timePs: f64, ack: Ack): i32 {
  const p = parametersAt(parameters);
  const s = stateOf(qp);
  const exact = p.records == RECORDS_EXACT;
  if (<u32>ack.telemetry != (exact ? TELEMETRY_EXACT : TELEMETRY_INT64)) return NO_SIGNAL;
  const full = beginsRoundTrip(qp, s, ack.ackSeq);
  if (!full && p.fastReact == 0) return NOT_USED;
  if (s.isStarted == 0) {
    keepAll(p, s, ack, exact);
    moveMark(qp, s, ack.sndNxt);
    return USED;
  }
  if (<u32>ack.hopCount <= hopLimit(p)) {
    if (p.pathChange == PATH_RESET && isNewPath(s, ack, exact)) {
      keepAll(p, s, ack, exact);
      restartHops(s, p.primary == BY_RATE ? qp.rateBps : qp.windowBytes);
      return USED;
    }
    const quantity = react(qp, p, s, ack, full);
    if (quantity != NOT_COUNTED) apply(qp, p, quantity);
  }
  if (full) moveMark(qp, s, ack.sndNxt);
  return USED;
}
