/**
 * The event queue: returns events in the total order of (time, order).
 *
 * Role      every event is a node with a fixed number (the end of a port's transmission, the next arrival over its link,
 *           a host's wake-up, …), so nothing is allocated, and a node is in the queue at most once.
 * Wheel     slots of 2^shift picoseconds, each an unsorted list, with a bitmap of slots and a summary of its words. The more
 *           ports, the finer the slots; the wheel always reaches 17 us.
 * Due       the events of the current slot, sorted when the run reaches it (event-sort.ts), contiguous in memory. Events scheduled
 *           into the current slot later have a separate sorted list.
 * Far       a second wheel with wider slots for later events, up to 35 ms and more (far-wheel.ts); a slot's events move to the
 *           first wheel when the run reaches it.
 * Heap      binary, by (time, order), for events beyond both; its top is compared at each step, so nothing moves from the heap to
 *           a wheel.
 * Citation  G. Varghese, T. Lauck, "Hashed and hierarchical timing wheels", SOSP 1987; measured against heaps alone in
 *           bench/RESULTS.md.
 */
import { SIM_NONE } from '../../src/abi/sim-codes';
import { allocate } from '../memory/map';
import { clearFarWheel, firstFarPs, IN_FAR_WHEEL, putFar, reaches, removeFar, allocateFarWheel,
  takeFirstSlot } from './far-wheel';
import { clearHeap, heapSize, pushHeap, removeFromHeap, allocateHeap, topOfHeap } from './event-heap';
import { Event, eventAt, allocateEventRecords } from './event-records';
import { copyDue, Due, DUE_BYTES, putInOrder, sortMany } from './event-sort';
import { clearBitmap, clearSlot, firstSlotFrom, markSlot, allocateBitmap } from './slot-bitmap';

/** Width of the order in an event's key, whose high bits are the time since the start of its slot. Slots are up to 2^12 ps wide. */
const ORDER_BITS: u64 = 52;
const ORDER_MASK: u64 = (1 << ORDER_BITS) - 1;
/** Slots with more events than this are sorted by merging. */
const FEW: u32 = 24;

/** The first event of each slot, u32; undefined if the slot's bit in the bitmap is 0. */
let wheel: usize = 0;
let slots: u32 = 0;
let slotMask: u32 = 0;
let wheelBits: u32 = 0;
let shift: i64 = 0;
/** Number of the current slot, counted from time 0; the wheel holds later ones. */
let base: i64 = 0;

/** The remaining events of the current slot, in order. */
let due: usize = 0;
let dueEnd: usize = 0;
/** Events scheduled into the current slot after it was sorted, in order. */
let late: usize = 0;
let lateEnd: usize = 0;
/** End addresses of the buffers: that of `due`, the second one for sorting, and that of `late`. */
let dueBuffer: usize = 0;
let spareBuffer: usize = 0;
let lateBuffer: usize = 0;
let dueBytes: usize = 0;

/** Time and order of the current event. */
export let nowPs: i64 = 0;
export let nowOrder: i64 = 0;
let nextOrder: i64 = 0;
/** Only events before this time are returned. A variable, because an argument would be converted again for each event. */
let untilPs: i64 = 0;
/**
 * Events of the wheel before this time precede all others and may be returned: the earliest of the slice's end, the slot of the
 * heap's top and the first slot of the far wheel.
 */
let limitPs: i64 = 0;

/** @param slotBits 12 or more. */
export function allocateEventQueue(events: u32, slotBits: u32): void {
  slots = 1 << slotBits;
  slotMask = slots - 1;
  wheelBits = slotBits;
  allocateEventRecords(events);
  wheel = allocate(<usize>slots << 2);
  allocateBitmap(slotBits);
  allocateFarWheel();
  allocateHeap(events);
  dueBytes = (<usize>events + 1) * DUE_BYTES;
  dueBuffer = allocate(dueBytes) + dueBytes;
  spareBuffer = allocate(dueBytes) + dueBytes;
  lateBuffer = allocate(dueBytes) + dueBytes;
}

/** Clears the queue; orders up to `reservedOrders` are reserved for the caller. */
export function resetEventQueue(slotShift: u32, reservedOrders: u32): void {
  clearBitmap();
  clearHeap();
  clearFarWheel(<i64>(slotShift + wheelBits - 1));
  base = 0;
  due = dueEnd = dueBuffer;
  late = lateEnd = lateBuffer - dueBytes;
  shift = slotShift;
  nowPs = 0;
  nowOrder = 0;
  nextOrder = reservedOrders;
  setLimit();
}

/** Sets the time before which events may be returned. */
export function releaseEventsBefore(timePs: i64): void {
  untilPs = timePs;
  setLimit();
}

/** Recomputes `limitPs` after a change of the heap's top, the far wheel's first slot or the end. */
function setLimit(): void {
  limitPs = min<i64>(untilPs, firstFarPs);
  if (heapSize) limitPs = min<i64>(limitPs, eventAt(topOfHeap()).timePs >> shift << shift);
}

/** Advances the time beyond the last event, at most to the next one. */
export function passTime(timePs: i64): void {
  nowPs = max<i64>(nowPs, timePs);
}

/**
 * Between two slices: sets the present to a time not before the last event, so that events may be scheduled from it on. The queue
 * may already have opened the slot of its next event; that slot is put back. All others are within the wheel's reach.
 */
export function beginInstant(timePs: i64): void {
  passTime(timePs);
  if (nowPs >> shift >= base) return;
  base = nowPs >> shift;
  putBack(due, dueEnd);
  putBack(late, lateEnd);
  due = dueEnd = dueBuffer;
  late = lateEnd = lateBuffer - dueBytes;
}

/** Moves events from a sorted list to their slots in the wheel. */
function putBack(from: usize, end: usize): void {
  for (let at = from; at != end; at += DUE_BYTES) {
    const index = changetype<Due>(at).index;
    putIntoSlot(index, eventAt(index), <u32>(eventAt(index).timePs >> shift) & slotMask);
  }
}

/** Draws the next order among simultaneous events: later calls return higher numbers. */
@inline export function drawOrder(): i64 {
  return nextOrder++;
}

@inline function keyOf(timePs: i64, order: i64): u64 {
  return (<u64>(timePs - (base << shift)) << ORDER_BITS) | <u64>order;
}

/** Schedules an event that is not in the queue; `timePs` is not before now. */
export function schedule(index: u32, timePs: i64, order: i64): void {
  const event = eventAt(index);
  event.timePs = timePs;
  event.order = order;
  const slot = timePs >> shift;
  if (slot - base >= <i64>slots) putBeyond(index, event);
  else if (slot != base) putIntoSlot(index, event, <u32>slot & slotMask);
  else putLate(index, keyOf(timePs, order));
}

function putBeyond(index: u32, event: Event): void {
  if (reaches(base << shift, event.timePs)) putFar(index, event);
  else pushHeap(index, event);
  setLimit();
}

/** Due time of a scheduled event. */
@inline export function dueAt(index: u32): i64 {
  return eventAt(index).timePs;
}

/** Removes an event that is in the queue. */
export function cancel(index: u32): void {
  const event = eventAt(index);
  const slot = event.timePs >> shift;
  if (event.heapPlace) takeBeyond(event);
  else if (slot == base) removeDue(index);
  else removeFromSlot(index, <u32>slot & slotMask);
}

function takeBeyond(event: Event): void {
  if (event.heapPlace == IN_FAR_WHEEL) removeFar(event);
  else removeFromHeap(event.heapPlace - 1);
  setLimit();
}

/** Removes the next event and advances the time to it; SIM_NONE if none is due before the limit (see `isEmpty`). */
export function nextEvent(): u32 {
  return due == dueEnd && late == lateEnd ? nextOfWheel() : nextOfSlot();
}

@inline function nextOfSlot(): u32 {
  const first = firstOfSlot();
  const next = changetype<Due>(first);
  const timePs = (base << shift) + <i64>(next.key >> ORDER_BITS);
  if (timePs >= limitPs) {
    if (isTopBefore(next.key)) return removeFirstOfHeap();
    if (timePs >= untilPs) return SIM_NONE;
  }
  nowPs = timePs;
  nowOrder = <i64>(next.key & ORDER_MASK);
  if (first == late && late != lateEnd) late += DUE_BYTES;
  else due += DUE_BYTES;
  return next.index;
}

/** Advances to the next slot. An event that is alone in its slot, without events of the heap in it, is returned directly. */
@inline function nextOfWheel(): u32 {
  const slot = firstSlotFrom(<u32>base & slotMask);
  if (slot == SIM_NONE) return nextBeyond();
  const index = load<u32>(wheel + (<usize>slot << 2));
  const event = eventAt(index);
  if (event.next != SIM_NONE || event.timePs >= limitPs) return nextOfNewSlot(slot, index);
  clearSlot(slot);
  nowPs = event.timePs;
  nowOrder = event.order;
  base = nowPs >> shift;
  return index;
}

/** The next event if the first wheel is empty. */
function nextBeyond(): u32 {
  if (isFarFirst(i64.MAX_VALUE)) return nextOfFarSlot();
  return heapSize ? removeFirstOfHeap() : SIM_NONE;
}

/** Whether the far wheel's first slot begins no later than a slot of the first wheel and the heap's top. */
function isFarFirst(slotPs: i64): bool {
  return firstFarPs <= slotPs && (!heapSize || firstFarPs <= eventAt(topOfHeap()).timePs);
}

/** Moves the far wheel's first slot to the first wheel, which has no earlier events. */
function nextOfFarSlot(): u32 {
  if (firstFarPs >= untilPs) return SIM_NONE;
  base = max<i64>(base, (firstFarPs >> shift) - 1);
  let index = takeFirstSlot();
  setLimit();
  while (index != SIM_NONE) {
    const event = eventAt(index);
    const next = event.next;
    event.heapPlace = 0;
    putIntoSlot(index, event, <u32>(event.timePs >> shift) & slotMask);
    index = next;
  }
  return nextEvent();
}

/** Opens a slot with several events, or with the slice's end or events of the other lists in it or before it. */
function nextOfNewSlot(slot: u32, index: u32): u32 {
  const number = eventAt(index).timePs >> shift;
  if (isFarFirst(number << shift)) return nextOfFarSlot();
  if (heapSize && eventAt(topOfHeap()).timePs >> shift < number) return removeFirstOfHeap();
  base = number;
  moveSlot(slot, index);
  return nextOfSlot();
}

/** Whether the heap's top precedes the event with this key in the current slot. */
function isTopBefore(key: u64): bool {
  if (!heapSize) return false;
  const top = eventAt(topOfHeap());
  return top.timePs >> shift == base && keyOf(top.timePs, top.order) < key;
}

function removeFirstOfHeap(): u32 {
  const index = topOfHeap();
  const top = eventAt(index);
  if (top.timePs >= untilPs) return SIM_NONE;
  takeBeyond(top);
  nowPs = top.timePs;
  nowOrder = top.order;
  base = nowPs >> shift;
  return index;
}

export function isEmpty(): bool {
  return heapSize == 0 && firstFarPs == i64.MAX_VALUE && due == dueEnd && late == lateEnd &&
    firstSlotFrom(<u32>base & slotMask) == SIM_NONE;
}

// ---- The current slot

/** Address of the first event of the current slot, which must not be empty. */
@inline function firstOfSlot(): usize {
  if (late == lateEnd) return due;
  return due == dueEnd || changetype<Due>(late).key < changetype<Due>(due).key ? late : due;
}

/** Inserts a new event into the current slot; most come in order. */
function putLate(index: u32, key: u64): void {
  if (late == lateEnd || lateEnd == lateBuffer) moveLate();
  let at = lateEnd;
  while (at != late && changetype<Due>(at - DUE_BYTES).key > key) {
    copyDue(at, at - DUE_BYTES);
    at -= DUE_BYTES;
  }
  store<u64>(at, key);
  store<u32>(at, index, 8);
  lateEnd += DUE_BYTES;
}

/** Moves the list to the beginning of its buffer, which has room for all events. */
function moveLate(): void {
  const begin = lateBuffer - dueBytes;
  memory.copy(begin, late, lateEnd - late);
  lateEnd = begin + (lateEnd - late);
  late = begin;
}

/** Moves a slot's events to the buffer in the order of insertion: the list is in reverse order and the buffer is filled from its end. */
function moveSlot(slot: u32, from: u32): void {
  const end = dueBuffer;
  let at = end;
  let count: u32 = 0;
  let sorted = true;
  clearSlot(slot);
  for (let index = from; index != SIM_NONE; count++) {
    const event = eventAt(index);
    const key = keyOf(event.timePs, event.order);
    if (count < FEW) putInOrder(at, end, key, index);
    else {
      sorted = sorted && key < changetype<Due>(at).key;
      store<u64>(at - DUE_BYTES, key);
      store<u32>(at - DUE_BYTES, index, 8);
    }
    at -= DUE_BYTES;
    index = event.next;
  }
  due = at;
  dueEnd = end;
  if (!sorted) sortDue();
}

function sortDue(): void {
  const bytes = dueEnd - due;
  dueEnd = sortMany(dueBuffer, spareBuffer, bytes);
  due = dueEnd - bytes;
  if (dueEnd == dueBuffer) return;
  spareBuffer = dueBuffer;
  dueBuffer = dueEnd;
}

/** Cancels an event of the current slot. */
function removeDue(index: u32): void {
  let at = due;
  while (at != dueEnd && changetype<Due>(at).index != index) at += DUE_BYTES;
  if (at == dueEnd) return removeLate(index);
  for (; at > due; at -= DUE_BYTES) copyDue(at, at - DUE_BYTES);
  due += DUE_BYTES;
}

function removeLate(index: u32): void {
  let at = late;
  while (changetype<Due>(at).index != index) at += DUE_BYTES;
  for (; at > late; at -= DUE_BYTES) copyDue(at, at - DUE_BYTES);
  late += DUE_BYTES;
}

// ---- Wheel

function putIntoSlot(index: u32, event: Event, slot: u32): void {
  const at = wheel + (<usize>slot << 2);
  event.before = SIM_NONE;
  event.next = SIM_NONE;
  if (markSlot(slot)) {
    const first = load<u32>(at);
    event.next = first;
    eventAt(first).before = index;
  }
  store<u32>(at, index);
}

function removeFromSlot(index: u32, slot: u32): void {
  const event = eventAt(index);
  const next = event.next;
  const before = event.before;
  if (next != SIM_NONE) eventAt(next).before = before;
  if (before != SIM_NONE) eventAt(before).next = next;
  else if (next != SIM_NONE) store<u32>(wheel + (<usize>slot << 2), next);
  else clearSlot(slot);
}
