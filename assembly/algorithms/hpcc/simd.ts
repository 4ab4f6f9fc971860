/**
 * HPCC's common case without data-dependent branches: one utilisation per QP, exact records of the stored path, and a new
 * timestamp for each hop.
 *
 * Which hop is the busiest, whether a step is multiplicative and whether an ACK is a full update are unpredictable,
 * and a mispredicted branch costs more than computing both sides. So everything is computed in the two lanes of a
 * vector, with the operations of hops.ts, steps.ts and update.ts in the same order, and selected by masks:
 *
 *   measure   two hops of an ACK at a time (an odd last hop is used twice); in a pair the second is the busier one if its
 *             u' is strictly larger, and a pair is busier than earlier ones if its u' is strictly larger, above 0
 *   step      two ACKs of different QPs at a time (a single one is used twice): smooth, decide, commit, rate and gap;
 *             reference, stage and mark are always written, changed or not
 *
 * `measureFastPath` writes nothing until it knows that the ACK is a common one. If a hop is of another path, has no interval
 * above 0 or runs backwards, nothing is changed and the ACK takes the general path (transitions.ts), as do parameter
 * sets that `hasFastPath` excludes. Measured in bench/RESULTS.md.
 *
 * Citation  That of transitions.ts, which defines the effect of an ACK; this file must agree with it bit for bit.
 */
import { ACK_ECN_ECHO, ACK_HOP_BYTES, ACK_HOP_COUNT, ACK_HOPS, ACK_PATH_ID, ACK_TELEMETRY, EXACT_HOPS_MAX,
  HOP_RECORD_BYTES, TELEMETRY_EXACT } from '../../../src/abi/ack-layout';
import { ExactHop, HpccParameterSet, KeptHop, PRIMARY_RATE } from './record';
import { WINDOW_FIXED, WINDOW_NONE } from '../rate-numbers';
import { SEQUENCE_PSN24 } from '../round-trip';
import { CONTROLLER_STARTED, HPCC_STATE_UTILIZATION, Hpcc } from '../../records/controllers';

const PS_PER_NS: f64 = 1000;
const SECONDS_PER_NS: f64 = 1e-9;
const BITS_PER_BYTE: f64 = 8;
const PS_BITS_PER_BYTE_SECOND: f64 = 8e12;
const PSN_MASK: u32 = 0xffffff;
/** Shifts a 24-bit difference to the top, so that its sign bit is the word's. */
const PSN_SHIFT: u32 = 8;
/** ACK_TELEMETRY and ACK_HOP_COUNT in the word from ACK_ECN_ECHO on. */
const TELEMETRY_SHIFT: u32 = (ACK_TELEMETRY - ACK_ECN_ECHO) * 8;
const HOP_COUNT_SHIFT: u32 = (ACK_HOP_COUNT - ACK_ECN_ECHO) * 8;
const SIGNAL_MASK: u32 = (0xff << TELEMETRY_SHIFT) | (0xff << HOP_COUNT_SHIFT);

/** Whether the fast path supports a parameter set: the listed words and switches are all 0. */
export function hasFastPath(p: HpccParameterSet): bool {
  const at = changetype<usize>(p);
  const others = load<u64>(at, offsetof<HpccParameterSet>('numbers')) |
    load<u64>(at, offsetof<HpccParameterSet>('sendGap')) |
    load<u64>(at, offsetof<HpccParameterSet>('multiRate')) |
    load<u64>(at, offsetof<HpccParameterSet>('sampleFeedback')) |
    load<u64>(at, offsetof<HpccParameterSet>('ewma')) |
    load<u64>(at, offsetof<HpccParameterSet>('records')) |
    load<u64>(at, offsetof<HpccParameterSet>('pathChange'));
  return others == 0 && p.fastReact != 0 && p.sequence == SEQUENCE_PSN24;
}

/**
 * Measures the busiest hop, and stores the records of all hops.
 *
 * @returns lane 0: its u', lane 1: its interval in ns; u' is below 0 if the ACK is not a common one and nothing was done.
 */
@inline export function measureFastPath(q: Hpcc, p: HpccParameterSet, hops: usize, record: usize): v128 {
  const hopCount = <u32>q.hopCount;
  const signal = load<u32>(record, ACK_ECN_ECHO) & SIGNAL_MASK;
  const others = (signal ^ ((TELEMETRY_EXACT << TELEMETRY_SHIFT) | (hopCount << HOP_COUNT_SHIFT))) |
    (load<u32>(record, ACK_PATH_ID) ^ q.pathId) | (~q.flags & CONTROLLER_STARTED);
  if (others | <u32>(hopCount - 1 >= <u32>EXACT_HOPS_MAX)) return f64x2.splat(-1);

  const zero = f64x2.splat(0);
  const nsPerPs = f64x2.splat(PS_PER_NS);
  const maxRate = v128.load64_splat(changetype<usize>(p), offsetof<HpccParameterSet>('maxRateBps'));
  const window = v128.load64_splat(changetype<usize>(p), offsetof<HpccParameterSet>('windowBytes'));
  let largest = zero;
  let largestNs = zero;
  let isCommon = i64x2.splat(-1);
  let hopIds: u32 = 0;
  const first = record + ACK_HOPS;
  const last = first + (<usize>hopCount - 1) * ACK_HOP_BYTES;
  let kept = hops;
  for (let at = first; at <= last; at += 2 * ACK_HOP_BYTES) {
    const more = <usize>u32(at < last);
    const atB = at + more * ACK_HOP_BYTES;
    const keptB = kept + more * HOP_RECORD_BYTES;
    hopIds |= changetype<ExactHop>(at).hopId ^ changetype<KeptHop>(kept).hopId;
    hopIds |= changetype<ExactHop>(atB).hopId ^ changetype<KeptHop>(keptB).hopId;

    // Each is {time, bytes} of one hop; `lows` and `highs` turn them into {time, time} and {bytes, bytes}.
    const movedA = f64x2.sub(v128.load(at), v128.load(kept));
    const movedB = f64x2.sub(v128.load(atB), v128.load(keptB));
    const tauNs = f64x2.div(lows(movedA, movedB), nsPerPs);
    const sentBytes = highs(movedA, movedB);
    const queueA = v128.load(at, offsetof<ExactHop>('qlenBytes'));
    const queueB = v128.load(atB, offsetof<ExactHop>('qlenBytes'));
    const lineRate = highs(queueA, queueB);
    const before = lows(v128.load(kept, offsetof<KeptHop>('qlen')), v128.load(keptB, offsetof<KeptHop>('qlen')));
    const minQlen = f64x2.pmin(before, lows(queueA, queueB));

    const txRate = f64x2.div(f64x2.mul(sentBytes, f64x2.splat(BITS_PER_BYTE)),
      f64x2.mul(tauNs, f64x2.splat(SECONDS_PER_NS)));
    const queued = f64x2.div(f64x2.div(f64x2.mul(minQlen, maxRate), lineRate), window);
    const utilization = f64x2.add(f64x2.div(txRate, lineRate), queued);
    isCommon = v128.and(isCommon, v128.and(f64x2.gt(tauNs, zero), f64x2.ge(sentBytes, zero)));
    isCommon = v128.and(isCommon, v128.and(f64x2.gt(lineRate, zero), f64x2.ge(utilization, zero)));

    const isSecond = f64x2.gt(highs(utilization, utilization), utilization);
    const pairs = v128.bitselect(highs(utilization, utilization), utilization, isSecond);
    const pairsNs = v128.bitselect(highs(tauNs, tauNs), tauNs, isSecond);
    const isLarger = f64x2.gt(pairs, largest);
    largest = v128.bitselect(pairs, largest, isLarger);
    largestNs = v128.bitselect(pairsNs, largestNs, isLarger);
    kept += 2 * HOP_RECORD_BYTES;
  }
  if (hopIds | <u32>(i64x2.bitmask(isCommon) != 3)) return f64x2.splat(-1);
  keepAll(hops, first, last);
  return lows(largest, largestNs);
}

/** The low lanes of two vectors. */
@inline export function lows(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
}

/** The high lanes of two vectors. */
@inline function highs(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
}

/** Stores the record of each hop; identities are unchanged. */
@inline function keepAll(hops: usize, first: usize, last: usize): void {
  let hop = hops;
  for (let at = first; at <= last; at += ACK_HOP_BYTES) {
    v128.store(hop, v128.load(at));
    store<f64>(hop, load<f64>(at, offsetof<ExactHop>('qlenBytes')), offsetof<KeptHop>('qlen'));
    hop += HOP_RECORD_BYTES;
  }
}

/** A parameter in both lanes. */
@inline function both(p: HpccParameterSet, field: usize): v128 {
  return f64x2.splat(load<f64>(changetype<usize>(p) + field));
}

/**
 * One step of two QPs, or of one twice, with the results of `measureFastPath`.
 *
 * @param sequences {ackSeq, sndNxt} of the first ACK, then of the second.
 * @returns their new rates, bits per second.
 */
@inline export function stepFastPath(p: HpccParameterSet, a: Hpcc, b: Hpcc, sequences: v128, measuredA: v128,
  measuredB: v128): v128 {
  // {R, R_c} and {u, window}
  const rateA = v128.load(changetype<usize>(a));
  const rateB = v128.load(changetype<usize>(b));
  const committed = highs(rateA, rateB);
  const last = lows(v128.load(changetype<usize>(a), HPCC_STATE_UTILIZATION),
    v128.load(changetype<usize>(b), HPCC_STATE_UTILIZATION));
  const roundTrip = both(p, offsetof<HpccParameterSet>('baseRttNs'));
  const weight = f64x2.pmin(roundTrip, highs(measuredA, measuredB));
  const older = f64x2.mul(last, f64x2.sub(roundTrip, weight));
  const smoothed = f64x2.div(f64x2.add(older, f64x2.mul(lows(measuredA, measuredB), weight)), roundTrip);

  const normalized = f64x2.div(smoothed, both(p, offsetof<HpccParameterSet>('targetUtilization')));
  const stages = f64x2.replace_lane(f64x2.splat(<f64>(<u32>a.incStage)), 1, <f64>(<u32>b.incStage));
  const isForced = f64x2.ge(stages, both(p, offsetof<HpccParameterSet>('maxStage')));
  const isMultiplicative = v128.or(f64x2.ge(normalized, f64x2.splat(1)), isForced);
  const base = v128.bitselect(f64x2.div(committed, normalized), committed, isMultiplicative);
  const raised = f64x2.add(base, both(p, offsetof<HpccParameterSet>('stepIncrement')));
  const floored = f64x2.pmax(both(p, offsetof<HpccParameterSet>('stepMinimum')), raised);
  const quantity = f64x2.pmin(both(p, offsetof<HpccParameterSet>('stepMaximum')), floored);

  const fullA = commitPlain(a, i32x4.extract_lane(sequences, 0), i32x4.extract_lane(sequences, 1),
    i32x4.extract_lane(isMultiplicative, 0));
  const isOne = changetype<usize>(a) == changetype<usize>(b);
  const fullB = isOne ?
    fullA :
    commitPlain(b, i32x4.extract_lane(sequences, 2), i32x4.extract_lane(sequences, 3),
      i32x4.extract_lane(isMultiplicative, 2));
  const full = i64x2.replace_lane(i64x2.splat(<i64>(<i32>fullA)), 1, <i64>(<i32>fullB));
  const kept = v128.bitselect(quantity, committed, full);
  const rate = rateOfBoth(p, quantity);
  const window = windowOfBoth(p, quantity, rate);
  paceBoth(a, b, rate, lows(rateA, rateB));
  v128.store(changetype<usize>(a), lows(rate, kept));
  v128.store(changetype<usize>(b), highs(rate, kept));
  v128.store(changetype<usize>(a), lows(smoothed, window), HPCC_STATE_UTILIZATION);
  v128.store(changetype<usize>(b), highs(smoothed, window), HPCC_STATE_UTILIZATION);
  return rate;
}

/** Updates stage and mark of a QP after its step. @returns all bits set if it was a full update, else 0. */
@inline function commitPlain(q: Hpcc, ackSeq: u32, sndNxt: u32, multiplicative: u32): u32 {
  const mark = q.lastUpdateSeq;
  const full = 0 - <u32>(<i32>((ackSeq - mark) << PSN_SHIFT) > 0);
  const stage = <u32>q.incStage;
  q.incStage = <u16>(stage ^ ((stage ^ ((stage + 1) & ~multiplicative)) & full));
  const next = sndNxt & PSN_MASK;
  const isLater = 0 - <u32>(<i32>((next - mark) << PSN_SHIFT) > 0);
  q.lastUpdateSeq = mark ^ ((mark ^ next) & isLater & full);
  return full;
}

@inline function rateOfBoth(p: HpccParameterSet, quantity: v128): v128 {
  if (p.primary == PRIMARY_RATE) return quantity;
  const scaled = f64x2.mul(quantity, f64x2.splat(PS_BITS_PER_BYTE_SECOND));
  return f64x2.pmin(both(p, offsetof<HpccParameterSet>('maxRateBps')),
    f64x2.div(scaled, both(p, offsetof<HpccParameterSet>('baseRttPs'))));
}

@inline function windowOfBoth(p: HpccParameterSet, quantity: v128, rate: v128): v128 {
  if (p.primary != PRIMARY_RATE) return quantity;
  if (p.windowMode == WINDOW_NONE) return f64x2.splat(0);
  const largest = both(p, offsetof<HpccParameterSet>('windowBytes'));
  if (p.windowMode == WINDOW_FIXED) return largest;
  return f64x2.pmax(f64x2.splat(1),
    f64x2.div(f64x2.mul(largest, rate), both(p, offsetof<HpccParameterSet>('maxRateBps'))));
}

/** Adjusts the running gap as if the new rate had applied from its start; by 0 if the rate is unchanged. */
@inline function paceBoth(a: Hpcc, b: Hpcc, rate: v128, oldRate: v128): void {
  const lengths = f64x2.replace_lane(f64x2.splat(<f64>a.lastLenBytes), 1, <f64>b.lastLenBytes);
  const bits = f64x2.mul(lengths, f64x2.splat(PS_BITS_PER_BYTE_SECOND));
  const moved = f64x2.sub(f64x2.ceil(f64x2.div(bits, rate)), f64x2.ceil(f64x2.div(bits, oldRate)));
  const nextA = a.nextSendPs + f64x2.extract_lane(moved, 0);
  const nextB = b.nextSendPs + f64x2.extract_lane(moved, 1);
  a.nextSendPs = nextA;
  b.nextSendPs = nextB;
}
