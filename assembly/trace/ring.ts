/**
 * The trace of rate changes: a ring separate from the action ring, one record per step that changed a rate.
 *
 * Build     ROCE_TRACE (asconfig.json) selects whether a build can trace; the DCQCN-only engine can't and contains none of
 *           this code. In other builds the cost is one test of `tracing`, outside the fast paths.
 * Use       `beginEvent` clears the next free record. The transition fills it where it decides (`because`, `input`),
 *           and `endEvent` keeps it if the rate has changed. If one event makes several steps, `keepStep` keeps each.
 * Bounded   A record that does not fit is counted, in the call's `traceLost` and in a counter; the ring keeps the
 *           earlier ones.
 */
import { QP_BYTES } from '../../src/abi/layout';
import { COUNTER_TRACE_LOST, REGION_TRACE, TRACE_BYTES } from '../../src/abi/trace-layout';
import { TRACE_CAUSE, TRACE_DETAIL, TRACE_FROM, TRACE_HOP, TRACE_INPUTS, TRACE_INPUT_BYTES, TRACE_NO_HOP, TRACE_OTHER,
  TRACE_QP, TRACE_REASON, TRACE_TO } from '../../src/abi/trace-layout';
import { clearActions } from '../memory/actions';
import { count } from '../memory/counters';
import { publish, qps, allocate, capacity } from '../memory/map';
import { CAPACITY_TRACE_RECORDS } from '../records/engine-capacity';

/** Whether this build can trace. */
export const TRACING: bool = isDefined(ROCE_TRACE);
/** Whether this engine traces. */
export let tracing: bool = false;

/** Cause of the event being applied, CAUSE_*. */
export let eventCause: u32 = 0;
/** The QP's rate before the event, or after the last recorded step. */
let knownBps: f64 = 0;

let ring: usize = 0;
let records: u32 = 0;
let written: u32 = 0;
let lost: u32 = 0;

/** Allocates the ring if the engine traces, with one spare record, because a record is filled before it is kept. */
export function allocateTrace(): void {
  checkTraceLayout();
  records = capacity(CAPACITY_TRACE_RECORDS);
  tracing = records != 0;
  if (tracing) publish(REGION_TRACE, ring = allocate((<usize>records + 1) * TRACE_BYTES));
}

export function traceCount(): u32 {
  return written;
}

export function traceLostCount(): u32 {
  return lost;
}

/** Clears the action ring and the trace ring, for a new call. */
@inline export function clearOutputs(): void {
  clearActions();
  if (!TRACING) return;
  written = 0;
  lost = 0;
}

/** Whether half of the ring is free, or nothing is traced: in practice enough for one more QP's changes. */
@inline export function traceRoom(): bool {
  return !tracing || written < (records + 1) >> 1;
}

/** Called before an event is applied to a QP with this rate. The reason is TRACE_OTHER until a transition sets another. */
export function beginEvent(cause: u32, rateBps: f64): void {
  eventCause = cause;
  knownBps = rateBps;
  clearRecord();
}

/** Called after the event; records a rate change that no step has recorded. */
export function endEvent(timePs: f64, qp: u32, rateBps: f64): void {
  keep(timePs, qp, eventCause, rateBps);
}

function clearRecord(): void {
  const at = slot();
  store<u32>(at, TRACE_OTHER | (TRACE_NO_HOP << 24), TRACE_REASON);
  memory.fill(at + TRACE_INPUTS, 0, TRACE_INPUT_BYTES);
}

/** Sets the reason of the coming rate change, TRACE_*. */
export function because(reason: u32): void {
  store<u8>(slot(), <u8>reason, TRACE_REASON);
}

/** Adds details of the step, TRACE_DETAIL_*. */
export function detail(bits: u32): void {
  store<u8>(slot(), <u8>bits, TRACE_DETAIL);
}

/** Sets the deciding hop, by its position on the path. */
export function atHop(place: u32): void {
  store<u8>(slot(), <u8>place, TRACE_HOP);
}

/** Sets one of the step's input values. */
export function input(index: u32, value: f64): void {
  store<f64>(slot() + (<usize>index << 3), value, TRACE_INPUTS);
}

/** Records a step of an event that can make several; `q`: the QP's record. */
export function keepStep(timePs: f64, cause: u32, q: usize, rateBps: f64): void {
  keep(timePs, <u32>((q - qps) / QP_BYTES), cause, rateBps);
  clearRecord();
}

/** Keeps the record if the rate changed. */
function keep(timePs: f64, qp: u32, cause: u32, rateBps: f64): void {
  const fromBps = knownBps;
  if (fromBps == rateBps) return;
  knownBps = rateBps;
  if (written == records) {
    lost++;
    count(COUNTER_TRACE_LOST, 1);
    return;
  }
  const at = slot();
  store<f64>(at, timePs);
  store<u32>(at, qp, TRACE_QP);
  store<u8>(at, <u8>cause, TRACE_CAUSE);
  store<f64>(at, fromBps, TRACE_FROM);
  store<f64>(at, rateBps, TRACE_TO);
  written++;
}

@inline function slot(): usize {
  return ring + <usize>written * TRACE_BYTES;
}

/** Fails the build if the record's first fields are not where `clearRecord` writes them. */
@inline function checkTraceLayout(): void {
  if (TRACE_CAUSE != TRACE_REASON + 1) ERROR('TRACE_CAUSE');
  if (TRACE_DETAIL != TRACE_REASON + 2) ERROR('TRACE_DETAIL');
  if (TRACE_HOP != TRACE_REASON + 3) ERROR('TRACE_HOP');
}
