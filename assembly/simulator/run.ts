/**
 * The main loop: removes events in order and passes each to its handler.
 *
 *   end of a transmission ─► nic or switch      arrival ─► arrivals      wake-up ─► nic      others ─► event-sources
 */
import { RUN_BUDGET, RUN_FLOW_DONE, RUN_IDLE, RUN_REACHED, RUN_SAMPLE, RUN_TRACE_FULL,
  SIM_NONE } from '../../src/abi/sim-codes';
import { arrive } from './arrivals';
import { EVENTS_PER_PORT, KIND_ARRIVAL, KIND_END } from './event-numbers';
import { isEmpty, nextEvent, nowOrder, nowPs, releaseEventsBefore } from './event-queue';
import { handleEvent } from './event-sources';
import { halted, consumeHalt } from './halt';
import { recordsUsed } from './messages/memory';
import { nodeAt, portAt, portCount, total, totals } from './network';
import { serveNic, wake } from './nic';
import { serve } from './switch';
import { countEndsBefore, noteTransmissionEnd, packetHops } from './transmission';
import { TOTAL_EVENTS, TOTAL_HOPS, TOTAL_RECORDS_USED } from '../records/sim-run';
import { SimPort } from '../records/network';

/** The loop returns after this many events, because engines switch to a function's optimised code only at its next call. */
const EVENTS_PER_CALL: u32 = 4096;

/** Reason for ending the run, RUN_* + 1; 0 = continue. */
let ended: u32 = 0;

/** End of the slices so far, if all events before it have been handled. */
let reachedPs: i64 = 0;

export function beginRun(): void {
  reachedPs = 0;
}

/** The present: the end of the last slice if it was reached, otherwise the time of the last event. */
export function presentPs(): i64 {
  return max<i64>(nowPs, reachedPs);
}

/** Handles events before a time, at most `budget`, until all flows are done and no packet is in flight; returns RUN_*. */
export function runUntil(untilPs: i64, budget: u32): u32 {
  let left = budget;
  releaseEventsBefore(untilPs);
  ended = 0;
  while (left && !ended) left -= handleSome(min<u32>(left, EVENTS_PER_CALL));
  if (ended) countEnds(untilPs);
  if (ended == RUN_REACHED + 1) reachedPs = max<i64>(reachedPs, untilPs);
  total(TOTAL_EVENTS, budget - left);
  store<f64>(totals + (TOTAL_HOPS << 3), packetHops);
  store<f64>(totals + (TOTAL_RECORDS_USED << 3), recordsUsed);
  return ended ? ended - 1 : RUN_BUDGET;
}

/** At the end of the run or slice, counts the ends of transmissions that count as events although they were not scheduled. */
function countEnds(untilPs: i64): void {
  if (ended == RUN_REACHED + 1) countEndsBefore(untilPs, i64.MIN_VALUE);
  else if (ended != RUN_SAMPLE + 1 && ended != RUN_TRACE_FULL + 1 && ended != RUN_FLOW_DONE + 1)
    countEndsBefore(nowPs, nowOrder);
}

/** Handles at most `most` events; returns their number. */
function handleSome(most: u32): u32 {
  let handled: u32 = 0;
  while (handled < most) {
    const event = nextEvent();
    if (event == SIM_NONE) {
      ended = (isEmpty() ? RUN_IDLE : RUN_REACHED) + 1;
      return handled;
    }
    handled++;
    handle(event);
    if (halted) {
      ended = consumeHalt();
      return handled;
    }
  }
  return handled;
}

@inline function handle(event: u32): void {
  if (event >= portCount * EVENTS_PER_PORT) return handleEvent(event);
  const kind = event % EVENTS_PER_PORT;
  const port = event / EVENTS_PER_PORT;
  if (kind == KIND_END) endOfTransmission(portAt(port));
  else if (kind == KIND_ARRIVAL) arrive(portAt(port));
  else wake(port);
}

@inline function endOfTransmission(port: SimPort): void {
  noteTransmissionEnd(port);
  // The end was scheduled when the transmission began.
  if (port.isHost) serveNic(port, nowPs - port.lastTxPs);
  else serve(nodeAt(port.node), port);
}
