/**
 * HPCC++'s hops: stored by identity instead of position, since a trace may hold any part of a path.
 *
 *   identity   kind of record, hop, port; a hop without identity is identified by its position in the list
 *   capacity   15 hops; a further one replaces the hop not seen for the longest time
 *
 *   an earlier record of the hop       u' = txRate / B + min(qlen, earlier qlen) / (B T), as HPCC
 *   same timestamp                     hop ignored; the earlier record stays (skip-hop)
 *   time runs backwards                hop ignored; the new record is stored
 *   throughput unknown                 assume-line-rate: u' = 1 + q / (B T) while there is a queue; queue-only: q / (B T)
 *   no earlier record, in an ACK       hop ignored: the next ACK follows soon
 *   no earlier record, in a Fast CNP   like "throughput unknown": it may be the only Fast CNP
 *
 * Citation  docs/reference/sources.md, section HPCC++; src/reference/algorithms/hpcc-pp/hops.ts is the readable model, and
 *           explains when a throughput is unknown.
 * Form      A wasm function returns one number, so a hop's other values are module variables.
 */
import { PLUS_HOPS, PLUS_PLACE_ID, TELEMETRY_EXACT, TELEMETRY_TRACE } from '../../../src/abi/ack-layout';
import { txSpanBytes } from '../../wire/ioam-map';
import { countedNs, NOT_COUNTED } from '../hpcc/hops';
import { FIRST_ASSUME_LINE_RATE, plusHop, HpccPpHop, HpccPpParameterSet } from './record';
import { ExactHop, REPEATED_SKIP_HOP } from '../hpcc/record';
import { Hpcc } from '../../records/controllers';
import { TRACE_RATE_SLACK, TRACE_SECOND_PS, TRACE_SPAN_PS } from '../../records/telemetry';

const PS_PER_NS: f64 = 1000;
const SECONDS_PER_NS: f64 = 1e-9;
/** Represents an unknown number of bytes. */
const NOT_KNOWN: f64 = -1;

/** Results of the last `measurePlusHop`: interval, throughput (measured or assumed), and the shorter of the two queues. */
export let measuredNs: f64 = 0;
export let measuredTxBps: f64 = 0;
export let measuredQlenBytes: f64 = 0;
/** Whether hops are missing in this signal, or the throughput of one was not measured. */
export let isIncomplete: bool = false;

/** Initialises `isIncomplete` for a new signal. */
@inline export function beginSignal(partial: bool): void {
  isIncomplete = partial;
}

/** u' of one hop, whose record is stored; NOT_COUNTED if it is ignored. @param place its position in the list. */
export function measurePlusHop(q: Hpcc, p: HpccPpParameterSet, hops: usize, sample: ExactHop, kind: u32, place: u32,
  timePs: f64, notified: bool): f64 {
  if (!(sample.lineRateBps > 0)) {
    isIncomplete = true;
    return NOT_COUNTED;
  }
  const hopId = kind == TELEMETRY_EXACT && sample.hopId == 0 ? <u32>PLUS_PLACE_ID + place : sample.hopId;
  const known = findHop(hops, q.hopCount, kind, hopId, sample.portId);
  if (known != PLUS_HOPS) return measureKnown(p, plusHop(hops, known), kind, sample, timePs);
  const index = placeForHop(hops, q.hopCount);
  const hop = plusHop(hops, index);
  hop.kind = kind;
  hop.hopId = hopId;
  hop.portId = sample.portId;
  keep(hop, sample, timePs);
  if (index >= q.hopCount) q.hopCount = <u8>(index + 1);
  isIncomplete = true;
  return notified ? estimate(p, sample.lineRateBps, sample.qlenBytes) : NOT_COUNTED;
}

/** Index of the stored hop, PLUS_HOPS if there is none. */
function findHop(hops: usize, count: u32, kind: u32, hopId: u32, portId: u32): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const hop = plusHop(hops, i);
    if (hop.kind == kind && hop.hopId == hopId && hop.portId == portId) return i;
  }
  return PLUS_HOPS;
}

/** Slot for a new hop: the next free one, or that of the hop not seen for the longest time. */
function placeForHop(hops: usize, count: u32): u32 {
  if (count < <u32>PLUS_HOPS) return count;
  let oldest: u32 = 0;
  for (let i: u32 = 1; i < <u32>PLUS_HOPS; i++) if (plusHop(hops, i).seenPs < plusHop(hops, oldest).seenPs) oldest = i;
  return oldest;
}

@inline function keep(hop: HpccPpHop, sample: ExactHop, timePs: f64): void {
  hop.time = sample.timePs;
  hop.txBytes = sample.txBytes;
  hop.qlen = sample.qlenBytes;
  hop.seenPs = timePs;
}

function measureKnown(p: HpccPpParameterSet, hop: HpccPpHop, kind: u32, sample: ExactHop, timePs: f64): f64 {
  const intervalNs = timeBetween(kind, hop.time, sample.timePs) / PS_PER_NS;
  if (intervalNs == 0 && p.repeatedTimestamp == REPEATED_SKIP_HOP) return NOT_COUNTED;
  const tauNs = countedNs(intervalNs);
  const qlenBytes = min<f64>(sample.qlenBytes, hop.qlen);
  const sentBytes = bytesBetween(kind, hop.txBytes, sample, tauNs);
  keep(hop, sample, timePs);
  if (intervalNs < 0) return NOT_COUNTED;
  if (sentBytes < 0) {
    isIncomplete = true;
    return estimate(p, sample.lineRateBps, qlenBytes);
  }
  const txRateBps = (sentBytes * 8) / (tauNs * SECONDS_PER_NS);
  measuredNs = tauNs;
  measuredTxBps = txRateBps;
  measuredQlenBytes = qlenBytes;
  return txRateBps / sample.lineRateBps + queueingOf(p, sample.lineRateBps, qlenBytes);
}

/** u' of a hop whose throughput is unknown, weighted like a sample of a whole round trip. */
@inline function estimate(p: HpccPpParameterSet, lineRateBps: f64, qlenBytes: f64): f64 {
  const queueing = queueingOf(p, lineRateBps, qlenBytes);
  const isBusy = p.firstSample == FIRST_ASSUME_LINE_RATE && qlenBytes > 0;
  measuredNs = p.baseRttNs;
  measuredTxBps = isBusy ? lineRateBps : 0;
  measuredQlenBytes = qlenBytes;
  return isBusy ? 1 + queueing : queueing;
}

@inline function queueingOf(p: HpccPpParameterSet, lineRateBps: f64, qlenBytes: f64): f64 {
  return (qlenBytes * p.maxRateBps) / lineRateBps / p.windowBytes;
}

/** Picoseconds from one time to another; negative if time runs backwards. */
@inline function timeBetween(kind: u32, fromPs: f64, toPs: f64): f64 {
  const differencePs = toPs - fromPs;
  if (kind == TELEMETRY_EXACT) return differencePs;
  const spanPs: f64 = kind == TELEMETRY_TRACE ? <f64>TRACE_SPAN_PS : <f64>TRACE_SECOND_PS;
  const aheadPs = differencePs < 0 ? differencePs + spanPs : differencePs;
  return aheadPs > spanPs / 2 ? aheadPs - spanPs : aheadPs;
}

/** Bytes sent in an interval; negative if unknown. */
@inline function bytesBetween(kind: u32, fromBytes: f64, sample: ExactHop, tauNs: f64): f64 {
  if (fromBytes < 0 || sample.txBytes < 0) return NOT_KNOWN;
  const differenceBytes = sample.txBytes - fromBytes;
  if (kind == TELEMETRY_EXACT) return differenceBytes;
  const lineBytes = (sample.lineRateBps * (tauNs * SECONDS_PER_NS)) / 8;
  const sentBytes = differenceBytes < 0 ? differenceBytes + txSpanBytes : differenceBytes;
  return lineBytes >= txSpanBytes || sentBytes > lineBytes * TRACE_RATE_SLACK ? NOT_KNOWN : sentBytes;
}
