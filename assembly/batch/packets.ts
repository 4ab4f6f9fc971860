/**
 * The raw-packet loop: passes over blocks of 64 frames (one frame with few QPs), so that cache misses overlap.
 *
 *   1 parse and classify each frame, find its endpoints, hash its key;    frame-keys.ts
 *   2 read the tags, fetch their entries,
 *     then the QP records of these entries;                               frame-keys.ts
 *   3 find the QPs and apply the event, in frame order.                   frame-outcome.ts
 */
import { COUNTER_PACKETS_IN } from '../../src/abi/layout';
import { count } from '../memory/counters';
import { BLOCK, qpCapacity } from '../memory/map';
import { clearOutputs } from '../trace/ring';
import { scratchOf } from './frame';
import { findCandidates, isFar, prepare, touchRecords } from './frame-keys';
import { resolve } from './frame-outcome';

/** Below this many QPs, tables and records stay cached: frames are processed one by one, without reading ahead. */
const TOUCH_FROM: u32 = 4096;

/** Parses and applies the first `n` frames of the descriptor region. */
export function applyPackets(n: u32): void {
  clearOutputs();
  const blockFrames: u32 = qpCapacity < TOUCH_FROM ? 1 : BLOCK;
  for (let from: u32 = 0; from < n; from += blockFrames) {
    const end = min(from + blockFrames, n);
    for (let i = from; i < end; i++) prepare(i, scratchOf(i));
    if (isFar()) findCandidates(end - from);
    if (blockFrames > 1) { for (let i = from; i < end; i++) touchRecords(scratchOf(i)); }
    for (let i = from; i < end; i++) resolve(i, scratchOf(i));
  }
  count(COUNTER_PACKETS_IN, n);
}
