/** The records of all events, one per number: due time and position in the queue. */
import { allocate } from '../memory/map';

@unmanaged
export class Event {
  timePs: i64;
  order: i64;
  /** The next event of its slot. */
  next: u32;
  /** Index in the heap + 1; 0 = in the wheel, or not scheduled. */
  heapPlace: u32;
  /** The previous event of its slot; SIM_NONE for the first. */
  before: u32;
  /** Padding, so that the two busy events of a port share a cache line. */
  free: u32;
}

const EVENT_RECORD_BYTES: usize = 32;

let records: usize = 0;

export function allocateEventRecords(events: u32): void {
  records = allocate(<usize>events * EVENT_RECORD_BYTES);
}

@inline export function eventAt(index: u32): Event {
  return changetype<Event>(records + <usize>index * EVENT_RECORD_BYTES);
}

@inline export function isBefore(timePs: i64, order: i64, other: Event): bool {
  return timePs < other.timePs || (timePs == other.timePs && order < other.order);
}
