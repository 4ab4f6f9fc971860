/**
 * The usual ACK of a usual QP: HPCC, parameters plain (algorithms/hpcc/plain.ts), time in order.
 *
 * Does what acknowledgements.ts does, to the bit, with two QPs at a step: an ACK that was measured waits for the next one.
 * Whatever is unusual is left to qp-event.ts.
 */
import { ACK_SEQ, ALGORITHM_HPCC } from '../../src/abi/ack-layout';
import { CAUSE_ACK, EVENT_ACK, OUTCOME_ACK_APPLIED, PARAMETER_SET_COUNT, QP_OPEN, QP_PARAMETER_SET_SHIFT,
  TIME_MAX_PS } from '../../src/abi/codes';
import { COUNTER_OUTCOMES, EVENT_ARG, EVENT_BYTES, EVENT_KIND_SHIFT, EVENT_QP, EVENT_TIME,
  EVENT_VALUE_MAX } from '../../src/abi/layout';
import { isPlain, lows, measurePlain, stepPlain } from '../algorithms/hpcc/plain';
import { Hpcc, HpccParameterSet } from '../algorithms/hpcc/record';
import { beginSlots, emitRate, enterSlot, isSlotted, leaveSlot } from '../memory/actions';
import { count, countOutcome } from '../memory/counters';
import { ackEvents, ackEventBytes, eventCapacity, flagsOf, parameterSetOf, qpCapacity, scratch,
  stateOf } from '../memory/map';
import { tracing } from '../trace/ring';
import { hopsOf } from './acknowledgements';
import { qpEvent } from './qp-event';

/** Where the run of events begins, and a byte for each of its slots: what it told. */
let run: usize = 0;
let toldOf: usize = 0;
/** Bit = parameter sets that are plain ones of HPCC: asked of each ACK, so found out once. */
let plainParameterSets: u32 = 0;

/** Parameter sets were configured. */
export function findPlainParameterSets(): void {
  plainParameterSets = 0;
  for (let parameterSet: u32 = 0; parameterSet < <u32>PARAMETER_SET_COUNT && !tracing; parameterSet++) {
    const flags = parameterSet << QP_PARAMETER_SET_SHIFT;
    if (parameterSetOf(flags).algorithm == ALGORITHM_HPCC && isPlain(parameterSetOfHpcc(flags)))
      plainParameterSets |= 1 << parameterSet;
  }
}

/** Is this a plain parameter set of HPCC? */
@inline export function isPlainSet(set: u32): bool {
  return (plainParameterSets & (1 << set)) != 0;
}

/**
 * Applies events of one plain parameter set, those at `places` (a byte each) of the run of events that begins at `from`:
 * each in its slot, or in order where there are no slots. `told`: a byte for each slot of the run.
 */
export function acknowledgedGroup(from: usize, places: usize, size: u32, told: usize): void {
  run = from;
  toldOf = told;
  let waiting: usize = 0;
  let waited = f64x2.splat(0);
  let others: u32 = 0;
  for (let i: usize = 0; i < <usize>size; i++) {
    const at = from + <usize>load<u8>(places + i) * EVENT_BYTES;
    if (waiting && load<u32>(waiting, EVENT_QP) == load<u32>(at, EVENT_QP)) waiting = stepAlone(waiting, waited);
    const measured = measureUsual(at);
    if (f64x2.extract_lane(measured, 0) < 0) {
      if (waiting && !isSlotted) waiting = stepAlone(waiting, waited);
      applyUnusual(at);
      others++;
    } else if (waiting) {
      stepTwo(waiting, at, waited, measured);
      waiting = 0;
    } else {
      waiting = at;
      waited = measured;
    }
  }
  if (waiting) stepAlone(waiting, waited);
  count(COUNTER_OUTCOMES + OUTCOME_ACK_APPLIED, <f64>(size - others));
}

/** Applies one ACK event that is a batch of its own. */
export function acknowledgedAlone(event: usize): void {
  beginSlots(false);
  run = event;
  toldOf = scratch;
  const measured = measureUsual(event);
  if (f64x2.extract_lane(measured, 0) < 0) {
    applyUnusual(event);
  } else {
    stepAlone(event, measured);
    countOutcome(OUTCOME_ACK_APPLIED);
  }
}

@inline function parameterSetOfHpcc(flags: u32): HpccParameterSet {
  return changetype<HpccParameterSet>(changetype<usize>(parameterSetOf(flags)));
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

/** As `measurePlain`; below 0 as well for any event but the ACK of an open QP with a plain set, in time. */
@inline function measureUsual(event: usize): v128 {
  const argument = load<u32>(event, EVENT_ARG);
  const qp = load<u32>(event, EVENT_QP);
  const flags = qp < qpCapacity ? flagsOf(qp) : 0;
  const isPlainQp = (flags & QP_OPEN) != 0 && isPlainSet(flags >> QP_PARAMETER_SET_SHIFT);
  if (argument >> EVENT_KIND_SHIFT != EVENT_ACK || !isPlainQp) return f64x2.splat(-1);
  const q = hpccOf(qp);
  const timePs = load<f64>(event, EVENT_TIME);
  if (!(timePs >= q.lastEventPs) || timePs > TIME_MAX_PS || indexOf(event) >= eventCapacity) return f64x2.splat(-1);
  return measurePlain(q, parameterSetOfHpcc(flags), hopsOf(qp), recordOf(event));
}

function applyUnusual(event: usize): void {
  const argument = load<u32>(event, EVENT_ARG);
  const timePs = load<f64>(event, EVENT_TIME);
  const slot = slotOf(event);
  enterSlot(slot);
  countOutcome(qpEvent(argument >> EVENT_KIND_SHIFT, load<u32>(event, EVENT_QP), timePs, argument & EVENT_VALUE_MAX));
  store<u8>(toldOf + slot, <u8>leaveSlot(slot));
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
  const rates = stepPlain(parameterSetOfHpcc(flagsOf(qpA)), a, b, sequencesOf(first, second), measuredA, measuredB);
  settle(first, qpA, a, f64x2.extract_lane(rates, 0), beforeA);
  if (first != second) settle(second, qpB, b, f64x2.extract_lane(rates, 1), beforeB);
}

/** {ackSeq, sndNxt}, with which an AckEvent begins, of two events. */
@inline function sequencesOf(first: usize, second: usize): v128 {
  return lows(v128.load(recordOf(first), ACK_SEQ), v128.load(recordOf(second), ACK_SEQ));
}

@inline function slotOf(event: usize): u32 {
  return <u32>((event - run) / EVENT_BYTES);
}

@inline function settle(event: usize, qp: u32, q: Hpcc, rateBps: f64, beforeBps: f64): void {
  const timePs = load<f64>(event, EVENT_TIME);
  const slot = slotOf(event);
  q.lastEventPs = timePs;
  enterSlot(slot);
  emitRate(timePs, qp, CAUSE_ACK, rateBps, beforeBps);
  store<u8>(toldOf + slot, <u8>leaveSlot(slot));
}
