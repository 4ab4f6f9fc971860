/** The binary heap, ordered by (time, order), of the events beyond the wheel's reach. */
import { allocate } from '../memory/map';
import { Event, eventAt, isBefore } from './event-records';

let heap: usize = 0;
export let heapSize: u32 = 0;

export function allocateHeap(events: u32): void {
  heap = allocate((<usize>events + 1) << 2);
}

export function clearHeap(): void {
  heapSize = 0;
}

/** Number of the first event; the heap must not be empty. */
@inline export function topOfHeap(): u32 {
  return load<u32>(heap);
}

@inline function place(at: u32, index: u32): void {
  store<u32>(heap + (<usize>at << 2), index);
  eventAt(index).heapPlace = at + 1;
}

export function pushHeap(index: u32, event: Event): void {
  riseFrom(heapSize++, index, event);
}

function riseFrom(at: u32, index: u32, event: Event): void {
  while (at) {
    const above = (at - 1) >> 1;
    const parent = load<u32>(heap + (<usize>above << 2));
    if (!isBefore(event.timePs, event.order, eventAt(parent))) break;
    place(at, parent);
    at = above;
  }
  place(at, index);
}

/** Removes the entry at an index. */
export function removeFromHeap(at: u32): void {
  eventAt(load<u32>(heap + (<usize>at << 2))).heapPlace = 0;
  heapSize--;
  if (at == heapSize) return;
  const index = load<u32>(heap + (<usize>heapSize << 2));
  const event = eventAt(index);
  const above = at ? eventAt(load<u32>(heap + (<usize>((at - 1) >> 1) << 2))) : event;
  if (at && isBefore(event.timePs, event.order, above)) riseFrom(at, index, event);
  else sinkFrom(at, index, event);
}

function sinkFrom(at: u32, index: u32, event: Event): void {
  while (true) {
    let below: u32 = 2 * at + 1;
    if (below >= heapSize) break;
    let child = load<u32>(heap + (<usize>below << 2));
    if (below + 1 < heapSize) {
      const other = load<u32>(heap + (<usize>(below + 1) << 2));
      const record = eventAt(other);
      if (isBefore(record.timePs, record.order, eventAt(child))) {
        below++;
        child = other;
      }
    }
    const least = eventAt(child);
    if (!isBefore(least.timePs, least.order, event)) break;
    place(at, child);
    at = below;
  }
  place(at, index);
}
