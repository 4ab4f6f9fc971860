/** Bitmap of the wheel's slots that have events, with a summary bit per word. */
import { SIM_NONE } from '../../src/abi/sim-codes';
import { allocate } from '../memory/map';

let bitmap: usize = 0;
let summary: usize = 0;
let words: u32 = 0;

/** @param slotBits 12 or more, so that the summary has whole words. */
export function allocateBitmap(slotBits: u32): void {
  words = 1 << (slotBits - 6);
  bitmap = allocate(<usize>words << 3);
  summary = allocate(<usize>(words >> 6) << 3);
}

export function clearBitmap(): void {
  memory.fill(bitmap, 0, <usize>words << 3);
  memory.fill(summary, 0, <usize>(words >> 6) << 3);
}

/** Marks a slot; returns whether it already had events. */
@inline export function markSlot(slot: u32): bool {
  const word = slot >> 6;
  const bit = (1 as u64) << (slot & 63);
  const at = bitmap + (<usize>word << 3);
  const bits = load<u64>(at);
  if (bits & bit) return true;
  store<u64>(at, bits | bit);
  if (bits) return false;
  const over = summary + (<usize>(word >> 6) << 3);
  store<u64>(over, load<u64>(over) | ((1 as u64) << (word & 63)));
  return false;
}

@inline export function clearSlot(slot: u32): void {
  const word = slot >> 6;
  const at = bitmap + (<usize>word << 3);
  const left = load<u64>(at) & ~((1 as u64) << (slot & 63));
  store<u64>(at, left);
  if (left) return;
  const over = summary + (<usize>(word >> 6) << 3);
  store<u64>(over, load<u64>(over) & ~((1 as u64) << (word & 63)));
}

/** The first slot with events from this one on, cyclically; SIM_NONE if there is none. */
@inline export function firstSlotFrom(from: u32): u32 {
  const word = from >> 6;
  const bits = load<u64>(bitmap + (<usize>word << 3)) >> (from & 63);
  if (bits) return from + <u32>ctz(bits);
  return firstSlotBehind(word);
}

/** Like `firstSlotFrom`, from the next word on, cyclically up to this word. */
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
