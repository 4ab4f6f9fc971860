/**
 * The second wheel: events beyond the reach of the first one (event-queue.ts), mostly timeouts, in slots half as wide as that
 * reach. When the run reaches a slot, its events move to the first wheel, which can then hold all of them.
 */
import { allocate } from '../memory/map';
import { Event, eventAt } from './event-records';
import { SIM_NONE } from '../../src/abi/sim-codes';

/** Value of an event's `heapPlace` if it is in this wheel. */
export const IN_FAR_WHEEL: u32 = 0xffffffff;
const SLOT_BITS: u32 = 12;
const SLOTS: u32 = 1 << SLOT_BITS;
const WORDS: u32 = SLOTS >> 6;
const NEVER: i64 = i64.MAX_VALUE;

/** The first event of each slot, u32; undefined if the slot's bit in the bitmap is 0. */
let heads: usize = 0;
let bitmap: usize = 0;
/** One bit per word of the bitmap: whether the word is not 0. */
let summary: u64 = 0;
let shift: i64 = 0;
/** Start of the first slot with events; NEVER if there is none. */
export let firstFarPs: i64 = NEVER;

export function allocateFarWheel(): void {
  heads = allocate(<usize>SLOTS << 2);
  bitmap = allocate(<usize>WORDS << 3);
}

/** Clears the wheel; slots are 2^slotShift ps wide. */
export function clearFarWheel(slotShift: i64): void {
  memory.fill(bitmap, 0, <usize>WORDS << 3);
  summary = 0;
  shift = slotShift;
  firstFarPs = NEVER;
}

/** Whether the interval between two times is within the wheel's reach. */
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

/** Removes an event of this wheel. */
export function removeFar(event: Event): void {
  event.heapPlace = 0;
  if (event.next != SIM_NONE) eventAt(event.next).before = event.before;
  if (event.before != SIM_NONE) eventAt(event.before).next = event.next;
  else if (event.next != SIM_NONE) store<u32>(headOf(slotOf(event.timePs)), event.next);
  else clearSlot(slotOf(event.timePs));
}

/** Removes the events of the first slot that has any; returns the first, the others follow by `next`. */
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

/** Finds the first slot with events after this one, cyclically. */
function findFirst(slot: u32): void {
  if (!summary) {
    firstFarPs = NEVER;
    return;
  }
  const bits = load<u64>(bitmap + (<usize>(slot >> 6) << 3)) >> (slot & 63);
  let ahead: u32 = bits ? <u32>ctz(bits) : 0;
  if (!bits) {
    // The following words, cyclically, up to this one.
    const words = rotr<u64>(summary, ((slot >> 6) + 1) & 63);
    const word = ((slot >> 6) + 1 + <u32>ctz(words)) & (WORDS - 1);
    ahead = ((word << 6) + <u32>ctz(load<u64>(bitmap + (<usize>word << 3))) - slot) & (SLOTS - 1);
  }
  firstFarPs += <i64>ahead << shift;
}
