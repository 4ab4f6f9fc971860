/**
 * The common case of an ACK: HPCC with a parameter set on the fast path (simd.ts) and time in order.
 *
 * Equal bit for bit to transitions.ts, but processes two QPs per step. Every other event takes the full step
 * (batch/ack-pairs.ts, which forms the pairs).
 */
import { ACK_SEQ } from '../../../src/abi/ack-layout';
import { CAUSE_ACK, EVENT_ACK, QP_OPEN, QP_PARAMETER_SET_SHIFT, TIME_MAX_PS } from '../../../src/abi/codes';
import { EVENT_ARG, EVENT_KIND_SHIFT, EVENT_QP, EVENT_TIME, EVENT_VALUE_MAX, PARAMETER_SET_BYTES,
  PARAMETER_SETS_ADDRESS } from '../../../src/abi/layout';
import { emitRate, enterSlot, leaveSlot } from '../../memory/actions';
import { VECTORS } from '../../memory/lanes';
import { ackEvents, ackEventBytes, eventCapacity, flagsOf, hopsOf, parameterSetOf, qpCapacity,
  stateOf } from '../../memory/map';
import { tracing } from '../../trace/ring';
import { hasFastPath, lows, measureFastPath, stepFastPath } from './simd';
import { HpccParameterSet } from './record';
import { Hpcc } from '../../records/controllers';

/** One bit per parameter set: whether it is HPCC's and on the fast path. Determined once, because every ACK needs it. */
let fastParameterSets: u32 = 0;

/** Determines whether an HPCC parameter set takes the fast path: none does under a trace, or without SIMD. Makes no table. */
export function prepare(p: usize, table: usize): usize {
  const bit: u32 = 1 << <u32>((p - PARAMETER_SETS_ADDRESS) / PARAMETER_SET_BYTES);
  const fast = VECTORS && !tracing && hasFastPath(changetype<HpccParameterSet>(p));
  fastParameterSets = fast ? fastParameterSets | bit : fastParameterSets & ~bit;
  return table;
}

/** Whether this is a parameter set of HPCC on the fast path. */
@inline export function isFastSet(set: u32): bool {
  return (fastParameterSets & (1 << set)) != 0;
}

@inline function parameterSetOfHpcc(flags: u32): HpccParameterSet {
  return changetype<HpccParameterSet>(changetype<usize>(parameterSetOf(flags)));
}

/** Index of the AckEvent record of an event. */
@inline function indexOf(event: usize): u32 {
  return load<u32>(event, EVENT_ARG) & EVENT_VALUE_MAX;
}

@inline function recordOf(event: usize): usize {
  return ackEvents + <usize>indexOf(event) * ackEventBytes;
}

@inline function hpccOf(qp: u32): Hpcc {
  return changetype<Hpcc>(changetype<usize>(stateOf(qp)));
}

/** Like `measureFastPath`; also below 0 unless the event is an ACK of an open QP with such a set, in time order. */
@inline export function measureFast(event: usize): v128 {
  const argument = load<u32>(event, EVENT_ARG);
  const qp = load<u32>(event, EVENT_QP);
  const flags = qp < qpCapacity ? flagsOf(qp) : 0;
  const isFastQp = (flags & QP_OPEN) != 0 && isFastSet(flags >> QP_PARAMETER_SET_SHIFT);
  if (argument >> EVENT_KIND_SHIFT != EVENT_ACK || !isFastQp) return f64x2.splat(-1);
  const q = hpccOf(qp);
  const timePs = load<f64>(event, EVENT_TIME);
  if (!(timePs >= q.lastEventPs) || timePs > TIME_MAX_PS || indexOf(event) >= eventCapacity) return f64x2.splat(-1);
  return measureFastPath(q, parameterSetOfHpcc(flags), hopsOf(qp), recordOf(event));
}

/** Executes the step of one event's QP. */
@inline export function stepAlone(event: usize, measured: v128): void {
  step(event, event, measured, measured);
}

/** Executes the steps of two events' QPs. */
@inline export function stepTwo(first: usize, second: usize, measuredA: v128, measuredB: v128): void {
  step(first, second, measuredA, measuredB);
}

/** Executes one step for the QPs of two events, or of one event twice, and reports the new rates to the host. */
function step(first: usize, second: usize, measuredA: v128, measuredB: v128): void {
  const qpA = load<u32>(first, EVENT_QP);
  const qpB = load<u32>(second, EVENT_QP);
  const a = hpccOf(qpA);
  const b = hpccOf(qpB);
  const beforeA = a.rateBps;
  const beforeB = b.rateBps;
  const rates = stepFastPath(parameterSetOfHpcc(flagsOf(qpA)), a, b, sequencesOf(first, second), measuredA, measuredB);
  resolve(first, qpA, a, f64x2.extract_lane(rates, 0), beforeA);
  if (first != second) resolve(second, qpB, b, f64x2.extract_lane(rates, 1), beforeB);
}

/** {ackSeq, sndNxt}, the first fields of an AckEvent, of two events. */
@inline function sequencesOf(first: usize, second: usize): v128 {
  return lows(v128.load(recordOf(first), ACK_SEQ), v128.load(recordOf(second), ACK_SEQ));
}

@inline function resolve(event: usize, qp: u32, q: Hpcc, rateBps: f64, beforeBps: f64): void {
  const timePs = load<f64>(event, EVENT_TIME);
  q.lastEventPs = timePs;
  const slot = enterSlot(event);
  emitRate(timePs, qp, CAUSE_ACK, rateBps, beforeBps);
  leaveSlot(slot);
}
