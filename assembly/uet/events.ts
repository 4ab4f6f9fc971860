/**
 * The event list, ordered by time; events of the same instant run in the order of insertion (docs/specs/uet-reference.md, 1).
 * Events at or after the end time are not listed.
 *
 * There are three lists, and the earliest of their heads runs next:
 *
 *   now     events added for the present instant: they follow all earlier ones, so a plain list suffices
 *   wheel   events less than its length away: buckets of 2^n ps, each in the order of insertion, sorted when it is opened
 *   heap    later events, and those that can be cancelled
 *
 * A bucket is opened when it holds the next event; from then on its events are sorted, and new ones are inserted in order.
 */
import { UetEvent } from '../records/uet-run';
import { allocateHeap, heapTopPs, pushHeap, removeTop, topOfHeap } from './event-heap';
import { sortByTime } from './event-sort';
import { allocate } from './memory';

/** Time of the running event, picoseconds. */
export let nowPs: f64 = 0;
let endPs: f64 = 0;
let nextOrder: u64 = 0;

let nowHead: usize = 0;
let nowTail: usize = 0;

/** The last event of each bucket, whose `next` is the first one; 0 = empty. */
let wheel: usize = 0;
let bucketBits: i64 = 0;
let bucketMask: i64 = 0;
let wheelLength: i64 = 0;
/** Bitmap of buckets with events, and bitmap of its non-zero words. */
let busyBuckets: usize = 0;
let busyWords: usize = 0;
let wordMask: u32 = 0;
/** Bucket of the present time; events of the wheel are less than its length away. */
let present: i64 = 0;
/** The open bucket, and its events in order; 0 = none left. */
let openBucket: i64 = -1;
let openHead: usize = 0;

/**
 * @param events maximum number of listed events. @param end events at this time or later never run.
 * @param bits log2 of the number of buckets, at least 12. @param widthBits log2 of the picoseconds per bucket.
 */
export function allocateEvents(events: u32, end: f64, bits: u32, widthBits: u32): void {
  endPs = end;
  bucketBits = <i64>widthBits;
  wheelLength = (<i64>1) << <i64>bits;
  bucketMask = wheelLength - 1;
  wordMask = (1 << (bits - 6)) - 1;
  wheel = allocate(<usize>4 << bits);
  busyBuckets = allocate(<usize>1 << (bits - 3));
  busyWords = allocate(<usize>1 << (bits - 9));
  allocateHeap(events);
}

/** Schedules an event that is not listed and never cancelled. */
export function schedule(event: usize, timePs: f64): void {
  if (timePs >= endPs) return;
  const record = changetype<UetEvent>(event);
  record.timePs = timePs;
  record.order = nextOrder++;
  if (timePs == nowPs) {
    record.next = 0;
    if (nowHead) changetype<UetEvent>(nowTail).next = <u32>event;
    else nowHead = event;
    nowTail = event;
    return;
  }
  const bucket = (<i64>timePs) >> bucketBits;
  if (bucket - present >= wheelLength) pushHeap(event);
  else if (openHead && bucket == openBucket) joinOpen(event, timePs);
  else joinBucket(event, <u32>(bucket & bucketMask));
}

/** Schedules an event that may be cancelled; a cancelled one may still be in the heap. */
export function scheduleTimer(event: usize, timePs: f64): void {
  if (timePs >= endPs) return;
  const record = changetype<UetEvent>(event);
  record.timePs = timePs;
  record.order = nextOrder++;
  pushHeap(event);
}

/** Cancels an event of `scheduleTimer`. */
@inline export function cancelTimer(event: usize): void {
  changetype<UetEvent>(event).isListed = 0;
}

/** Removes the next event and advances the time to it; returns 0 if there is none. */
export function takeEvent(): usize {
  if (nowHead) return takePresent();
  const top = topOfHeap();
  if (!openHead) openNext();
  const head = openHead;
  if (top && (!head || isBefore(top, head))) return takeTop(top);
  return head ? takeOpen() : 0;
}

/** The next event if `now` is not empty; events of the wheel at this instant precede it. */
function takePresent(): usize {
  if (openHead && changetype<UetEvent>(openHead).timePs == nowPs) {
    if (heapTopPs <= nowPs) {
      const top = topOfHeap();
      if (top && isBefore(top, openHead)) return takeTop(top);
    }
    return takeOpen();
  }
  if (heapTopPs <= nowPs) {
    const top = topOfHeap();
    if (top && isBefore(top, nowHead)) return takeTop(top);
  }
  const event = nowHead;
  nowHead = changetype<UetEvent>(event).next;
  return event;
}

@inline function isBefore(one: usize, other: usize): bool {
  const a = changetype<UetEvent>(one);
  const b = changetype<UetEvent>(other);
  return a.timePs < b.timePs || (a.timePs == b.timePs && a.order < b.order);
}

@inline function setNow(timePs: f64): void {
  nowPs = timePs;
  present = (<i64>timePs) >> bucketBits;
}

@inline function takeOpen(): usize {
  const event = openHead;
  const record = changetype<UetEvent>(event);
  openHead = record.next;
  setNow(record.timePs);
  return event;
}

function takeTop(top: usize): usize {
  removeTop();
  const record = changetype<UetEvent>(top);
  record.isListed = 0;
  setNow(record.timePs);
  return top;
}

/** Inserts an event into the open bucket, after those of the same or an earlier time. */
function joinOpen(event: usize, timePs: f64): void {
  let before: usize = 0;
  let at = openHead;
  while (at && changetype<UetEvent>(at).timePs <= timePs) {
    before = at;
    at = changetype<UetEvent>(at).next;
  }
  changetype<UetEvent>(event).next = <u32>at;
  if (before) changetype<UetEvent>(before).next = <u32>event;
  else openHead = event;
}

function joinBucket(event: usize, slot: u32): void {
  const place = wheel + (<usize>slot << 2);
  const last = <usize>load<u32>(place);
  store<u32>(place, <u32>event);
  if (last) {
    changetype<UetEvent>(event).next = changetype<UetEvent>(last).next;
    changetype<UetEvent>(last).next = <u32>event;
    return;
  }
  changetype<UetEvent>(event).next = <u32>event;
  const word = slot >> 6;
  const bits = busyBuckets + (<usize>word << 3);
  store<u64>(bits, load<u64>(bits) | ((<u64>1) << <u64>(slot & 63)));
  const words = busyWords + (<usize>(word >> 6) << 3);
  store<u64>(words, load<u64>(words) | ((<u64>1) << <u64>(word & 63)));
}

/** Opens the first bucket that has events, unless the heap has an event before it. */
function openNext(): void {
  const slot = firstBusy(<u32>(present & bucketMask));
  if (slot < 0) return;
  const away = (<i64>slot - present) & bucketMask;
  const bucket = present + away;
  if (heapTopPs < <f64>(bucket << bucketBits)) return;
  openBucket = bucket;
  const place = wheel + (<usize>slot << 2);
  const last = changetype<UetEvent>(<usize>load<u32>(place));
  const first = <usize>last.next;
  last.next = 0;
  store<u32>(place, 0);
  clearBusy(<u32>slot);
  openHead = changetype<UetEvent>(first).next ? sortByTime(first) : first;
}

function clearBusy(slot: u32): void {
  const word = slot >> 6;
  const bits = busyBuckets + (<usize>word << 3);
  const rest = load<u64>(bits) & ~((<u64>1) << <u64>(slot & 63));
  store<u64>(bits, rest);
  if (rest) return;
  const words = busyWords + (<usize>(word >> 6) << 3);
  store<u64>(words, load<u64>(words) & ~((<u64>1) << <u64>(word & 63)));
}

/** The first bucket with events from `slot` on, cyclically; -1 if there is none. */
function firstBusy(slot: u32): i32 {
  const word = slot >> 6;
  const here = load<u64>(busyBuckets + (<usize>word << 3)) & ((~(<u64>0)) << <u64>(slot & 63));
  if (here) return <i32>((word << 6) + <u32>ctz(here));
  // The first word is examined again last: its buckets before `slot` are the furthest away.
  const groups = (wordMask >> 6) + 1;
  const following = (word + 1) & wordMask;
  let group = following >> 6;
  let words = load<u64>(busyWords + (<usize>group << 3)) & ((~(<u64>0)) << <u64>(following & 63));
  for (let tried: u32 = 0; tried <= groups; tried++) {
    if (words) {
      const found = (group << 6) + <u32>ctz(words);
      return <i32>((found << 6) + <u32>ctz(load<u64>(busyBuckets + (<usize>found << 3))));
    }
    group = group + 1 == groups ? 0 : group + 1;
    words = load<u64>(busyWords + (<usize>group << 3));
  }
  return -1;
}
