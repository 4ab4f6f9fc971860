/**
 * The usual ACK of a usual QP: HPCC, parameters plain (plain.ts), time in order.
 *
 * Does what transitions.ts does, to the bit, with two QPs at a step. Whatever is unusual is left to the full step
 * (batch/ack-pairs.ts, which makes the pairs).
 */
import { ACK_SEQ } from '../../../src/abi/ack-layout';
import { CAUSE_ACK, EVENT_ACK, QP_OPEN, QP_PARAMETER_SET_SHIFT, TIME_MAX_PS } from '../../../src/abi/codes';
import { EVENT_ARG, EVENT_KIND_SHIFT, EVENT_QP, EVENT_TIME, EVENT_VALUE_MAX, PARAMETER_SET_BYTES,
  PARAMETER_SETS_ADDRESS } from '../../../src/abi/layout';
import { emitRate, enterSlot, leaveSlot } from '../../memory/actions';
import { ackEvents, ackEventBytes, eventCapacity, flagsOf, hopsOf, parameterSetOf, qpCapacity,
  stateOf } from '../../memory/map';
import { tracing } from '../../trace/ring';
import { isPlain, lows, measurePlain, stepPlain } from './plain';
import { Hpcc, HpccParameterSet } from './record';

/** Bit = parameter sets that are plain ones of HPCC: asked of each ACK, so found out once. */
let plainParameterSets: u32 = 0;

/** Notes whether a parameter set of HPCC is plain: none is under a trace. It has no table. */
export function prepare(p: usize, table: usize): usize {
  const bit: u32 = 1 << <u32>((p - PARAMETER_SETS_ADDRESS) / PARAMETER_SET_BYTES);
  const plain = !tracing && isPlain(changetype<HpccParameterSet>(p));
  plainParameterSets = plain ? plainParameterSets | bit : plainParameterSets & ~bit;
  return table;
}

/** Is this a plain parameter set of HPCC? */
@inline export function isPlainSet(set: u32): bool {
  return (plainParameterSets & (1 << set)) != 0;
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
@inline export function measureUsual(event: usize): v128 {
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

/** The step of an event's QP by itself. */
@inline export function stepAlone(event: usize, measured: v128): void {
  step(event, event, measured, measured);
}

/** The steps of two events' QPs. */
@inline export function stepTwo(first: usize, second: usize, measuredA: v128, measuredB: v128): void {
  step(first, second, measuredA, measuredB);
}

/** One step of the QPs of two events, or of one event twice, and their new rates to the host. */
function step(first: usize, second: usize, measuredA: v128, measuredB: v128): void {
  const qpA = load<u32>(first, EVENT_QP);
  const qpB = load<u32>(second, EVENT_QP);
  const a = hpccOf(qpA);
  const b = hpccOf(qpB);
  const beforeA = a.rateBps;
  const beforeB = b.rateBps;
  const rates = stepPlain(parameterSetOfHpcc(flagsOf(qpA)), a, b, sequencesOf(first, second), measuredA, measuredB);
  resolve(first, qpA, a, f64x2.extract_lane(rates, 0), beforeA);
  if (first != second) resolve(second, qpB, b, f64x2.extract_lane(rates, 1), beforeB);
}

/** {ackSeq, sndNxt}, with which an AckEvent begins, of two events. */
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
