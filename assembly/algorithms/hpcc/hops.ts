/**
 * HPCC's hops: computes u' from two records of one hop, and stores the newer one.
 *
 *   exact   {time ps, txBytes, qlen bytes, line rate} in full precision, up to 16 hops
 *   int64   raw fields of the reference simulator's 64-bit record, up to 5 hops: line rate code (25 Gb/s 2^code, code
 *           up to 4), time (ns mod 2^24), bytes (128 m bytes, mod 2^20), queue (80 m bytes); differences are modular
 *
 *   u' = (sentBytes 8) / (tau 1e-9) / B + minQlen L / B / W0       (that order of operations)
 *
 * An update ignores a hop whose queue is empty (sampleFeedback, except in full updates) or whose time has not changed
 * (skip-hop); its older record stays. It also ignores a hop, but replaces its record, if time or bytes run backwards
 * or the line rate is not above 0.
 *
 * Citation  Li et al., SIGCOMM 2019, section 3; alibaba-edu/High-Precision-Congestion-Control at 9f4be2a;
 *           readable model: src/reference/algorithms/hpcc/hops.ts and update.ts.
 * Form      Loops pass a constant `exact`, so that each loop is compiled for one kind of record. Stored
 *           fields are doubles for both kinds: no conversion can trap, and two hops fit one vector.
 */
import { ACK_HOP_BYTES, ACK_HOP_COUNT, ACK_HOPS, ACK_PATH_ID, HOP_RECORD_BYTES } from '../../../src/abi/ack-layout';
import { TRACING, tracing } from '../../trace/ring';
import { noteHop } from './explain';
import { ExactHop, hopStep, HpccParameterSet, KeptHop, RawHop, REPEATED_SKIP_HOP } from './record';
import { Hpcc } from '../../records/controllers';

/** u' of an ignored hop; lower than any measured one. */
export const NOT_COUNTED: f64 = -Infinity;

const PS_PER_NS: f64 = 1000;
const SECONDS_PER_NS: f64 = 1e-9;
const TIME_SPAN: f64 = 16777216.0;
const BYTES_SPAN: f64 = 1048576.0;
const BYTES_UNIT: f64 = 128;
const QLEN_UNIT: f64 = 80;
const LOWEST_RATE_BPS: f64 = 25e9;
const CODE_MAX: u32 = 4;
/** Line rate code that only ConWeave's simulator uses. */
const CODE_OF_40G: u32 = 5;
const RATE_OF_40G_BPS: f64 = 40e9;

@inline export function keptHop(hops: usize, index: u32): KeptHop {
  return changetype<KeptHop>(hops + <usize>index * HOP_RECORD_BYTES);
}

/** Number of hops passed; exceeds the number of records if slots were overwritten. */
@inline export function hopCountOf(record: usize): u32 {
  return load<u8>(record, ACK_HOP_COUNT);
}

/** Address of a hop's record in an AckEvent. */
@inline export function hopRecord(record: usize, index: u32): usize {
  return record + ACK_HOPS + <usize>index * ACK_HOP_BYTES;
}

/** The remainder of a sum by a power of two, with the sign of the sum; exact for whole numbers below 2^53. */
@inline function wrapped(sum: f64, span: f64): f64 {
  return sum - span * trunc<f64>(sum * (1 / span));
}

/** Time from the stored record to the new one, nanoseconds; negative if exact times run backwards. */
@inline export function intervalNs(exact: bool, hop: KeptHop, sample: usize): f64 {
  if (exact) return (changetype<ExactHop>(sample).timePs - hop.time) / PS_PER_NS;
  return wrapped(<f64>changetype<RawHop>(sample).time - hop.time + TIME_SPAN, TIME_SPAN);
}

/** The interval to use: at least 1 ns, since 0 remains only under one-nanosecond. */
@inline export function countedNs(tauNs: f64): f64 {
  return tauNs == 0 ? 1 : tauNs;
}

/** B, bits per second; 0 for a code without a rate. */
@inline function rateOfCode(code: u32): f64 {
  if (code > CODE_MAX) return code == CODE_OF_40G ? RATE_OF_40G_BPS : 0;
  return LOWEST_RATE_BPS * <f64>(1 << code);
}

/**
 * u' of one hop, whose record is replaced; NOT_COUNTED if the hop is ignored.
 *
 * @param tauNs its `intervalNs`. @param passesEmpty whether this update ignores hops with an empty queue.
 */
@inline export function measureHop(p: HpccParameterSet, exact: bool, hop: KeptHop, sample: usize, tauNs: f64,
  passesEmpty: bool): f64 {
  const qlen = exact ? changetype<ExactHop>(sample).qlenBytes : <f64>changetype<RawHop>(sample).qlen;
  if (passesEmpty && qlen == 0) return NOT_COUNTED;
  if (tauNs == 0 && p.repeatedTimestamp == REPEATED_SKIP_HOP) return NOT_COUNTED;
  let sentBytes: f64;
  let minQlenBytes = qlen < hop.qlen ? qlen : hop.qlen;
  let lineRateBps: f64;
  if (exact) {
    sentBytes = changetype<ExactHop>(sample).txBytes - hop.txBytes;
    lineRateBps = changetype<ExactHop>(sample).lineRateBps;
  } else {
    const units = wrapped(<f64>changetype<RawHop>(sample).bytes - hop.txBytes + BYTES_SPAN, BYTES_SPAN);
    sentBytes = units * BYTES_UNIT * p.intMultiplier;
    minQlenBytes = minQlenBytes * (QLEN_UNIT * p.intMultiplier);
    lineRateBps = rateOfCode(changetype<RawHop>(sample).lineRateCode);
  }
  keepRecord(exact, hop, sample);
  if (tauNs < 0 || sentBytes < 0 || lineRateBps <= 0) return NOT_COUNTED;
  const txRateBps = (sentBytes * 8) / (countedNs(tauNs) * SECONDS_PER_NS);
  if (TRACING && tracing) noteHop(minQlenBytes, txRateBps, lineRateBps, countedNs(tauNs));
  return txRateBps / lineRateBps + (minQlenBytes * p.maxRateBps) / lineRateBps / p.windowBytes;
}

/** Stores a record; the hop's identity is unchanged. */
@inline function keepRecord(exact: bool, hop: KeptHop, sample: usize): void {
  if (exact) {
    const newer = changetype<ExactHop>(sample);
    hop.time = newer.timePs;
    hop.txBytes = newer.txBytes;
    hop.qlen = newer.qlenBytes;
  } else {
    const newer = changetype<RawHop>(sample);
    hop.time = <f64>newer.time;
    hop.txBytes = <f64>newer.bytes;
    hop.qlen = <f64>newer.qlen;
  }
}

/** Identity of a hop; 0 for 64-bit records, which have none. */
@inline function hopIdOf(exact: bool, record: usize, index: u32): u32 {
  return exact ? changetype<ExactHop>(hopRecord(record, index)).hopId : 0;
}

@inline function pathIdOf(exact: bool, record: usize): u32 {
  return exact ? load<u32>(record, ACK_PATH_ID) : 0;
}

/** Stores the records of an ACK as the starting point, at most `limit` hops. */
export function keepRecords(q: Hpcc, hops: usize, record: usize, exact: bool, limit: u32): void {
  const hopCount = hopCountOf(record);
  q.hopCount = <u8>hopCount;
  q.pathId = pathIdOf(exact, record);
  const kept = hopCount < limit ? hopCount : limit;
  for (let i: u32 = 0; i < kept; i++) {
    const hop = keptHop(hops, i);
    keepRecord(exact, hop, hopRecord(record, i));
    hop.hopId = hopIdOf(exact, record, i);
  }
}

/** Whether the path differs from that of the stored records. Its number of hops has been checked. */
@inline export function isNewPath(q: Hpcc, hops: usize, record: usize, exact: bool): bool {
  const hopCount = hopCountOf(record);
  if (hopCount != <u32>q.hopCount || pathIdOf(exact, record) != q.pathId) return true;
  for (let i: u32 = 0; i < hopCount; i++) {
    if (keptHop(hops, i).hopId != hopIdOf(exact, record, i)) return true;
  }
  return false;
}

/** Initialises all hops with u = 1, this reference and stage 0; their records are unchanged. */
export function restartHops(hops: usize, committed: f64, limit: u32): void {
  for (let i: u32 = 0; i < limit; i++) {
    const step = hopStep(hops, limit, i);
    step.utilization = 1;
    step.committed = committed;
    keptHop(hops, i).incStage = 0;
  }
}
