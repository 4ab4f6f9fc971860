/**
 * The second wheel: events beyond the reach of the first one (event-queue.ts), mostly timeouts, in slots half as wide as that reach. A
 * slot's events move to the first wheel, which can then hold all of them, when the run reaches the slot.
 */
import { allocate } from '../memory/map';
import { Event, eventAt } from './event-records';
import { SIM_NONE } from '../../src/abi/sim-codes';

/** In an event's `heapPlace`: it is in this wheel. */
export const IN_FAR_WHEEL: u32 = 0xffffffff;
const SLOT_BITS: u32 = 12;
const SLOTS: u32 = 1 << SLOT_BITS;
const WORDS: u32 = SLOTS >> 6;
const NEVER: i64 = i64.MAX_VALUE;

/** The first event of each slot, u32; means nothing where the bitmap has no bit. */
let heads: usize = 0;
let bitmap: usize = 0;
/** A bit per word of the bitmap that is not 0. */
let summary: u64 = 0;
let shift: i64 = 0;
/** Start of the first slot with events; NEVER: there is none. */
export let firstFarPs: i64 = NEVER;

export function allocateFarWheel(): void {
  heads = allocate(<usize>SLOTS << 2);
  bitmap = allocate(<usize>WORDS << 3);
}

/** Empties it; slots are 2^slotShift ps wide. */
export function clearFarWheel(slotShift: i64): void {
  memory.fill(bitmap, 0, <usize>WORDS << 3);
  summary = 0;
  shift = slotShift;
  firstFarPs = NEVER;
}

/** Whether it spans two instants. */
@inline export function reaches(fromPs: i64, timePs: i64): bool {
  return (timePs >> shift) - (fromPs >> shift) < <i64>SLOTS;
}

@inline function headOf(slot: u32): usize {
  return heads + (<usize>slot << 2);
}

@inline function slotOf(timePs: i64): u32 {
  return <u32>(timePs >> shift) & (SLOTS - 1);
}

export function putFar(index: u32, event: Event): void {
  const slot = slotOf(event.timePs);
  const at = bitmap + (<usize>(slot >> 6) << 3);
  const bit = (1 as u64) << (slot & 63);
  const bits = load<u64>(at);
  event.heapPlace = IN_FAR_WHEEL;
  event.before = SIM_NONE;
  event.next = SIM_NONE;
  if (bits & bit) {
    event.next = load<u32>(headOf(slot));
    eventAt(event.next).before = index;
  } else {
    store<u64>(at, bits | bit);
    summary |= (1 as u64) << (slot >> 6);
    firstFarPs = min<i64>(firstFarPs, event.timePs >> shift << shift);
  }
  store<u32>(headOf(slot), index);
}

/** Removes an event that is in it. */
export function removeFar(event: Event): void {
  event.heapPlace = 0;
  if (event.next != SIM_NONE) eventAt(event.next).before = event.before;
  if (event.before != SIM_NONE) eventAt(event.before).next = event.next;
  else if (event.next != SIM_NONE) store<u32>(headOf(slotOf(event.timePs)), event.next);
  else clearSlot(slotOf(event.timePs));
}

/** Empties the first slot that has events; returns the first of them, the others follow by `next`. */
export function takeFirstSlot(): u32 {
  const slot = slotOf(firstFarPs);
  clearSlot(slot);
  return load<u32>(headOf(slot));
}

function clearSlot(slot: u32): void {
  const at = bitmap + (<usize>(slot >> 6) << 3);
  const left = load<u64>(at) & ~((1 as u64) << (slot & 63));
  store<u64>(at, left);
  if (!left) summary &= ~((1 as u64) << (slot >> 6));
  if (slot == slotOf(firstFarPs)) findFirst(slot);
}

/** The first slot with events after this one, around the wheel. */
function findFirst(slot: u32): void {
  if (!summary) {
    firstFarPs = NEVER;
    return;
  }
  const bits = load<u64>(bitmap + (<usize>(slot >> 6) << 3)) >> (slot & 63);
  let ahead: u32 = bits ? <u32>ctz(bits) : 0;
  if (!bits) {
    // The words behind, around to this one.
    const words = rotr<u64>(summary, ((slot >> 6) + 1) & 63);
    const word = ((slot >> 6) + 1 + <u32>ctz(words)) & (WORDS - 1);
    ahead = ((word << 6) + <u32>ctz(load<u64>(bitmap + (<usize>word << 3))) - slot) & (SLOTS - 1);
  }
  firstFarPs += <i64>ahead << shift;
}
