/**
 * The trace of rate changes: a ring of its own beside the action ring, one record per step that changed a rate.
 *
 * Build     ROCE_TRACE (asconfig.json) says whether a build can trace at all; the engine of DCQCN alone can't, and holds no
 *           line of this. Where it can, `tracing` is one test on the paths that are not plain.
 * Use       `describe` and `input` fill the record behind the last one; `keepChange` keeps it if the rate is another one.
 * Bounded   A record that finds no room is counted, in the call's `traceLost` and in a counter; the ring keeps the
 *           earlier ones.
 */
import { CAUSE_CNP } from '../../src/abi/codes';
import { QP_BYTES } from '../../src/abi/layout';
import { COUNTER_TRACE_LOST, REGION_TRACE, TRACE_BYTES } from '../../src/abi/trace-layout';
import { TRACE_CAUSE, TRACE_DETAIL, TRACE_FROM, TRACE_HOP, TRACE_INPUTS, TRACE_INPUT_BYTES, TRACE_NO_HOP, TRACE_OTHER,
  TRACE_QP, TRACE_REASON, TRACE_TO } from '../../src/abi/trace-layout';
import { count } from '../memory/counters';
import { publish, qps, take } from '../memory/map';

/** Can this build trace? */
export const TRACING: bool = isDefined(ROCE_TRACE);
/** Does this engine? */
export let tracing: bool = false;

/** What the running notification is: CAUSE_CNP or CAUSE_FAST_CNP. */
export let notifiedBy: u32 = CAUSE_CNP;

let ring: usize = 0;
let capacity: u32 = 0;
let written: u32 = 0;
let lost: u32 = 0;

/** Lays the ring out; 0 = no trace and no memory. One record more than can be kept: it is filled before it is kept. */
export function takeTrace(records: u32): void {
  if (!records) return;
  tracing = true;
  capacity = records;
  publish(REGION_TRACE, ring = take((<usize>records + 1) * TRACE_BYTES));
}

export function traceCount(): u32 {
  return written;
}

export function traceLostCount(): u32 {
  return lost;
}

@inline export function clearTrace(): void {
  written = 0;
  lost = 0;
}

/** Half of the ring is free, or nothing is traced: room for one more QP's changes in all but odd cases. */
@inline export function traceRoom(): bool {
  return !tracing || written < (capacity + 1) >> 1;
}

/** A notification is about to act; `cause`: CAUSE_CNP or CAUSE_FAST_CNP. */
export function noteNotification(cause: u32): void {
  notifiedBy = cause;
}

/** Number of the QP whose record this is. */
@inline export function numberOf(q: usize): u32 {
  return <u32>((q - qps) / QP_BYTES);
}

/** Begins a record: its reason, with all inputs 0. */
export function describe(reason: u32, detail: u32, hop: u32): void {
  const at = slot();
  store<u32>(at, reason | (detail << 16) | (hop << 24), TRACE_REASON);
  memory.fill(at + TRACE_INPUTS, 0, TRACE_INPUT_BYTES);
}

/** A record whose algorithm explains nothing. */
export function describeNothing(): void {
  describe(TRACE_OTHER, 0, TRACE_NO_HOP);
}

/** One of the record's inputs. */
export function input(index: u32, value: f64): void {
  store<f64>(slot() + (<usize>index << 3), value, TRACE_INPUTS);
}

/** Keeps the record if the rate changed. */
export function keepChange(timePs: f64, qp: u32, cause: u32, fromBps: f64, toBps: f64): void {
  if (fromBps == toBps) return;
  if (written == capacity) {
    lost++;
    count(COUNTER_TRACE_LOST, 1);
    return;
  }
  const at = slot();
  store<f64>(at, timePs);
  store<u32>(at, qp, TRACE_QP);
  store<u8>(at, <u8>cause, TRACE_CAUSE);
  store<f64>(at, fromBps, TRACE_FROM);
  store<f64>(at, toBps, TRACE_TO);
  written++;
}

@inline function slot(): usize {
  return ring + <usize>written * TRACE_BYTES;
}

/** Stops the build when the record's first words are not where `describe` puts them. */
export function checkTraceLayout(): void {
  if (TRACE_DETAIL != TRACE_REASON + 2) ERROR('TRACE_DETAIL');
  if (TRACE_HOP != TRACE_REASON + 3) ERROR('TRACE_HOP');
}
