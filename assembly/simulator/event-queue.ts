/**
 * The event queue: what happens next, in the total order of (time, order).
 *
 * Role      every event is a node with a fixed number (the end of a port's transmission, the next arrival over its link,
 *           a host's wake-up, …), so nothing is allocated, and a node is in the queue at most once.
 * Wheel     2^slotBits slots of 2^shift picoseconds, one sorted list each, with a bitmap over them and one over its words.
 *           New events are mostly the last of their slot; one that is not is put in its place. The more ports, the finer the
 *           slots, so that lists stay short; the wheel reaches 17 us in any case.
 * Heap      binary, by (time, order), for what lies beyond the wheel; its top is compared at each step, so nothing
 *           moves from the heap to the wheel.
 * Citation  G. Varghese, T. Lauck, "Hashed and hierarchical timing wheels", SOSP 1987; measured against heaps alone in
 *           bench/RESULTS.md.
 */
import { SIM_NONE } from '../../src/abi/sim-layout';
import { take } from '../memory/map';

@unmanaged
class Event {
  timePs: i64;
  order: i64;
  next: u32;
  /** Place in the heap + 1; 0 = in the wheel, or nowhere. */
  heapPlace: u32;
  /** So that the two busy events of a port share a cache line. */
  free: u64;
}

/** One line of cache holds what an event meets in a slot. */
@unmanaged
class Slot {
  /** SIM_NONE: the slot is empty, and the rest means nothing. */
  head: u32;
  tail: u32;
  /** Where the last event was put that was not the last of its slot; those that follow it are mostly put behind it. */
  finger: u32;
  free: u32;
}

const EVENT_RECORD_BYTES: usize = 32;
const SLOT_BYTES: usize = 16;

let records: usize = 0;
let wheel: usize = 0;
let bitmap: usize = 0;
let summary: usize = 0;
let heap: usize = 0;
let heapSize: u32 = 0;
let slots: u32 = 0;
let slotMask: u32 = 0;
let words: u32 = 0;
let shift: i64 = 0;
/** Number of the slot, counted from time 0, where the wheel begins. */
let base: i64 = 0;

/** The instant of the event that is being handled, and its order. */
export let nowPs: i64 = 0;
export let nowOrder: i64 = 0;
let nextOrder: i64 = 0;

/** @param slotBits 12 or more: the bitmap's bitmap has whole words then. */
export function takeEventQueue(events: u32, slotBits: u32): void {
  slots = 1 << slotBits;
  slotMask = slots - 1;
  words = slots >> 6;
  records = take(<usize>events * EVENT_RECORD_BYTES);
  wheel = take(<usize>slots * SLOT_BYTES);
  bitmap = take(<usize>words << 3);
  summary = take(<usize>(words >> 6) << 3);
  heap = take((<usize>events + 1) << 2);
}

/** Empties the queue; orders up to `reservedOrders` are left to the caller. */
export function resetEventQueue(slotShift: u32, reservedOrders: u32): void {
  memory.fill(wheel, 0xff, <usize>slots * SLOT_BYTES);
  memory.fill(bitmap, 0, <usize>words << 3);
  memory.fill(summary, 0, <usize>(words >> 6) << 3);
  heapSize = 0;
  base = 0;
  shift = slotShift;
  nowPs = 0;
  nowOrder = 0;
  nextOrder = reservedOrders;
}

/** The next place among events of one instant: later calls come later. */
@inline export function takeOrder(): i64 {
  return nextOrder++;
}

@inline function eventAt(index: u32): Event {
  return changetype<Event>(records + <usize>index * EVENT_RECORD_BYTES);
}

@inline function slotAt(slot: u32): Slot {
  return changetype<Slot>(wheel + <usize>slot * SLOT_BYTES);
}

@inline function isBefore(timePs: i64, order: i64, other: Event): bool {
  return timePs < other.timePs || (timePs == other.timePs && order < other.order);
}

/** Puts an event that is not in the queue into it; `timePs` is not before now. */
export function schedule(index: u32, timePs: i64, order: i64): void {
  const event = eventAt(index);
  event.timePs = timePs;
  event.order = order;
  const slot = timePs >> shift;
  if (slot - base >= <i64>slots) pushHeap(index, event);
  else insertIntoSlot(index, event, <u32>slot & slotMask);
}

/** When a scheduled event is due. */
@inline export function dueAt(index: u32): i64 {
  return eventAt(index).timePs;
}

/** Takes an event out that is in the queue. */
export function cancel(index: u32): void {
  const event = eventAt(index);
  if (event.heapPlace) removeFromHeap(event.heapPlace - 1);
  else removeFromSlot(index, event, <u32>(event.timePs >> shift) & slotMask);
}

/** Takes the next event before `untilPs` out and makes its instant now; SIM_NONE: there is none (`isEmpty` tells why). */
export function nextEvent(untilPs: i64): u32 {
  const slot = firstSlot();
  let index = SIM_NONE;
  if (slot != SIM_NONE) index = slotAt(slot).head;
  if (heapSize) {
    const top = load<u32>(heap);
    const first = eventAt(top);
    if (index == SIM_NONE || isBefore(first.timePs, first.order, eventAt(index))) {
      if (first.timePs >= untilPs) return SIM_NONE;
      removeFromHeap(0);
      return begin(top, first);
    }
  }
  if (index == SIM_NONE) return SIM_NONE;
  const event = eventAt(index);
  if (event.timePs >= untilPs) return SIM_NONE;
  const next = event.next;
  const from = slotAt(slot);
  from.head = next;
  if (next == SIM_NONE) clearSlot(slot);
  else if (from.finger == index) from.finger = next;
  return begin(index, event);
}

export function isEmpty(): bool {
  return heapSize == 0 && firstSlot() == SIM_NONE;
}

@inline function begin(index: u32, event: Event): u32 {
  nowPs = event.timePs;
  nowOrder = event.order;
  base = nowPs >> shift;
  return index;
}

// ---- Wheel

function insertIntoSlot(index: u32, event: Event, number: u32): void {
  const slot = slotAt(number);
  event.heapPlace = 0;
  event.next = SIM_NONE;
  if (slot.head == SIM_NONE) {
    slot.head = slot.tail = slot.finger = index;
    markSlot(number);
  } else if (!isBefore(event.timePs, event.order, eventAt(slot.tail))) {
    eventAt(slot.tail).next = index;
    slot.tail = index;
  } else if (isBefore(event.timePs, event.order, eventAt(slot.head))) {
    event.next = slot.head;
    slot.head = index;
  } else {
    insertBehind(isBefore(event.timePs, event.order, eventAt(slot.finger)) ? slot.head : slot.finger, index, event);
    slot.finger = index;
  }
}

/** Behind `before` and all that come before the event; one comes after it. */
function insertBehind(before: u32, index: u32, event: Event): void {
  let at = eventAt(before);
  while (!isBefore(event.timePs, event.order, eventAt(at.next))) at = eventAt(at.next);
  event.next = at.next;
  at.next = index;
}

function removeFromSlot(index: u32, event: Event, number: u32): void {
  const slot = slotAt(number);
  if (slot.head == index) {
    slot.head = event.next;
    if (event.next == SIM_NONE) clearSlot(number);
  } else {
    let at = slot.head;
    while (eventAt(at).next != index) at = eventAt(at).next;
    eventAt(at).next = event.next;
    if (event.next == SIM_NONE) slot.tail = at;
  }
  slot.finger = slot.head;
}

@inline function markSlot(slot: u32): void {
  const word = slot >> 6;
  const at = bitmap + (<usize>word << 3);
  store<u64>(at, load<u64>(at) | ((1 as u64) << (slot & 63)));
  const over = summary + (<usize>(word >> 6) << 3);
  store<u64>(over, load<u64>(over) | ((1 as u64) << (word & 63)));
}

@inline function clearSlot(slot: u32): void {
  const word = slot >> 6;
  const at = bitmap + (<usize>word << 3);
  const left = load<u64>(at) & ~((1 as u64) << (slot & 63));
  store<u64>(at, left);
  if (left) return;
  const over = summary + (<usize>(word >> 6) << 3);
  store<u64>(over, load<u64>(over) & ~((1 as u64) << (word & 63)));
}

/** The first slot with events, from the present one on around the wheel. */
@inline function firstSlot(): u32 {
  const from = <u32>base & slotMask;
  const word = from >> 6;
  const bits = load<u64>(bitmap + (<usize>word << 3)) >> (from & 63);
  if (bits) return from + <u32>ctz(bits);
  return firstSlotBehind(word);
}

/** The same from the word behind this one on, around to the word itself. */
function firstSlotBehind(word: u32): u32 {
  let at = (word + 1) & (words - 1);
  for (let step: u32 = 0; step <= words >> 6; step++) {
    const bits = load<u64>(summary + (<usize>(at >> 6) << 3)) >> (at & 63);
    if (bits) {
      const found = at + <u32>ctz(bits);
      return (found << 6) + <u32>ctz(load<u64>(bitmap + (<usize>found << 3)));
    }
    at = (((at >> 6) + 1) << 6) & (words - 1);
  }
  return SIM_NONE;
}

// ---- Heap

@inline function place(at: u32, index: u32): void {
  store<u32>(heap + (<usize>at << 2), index);
  eventAt(index).heapPlace = at + 1;
}

function pushHeap(index: u32, event: Event): void {
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

function removeFromHeap(at: u32): void {
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
