/** Timed operations in a binary heap by (time, operation); a single event is scheduled for the first. */
import { allocate } from '../../memory/map';
import { cancel, drawOrder, nowPs, schedule } from '../event-queue';
import { addEvent } from '../event-sources';
import { operationCount } from './memory';
import { expect, STAGE_LAPSED } from './ready';

const ENTRY_BYTES: usize = 16;

let timerEvent: u32 = 0;
let heap: usize = 0;
let size: u32 = 0;

/** Adds the event at which the next timed operation ends. */
export function addOperationTimer(): void {
  timerEvent = addEvent(timersLapse);
}

export function allocateTimers(): void {
  heap = allocate(<usize>operationCount * ENTRY_BYTES);
}

export function clearTimers(): void {
  size = 0;
}

/** Schedules the end of an operation after a duration. */
export function setTimer(operation: u32, durationPs: i64): void {
  const timePs = nowPs + durationPs;
  if (size && timePs < timeAt(0)) cancel(timerEvent);
  const isFirst = !size || timePs < timeAt(0);
  push(timePs, operation);
  if (isFirst) schedule(timerEvent, timePs, drawOrder());
}

/** Ends all operations that are due now. */
function timersLapse(): void {
  while (size && timeAt(0) <= nowPs) {
    expect(STAGE_LAPSED, operationOf(0));
    removeFirst();
  }
  if (size) schedule(timerEvent, timeAt(0), drawOrder());
}

function push(timePs: i64, operation: u32): void {
  let place = size++;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!isBefore(timePs, operation, parent)) break;
    move(parent, place);
    place = parent;
  }
  put(place, timePs, operation);
}

function removeFirst(): void {
  size--;
  const timePs = timeAt(size);
  const operation = operationOf(size);
  let place: u32 = 0;
  for (;;) {
    let child: u32 = 2 * place + 1;
    if (child >= size) break;
    if (child + 1 < size && isBefore(timeAt(child + 1), operationOf(child + 1), child)) child++;
    if (isBefore(timePs, operation, child)) break;
    move(child, place);
    place = child;
  }
  put(place, timePs, operation);
}

@inline function isBefore(timePs: i64, operation: u32, place: u32): bool {
  const other = timeAt(place);
  return timePs < other || (timePs == other && operation < operationOf(place));
}

@inline function timeAt(place: u32): i64 {
  return load<i64>(heap + <usize>place * ENTRY_BYTES);
}

@inline function operationOf(place: u32): u32 {
  return load<u32>(heap + <usize>place * ENTRY_BYTES, 8);
}

@inline function put(place: u32, timePs: i64, operation: u32): void {
  store<i64>(heap + <usize>place * ENTRY_BYTES, timePs);
  store<u32>(heap + <usize>place * ENTRY_BYTES, operation, 8);
}

@inline function move(from: u32, to: u32): void {
  put(to, timeAt(from), operationOf(from));
}
