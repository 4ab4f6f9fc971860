/**
 * Runs of acknowledgements for the event loop, and in them the usual ACK of a usual QP: HPCC, parameters plain
 * (cc/hpcc-plain.ts), time in order.
 *
 * Does what acknowledgements.ts does, to the bit and in the same order of actions, with two QPs at a step: an ACK that was
 * measured waits for the next one. Whatever is unusual is left to that file, after the ACK that waits.
 */
import { ACK_SEQ, ALGORITHM_HPCC } from '../../src/abi/ack-layout';
import { CAUSE_ACK, EVENT_ACK, OUTCOME_ACK_APPLIED, PROFILE_COUNT, QP_OPEN, QP_PROFILE_SHIFT, TIME_MAX_PS } from '../../src/abi/codes';
import { COUNTER_OUTCOMES, EVENT_ARG, EVENT_BYTES, EVENT_KIND_SHIFT, EVENT_QP, EVENT_TIME, EVENT_VALUE_MAX } from '../../src/abi/layout';
import { isPlain, lows, measurePlain, stepPlain } from '../cc/hpcc-plain';
import { Hpcc, HpccProfile } from '../cc/hpcc-state';
import { emitRate } from '../memory/actions';
import { count, countOutcome } from '../memory/counters';
import { ackEvents, ackEventBytes, eventCapacity, flagsOf, profileOf, qpCapacity, stateOf } from '../memory/map';
import { tracing } from '../trace/ring';
import { acknowledgedPacket, hopsOf } from './acknowledgements';

/** Bit = parameter sets that are plain ones of HPCC: asked of each ACK, so found out once. */
let plainProfiles: u32 = 0;

/** Parameter sets were configured. */
export function findPlainProfiles(): void {
  plainProfiles = 0;
  for (let profile: u32 = 0; profile < <u32>PROFILE_COUNT && !tracing; profile++) {
    const flags = profile << QP_PROFILE_SHIFT;
    if (profileOf(flags).algorithm == ALGORITHM_HPCC && isPlain(profileOfHpcc(flags))) plainProfiles |= 1 << profile;
  }
}

/** Applies the ACK events from `from` on, up to the first event that is none, or `end`; returns where it stands. */
export function acknowledgedRun(from: usize, end: usize): usize {
  let waiting: usize = 0;
  let waitingFlags: u32 = 0;
  let waited = f64x2.splat(0);
  let others: u32 = 0;
  let at = from;
  for (; at < end && load<u32>(at, EVENT_ARG) >> EVENT_KIND_SHIFT == EVENT_ACK; at += EVENT_BYTES) {
    const qp = load<u32>(at, EVENT_QP);
    const flags = qp < qpCapacity ? flagsOf(qp) : 0;
    if (waiting && (flags != waitingFlags || load<u32>(waiting, EVENT_QP) == qp)) waiting = stepAlone(waiting, waited);
    const measured = isPlainHpcc(flags) ? measure(at, qp, flags) : f64x2.splat(-1);
    if (f64x2.extract_lane(measured, 0) < 0) {
      if (waiting) waiting = stepAlone(waiting, waited);
      countOutcome(acknowledgedPacket(qp, load<f64>(at, EVENT_TIME), indexOf(at)));
      others++;
    } else if (waiting) {
      stepTwo(waiting, at, waited, measured);
      waiting = 0;
    } else {
      waiting = at;
      waitingFlags = flags;
      waited = measured;
    }
  }
  if (waiting) stepAlone(waiting, waited);
  count(COUNTER_OUTCOMES + OUTCOME_ACK_APPLIED, <f64>(<u32>((at - from) / EVENT_BYTES) - others));
  return at;
}

/** Are these the flags of an open QP with a plain parameter set of HPCC? */
@inline function isPlainHpcc(flags: u32): bool {
  return (flags & QP_OPEN) != 0 && (plainProfiles & (1 << (flags >> QP_PROFILE_SHIFT))) != 0;
}

@inline function profileOfHpcc(flags: u32): HpccProfile {
  return changetype<HpccProfile>(changetype<usize>(profileOf(flags)));
}

/** Which AckEvent record belongs to an event. */
@inline function indexOf(event: usize): u32 {
  return load<u32>(event, EVENT_ARG) & EVENT_VALUE_MAX;
}

@inline function recordOf(event: usize): usize {
  return ackEvents + <usize>indexOf(event) * ackEventBytes;
}

@inline function hpccOf(qp: u32): Hpcc {
  return changetype<Hpcc>(changetype<usize>(stateOf(qp)));
}

/** As `measurePlain`, with the checks of the event. */
@inline function measure(event: usize, qp: u32, flags: u32): v128 {
  const q = hpccOf(qp);
  const timePs = load<f64>(event, EVENT_TIME);
  if (!(timePs >= q.lastEventPs) || timePs > TIME_MAX_PS || indexOf(event) >= eventCapacity) return f64x2.splat(-1);
  return measurePlain(q, profileOfHpcc(flags), hopsOf(qp), recordOf(event));
}

/** The step of an event's QP by itself; returns 0: nothing waits. */
function stepAlone(event: usize, measured: v128): usize {
  stepTwo(event, event, measured, measured);
  return 0;
}

/** One step of the QPs of two events, or of one event twice, and their new rates to the host. */
function stepTwo(first: usize, second: usize, measuredA: v128, measuredB: v128): void {
  const qpA = load<u32>(first, EVENT_QP);
  const qpB = load<u32>(second, EVENT_QP);
  const a = hpccOf(qpA);
  const b = hpccOf(qpB);
  const beforeA = a.rateBps;
  const beforeB = b.rateBps;
  const rates = stepPlain(profileOfHpcc(flagsOf(qpA)), a, b, sequencesOf(first, second), measuredA, measuredB);
  settle(first, qpA, a, f64x2.extract_lane(rates, 0), beforeA);
  if (first != second) settle(second, qpB, b, f64x2.extract_lane(rates, 1), beforeB);
}

/** {ackSeq, sndNxt}, with which an AckEvent begins, of two events. */
@inline function sequencesOf(first: usize, second: usize): v128 {
  return lows(v128.load(recordOf(first), ACK_SEQ), v128.load(recordOf(second), ACK_SEQ));
}

@inline function settle(event: usize, qp: u32, q: Hpcc, rateBps: f64, beforeBps: f64): void {
  const timePs = load<f64>(event, EVENT_TIME);
  q.lastEventPs = timePs;
  emitRate(timePs, qp, CAUSE_ACK, rateBps, beforeBps);
}
