/**
 * ACKs of an HPCC parameter set on the fast path, two QPs per step (algorithms/hpcc/fast-acks.ts): a measured ACK
 * waits for the next one. Every other event takes the full step, as do all events in builds without SIMD.
 */
import { OUTCOME_ACK_APPLIED } from '../../src/abi/codes';
import { COUNTER_OUTCOMES, EVENT_ARG, EVENT_BYTES, EVENT_KIND_SHIFT, EVENT_QP, EVENT_TIME,
  EVENT_VALUE_MAX } from '../../src/abi/layout';
import { measureFast, stepAlone, stepTwo } from '../algorithms/hpcc/fast-acks';
import { beginSlots, enterSlot, isSlotted, leaveSlot } from '../memory/actions';
import { count, countOutcome } from '../memory/counters';
import { VECTORS } from '../memory/lanes';
import { scratch } from '../memory/map';
import { fullEvent } from '../rp/qp-event';

/** Applies the events at the indices `places` (a byte each) of the run that begins at `from`, in slots if enabled. */
export function applyAckPairs(from: usize, places: usize, size: u32): void {
  let waiting: usize = 0;
  let waited = f64x2.splat(0);
  let others: u32 = 0;
  for (let i: usize = 0; i < <usize>size; i++) {
    const at = from + <usize>load<u8>(places + i) * EVENT_BYTES;
    if (waiting && load<u32>(waiting, EVENT_QP) == load<u32>(at, EVENT_QP)) {
      stepAlone(waiting, waited);
      waiting = 0;
    }
    const measured = measureFast(at);
    if (f64x2.extract_lane(measured, 0) < 0) {
      if (waiting && !isSlotted) {
        stepAlone(waiting, waited);
        waiting = 0;
      }
      applyFull(at);
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

/** Applies one ACK event as a whole batch. */
export function applyAckAlone(event: usize): void {
  beginSlots(event, scratch, false);
  if (VECTORS) {
    const measured = measureFast(event);
    if (!(f64x2.extract_lane(measured, 0) < 0)) {
      stepAlone(event, measured);
      countOutcome(OUTCOME_ACK_APPLIED);
      return;
    }
  }
  applyFull(event);
}

function applyFull(event: usize): void {
  const argument = load<u32>(event, EVENT_ARG);
  const slot = enterSlot(event);
  countOutcome(
    fullEvent(argument >> EVENT_KIND_SHIFT, load<u32>(event, EVENT_QP), load<f64>(event, EVENT_TIME),
      argument & EVENT_VALUE_MAX),
  );
  leaveSlot(slot);
}
