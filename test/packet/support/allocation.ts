/** Growth of the JavaScript heap while frames are dissected, as in bench/support/allocation.ts. */
import { getHeapStatistics } from 'node:v8';
import { Dissection, dissectInto, type DissectionRules } from '../../../src/packet/index.js';

/** Frames between two readings of the heap: few enough that garbage collection rarely happens in between. */
const ROUND = 8192;
/** Rounds until V8's optimizing compiler has compiled all functions on the path. */
const WARM_UP_ROUNDS = 32;
const ATTEMPTS = 3;

/** Bytes per frame over `count` frames; the least of three attempts, since V8's compiler allocates in the first ones. */
export function measureDissection(frames: readonly Uint8Array[], count: number, rules: DissectionRules): number {
  const dissection = new Dissection();
  for (let round = 0; round < WARM_UP_ROUNDS; round++) dissectRound(dissection, frames, rules);
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    let grownBytes = 0;
    let done = 0;
    for (; done < count; done += ROUND) {
      const before = getHeapStatistics().used_heap_size;
      dissectRound(dissection, frames, rules);
      grownBytes += Math.max(0, getHeapStatistics().used_heap_size - before);
    }
    least = Math.min(least, grownBytes / done);
  }
  return least;
}

function dissectRound(dissection: Dissection, frames: readonly Uint8Array[], rules: DissectionRules): void {
  for (let i = 0; i < ROUND; i++) {
    const frame = frames[i % frames.length]!;
    dissectInto(dissection, frame, frame.length, rules);
  }
}
