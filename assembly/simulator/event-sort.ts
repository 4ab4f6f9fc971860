/**
 * Sorts the events of one slot by their keys: keys are unique, so the order is total.
 *
 * Few     by insertion, while they are moved: they are nearly sorted already.
 * Many    runs of RUN by insertion, then merged in pairs, from one buffer into the other and back. A thousand hosts that send
 *         simultaneously put thousands of events into one slot.
 */

/** An event of the current slot: its key and its number. */
@unmanaged
export class Due {
  key: u64;
  index: u32;
  free: u32;
}

export const DUE_BYTES: usize = 16;
const RUN_BYTES: usize = 16 * DUE_BYTES;

@inline function keyAt(at: usize): u64 {
  return load<u64>(at);
}

@inline export function copyDue(to: usize, from: usize): void {
  store<u64>(to, load<u64>(from));
  store<u32>(to, load<u32>(from, 8), 8);
}

/** Inserts an event into the sorted events from `at` to `end`; the entry just before `at` is free. */
@inline export function putInOrder(at: usize, end: usize, key: u64, index: u32): void {
  let place = at;
  while (place != end && keyAt(place) < key) {
    copyDue(place - DUE_BYTES, place);
    place += DUE_BYTES;
  }
  store<u64>(place - DUE_BYTES, key);
  store<u32>(place - DUE_BYTES, index, 8);
}

/** Sorts the `bytes` bytes before `end`, using a buffer of the same size before `other`. Returns the end of the sorted one. */
export function sortMany(end: usize, other: usize, bytes: usize): usize {
  for (let from = end - bytes; from < end; from += RUN_BYTES) sortRun(from, min(from + RUN_BYTES, end));
  let to = other;
  let source = end;
  for (let run = RUN_BYTES; run < bytes; run <<= 1) {
    mergeRuns(source - bytes, source, to - bytes, run);
    const swapped = source;
    source = to;
    to = swapped;
  }
  return source;
}

function sortRun(from: usize, end: usize): void {
  for (let at = end - DUE_BYTES; at > from; at -= DUE_BYTES) {
    const before = at - DUE_BYTES;
    putInOrder(at, end, keyAt(before), load<u32>(before, 8));
  }
}

/** Merges the runs of `run` bytes between `from` and `end` in pairs, to `to`. */
function mergeRuns(from: usize, end: usize, to: usize, run: usize): void {
  let at = to;
  for (let left = from; left < end; left += 2 * run) {
    const middle = min(left + run, end);
    at = mergeTwo(left, middle, min(middle + run, end), at);
  }
}

function mergeTwo(from: usize, middle: usize, end: usize, to: usize): usize {
  let left = from;
  let right = middle;
  let at = to;
  while (left < middle || right < end) {
    const takesLeft = right == end || (left < middle && keyAt(left) < keyAt(right));
    copyDue(at, takesLeft ? left : right);
    if (takesLeft) left += DUE_BYTES;
    else right += DUE_BYTES;
    at += DUE_BYTES;
  }
  return at;
}
