/**
 * Event sources: blocks of consecutive event numbers, each with the function that handles its events.
 *
 * event-layout.ts adds them in a fixed order. Code that schedules events of a source stores its first number; run.ts passes a due
 * event to its source. A source that the plan does not need has no events.
 */
const SOURCES_MAX: i32 = 32;
const SOURCE_BYTES: i32 = 12;

/** Index of the function in the module's table. */
const SOURCE_HANDLER: usize = 4;
/** Whether the function takes the number of the event within the source. */
const SOURCE_IS_NUMBERED: usize = 8;

const sources = memory.data(SOURCES_MAX * SOURCE_BYTES, 4);
let sourceCount: u32 = 0;
/** Number of all events so far. */
export let eventCount: u32 = 0;

/** Sources follow the first `events` event numbers. */
export function resetSources(events: u32): void {
  sourceCount = 0;
  eventCount = events;
}

/** Adds a source with one event per flow, port, node or similar; `handle` takes its index. @returns the first event number. */
export function addSource(events: u32, handle: (index: u32) => void): u32 {
  return add(events, handle.index, true);
}

/** Adds a source of one event. @returns its number. */
export function addEvent(handle: () => void): u32 {
  return add(1, handle.index, false);
}

function add(events: u32, handler: i32, isNumbered: bool): u32 {
  const first = eventCount;
  const at = sourceAt(sourceCount++);
  store<u32>(at, first);
  store<i32>(at, handler, SOURCE_HANDLER);
  store<u32>(at, <u32>isNumbered, SOURCE_IS_NUMBERED);
  eventCount += events;
  return first;
}

@inline function sourceAt(place: u32): usize {
  return sources + <usize>place * <usize>SOURCE_BYTES;
}

/** Handles a due event. */
export function handleEvent(event: u32): void {
  let place: u32 = 1;
  while (place < sourceCount && event >= load<u32>(sourceAt(place))) place++;
  const at = sourceAt(place - 1);
  const handler = load<i32>(at, SOURCE_HANDLER);
  if (load<u32>(at, SOURCE_IS_NUMBERED)) call_indirect<void>(handler, event - load<u32>(at));
  else call_indirect<void>(handler);
}
