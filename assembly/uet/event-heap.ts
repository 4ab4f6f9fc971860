/**
 * Events beyond the reach of the time wheel, and those that can be cancelled: a 4-ary heap, by time, then order.
 *
 * A cancelled event stays in the heap, and one that is rescheduled to a later time keeps its position: the event stores its
 * actual time, and its position is corrected when it reaches the top. So a timer restarted with each ACK costs two stores.
 */
import { UetEvent } from '../records/uet-run';
import { allocate } from './memory';

/** time f64 | order u64 | address of the event u32, 4 unused. */
const ENTRY: usize = 24;
const ORDER: usize = 8;
const EVENT: usize = 16;

let entries: usize = 0;
let size: u32 = 0;
/** Time of the top, not later than that of any event in the heap; Infinity if the heap is empty. */
export let heapTopPs: f64 = Infinity;

/** @param events maximum number of events in the heap. */
export function allocateHeap(events: u32): void {
  entries = allocate((<usize>events + 1) * ENTRY);
}

@inline function entryAt(place: u32): usize {
  return entries + <usize>place * ENTRY;
}

@inline function isBefore(timePs: f64, order: u64, entry: usize): bool {
  const otherPs = load<f64>(entry);
  return timePs < otherPs || (timePs == otherPs && order < load<u64>(entry, ORDER));
}

@inline function put(place: u32, timePs: f64, order: u64, event: usize): void {
  const entry = entryAt(place);
  store<f64>(entry, timePs);
  store<u64>(entry, order, ORDER);
  store<u32>(entry, <u32>event, EVENT);
  changetype<UetEvent>(event).heapPlace = place + 1;
}

/** Adds an event whose time and order are set. */
export function pushHeap(event: usize): void {
  const record = changetype<UetEvent>(event);
  record.isListed = 1;
  let place = record.heapPlace;
  if (!place) {
    place = ++size;
  } else if (!isBefore(record.timePs, record.order, entryAt(place - 1))) {
    return;
  }
  rise(place - 1, event);
  heapTopPs = load<f64>(entries);
}

function rise(from: u32, event: usize): void {
  const timePs = changetype<UetEvent>(event).timePs;
  const order = changetype<UetEvent>(event).order;
  let at = from;
  while (at) {
    const above = (at - 1) >> 2;
    const entry = entryAt(above);
    if (!isBefore(timePs, order, entry)) break;
    put(at, load<f64>(entry), load<u64>(entry, ORDER), load<u32>(entry, EVENT));
    at = above;
  }
  put(at, timePs, order, event);
}

/** Places an event at the top and moves it down to its position. */
function sink(event: usize): void {
  const timePs = changetype<UetEvent>(event).timePs;
  const order = changetype<UetEvent>(event).order;
  let at: u32 = 0;
  while (true) {
    const first = (at << 2) + 1;
    if (first >= size) break;
    let least = first;
    let entry = entryAt(first);
    const end = min(first + 4, size);
    for (let other = first + 1; other < end; other++) {
      const candidate = entryAt(other);
      if (!isBefore(load<f64>(candidate), load<u64>(candidate, ORDER), entry)) continue;
      least = other;
      entry = candidate;
    }
    if (!isBefore(load<f64>(entry), load<u64>(entry, ORDER), event)) break;
    put(at, load<f64>(entry), load<u64>(entry, ORDER), load<u32>(entry, EVENT));
    at = least;
  }
  put(at, timePs, order, event);
}

/** The first event to run; 0 if there is none. It stays in the heap. */
export function topOfHeap(): usize {
  while (size) {
    const event = <usize>load<u32>(entries, EVENT);
    const record = changetype<UetEvent>(event);
    if (!record.isListed) {
      removeTop();
    } else if (record.order != load<u64>(entries, ORDER)) {
      sink(event);
      heapTopPs = load<f64>(entries);
    } else {
      return event;
    }
  }
  return 0;
}

/** Removes the first event. */
export function removeTop(): void {
  changetype<UetEvent>(<usize>load<u32>(entries, EVENT)).heapPlace = 0;
  size--;
  if (!size) {
    heapTopPs = Infinity;
    return;
  }
  // Uses the event's actual time, which may be later than the stored one. A cancelled event is removed at the top.
  sink(<usize>load<u32>(entryAt(size), EVENT));
  heapTopPs = load<f64>(entries);
}
