/**
 * Hash table from (endpoint, local QPN) to QP. A bucket is one cache line of eight 8-byte slots.
 *
 * Slot: endpoint and QPN (40 bits) above the QP (24 bits); all ones = free. Probing is linear over buckets and ends at
 * the first bucket with a free slot; at most 7 of 8 slots are used; deletion moves entries back as in address-table.ts.
 */
import { NONE } from '../../src/abi/codes';
import { VECTORS } from '../memory/lanes';
import { allocate } from '../memory/map';
import { bucketOf, hashWord } from './hash';

const SLOTS: u32 = 8;
const SLOTS_USED: u32 = 7;
const FREE: u64 = u64.MAX_VALUE;
const QP_BITS: u64 = 24;
const QP_MASK: u64 = 0xffffff;

let table: usize = 0;
let buckets: u32 = 0;

export function makeQpnTable(capacity: u32): void {
  buckets = (capacity + SLOTS_USED - 1) / SLOTS_USED;
  table = allocate(<usize>buckets << 6);
}

export function clearQpnTable(): void {
  memory.fill(table, 0xff, <usize>buckets << 6);
}

@inline export function bucketAddress(hash: u64): usize {
  return table + (<usize>bucketOf(hash, buckets) << 6);
}

@inline function slotAddress(bucket: u32, slot: u32): usize {
  return table + (<usize>bucket << 6) + (<usize>slot << 3);
}

/** A mask of this line's slots: bit i is set if slot i holds `word`. */
@inline function matches(line: usize, word: u64): i32 {
  return VECTORS ? matchesOfVectors(line, word) : matchesOfSlots(line, word);
}

/** `matches` in builds without SIMD. */
@inline function matchesOfSlots(line: usize, word: u64): i32 {
  let match = 0;
  for (let slot: u32 = 0; slot < SLOTS; slot++) {
    match |= <i32>(load<u64>(line + (<usize>slot << 3)) >> QP_BITS == word) << slot;
  }
  return match;
}

@inline function matchesOfVectors(line: usize, word: u64): i32 {
  const wanted = i64x2.splat(<i64>word);
  const a = i64x2.bitmask(i64x2.eq(i64x2.shr_u(v128.load(line), <i32>QP_BITS), wanted));
  const b = i64x2.bitmask(i64x2.eq(i64x2.shr_u(v128.load(line, 16), <i32>QP_BITS), wanted));
  const c = i64x2.bitmask(i64x2.eq(i64x2.shr_u(v128.load(line, 32), <i32>QP_BITS), wanted));
  const d = i64x2.bitmask(i64x2.eq(i64x2.shr_u(v128.load(line, 48), <i32>QP_BITS), wanted));
  return a | (b << 2) | (c << 4) | (d << 6);
}

/** Whether the bucket is full: slots fill from the front, so the last one shows it. */
@inline function isFull(line: usize): bool {
  return load<u64>(line, 56) != FREE;
}

/** The QP of (endpoint, local QPN), `word` as in hash.ts, or NONE. */
@inline export function findQpn(word: u64, hash: u64): u32 {
  let bucket = bucketOf(hash, buckets);
  for (;;) {
    const line = table + (<usize>bucket << 6);
    const match = matches(line, word);
    if (match) return <u32>(load<u64>(line + (<usize>ctz(match) << 3)) & QP_MASK);
    if (!isFull(line)) return NONE;
    bucket = next(bucket);
  }
  return NONE;
}

/** Adds a key that is not in the table; the caller must not exceed the capacity. */
export function insertQpn(word: u64, qp: u32): void {
  let bucket = bucketOf(hashWord(word), buckets);
  while (isFull(slotAddress(bucket, 0))) bucket = next(bucket);
  let slot: u32 = 0;
  while (load<u64>(slotAddress(bucket, slot)) != FREE) slot++;
  store<u64>(slotAddress(bucket, slot), (word << QP_BITS) | <u64>qp);
}

export function eraseQpn(word: u64): void {
  let bucket = bucketOf(hashWord(word), buckets);
  for (;;) {
    const match = matches(slotAddress(bucket, 0), word);
    if (match) {
      fillHole(bucket, ctz(match));
      return;
    }
    if (!isFull(slotAddress(bucket, 0))) return;
    bucket = next(bucket);
  }
}

/** Moves back keys that overflowed the bucket of the hole, then fills the hole with the bucket's last used slot. */
function fillHole(bucket: u32, slot: u32): void {
  while (isFull(slotAddress(bucket, 0))) {
    const mover = passerBy(bucket);
    if (!mover) break;
    store<u64>(slotAddress(bucket, slot), load<u64>(mover));
    bucket = <u32>((mover - table) >> 6);
    slot = <u32>((mover - table) >> 3) & 7;
  }
  let last: u32 = SLOTS - 1;
  while (load<u64>(slotAddress(bucket, last)) == FREE) last--;
  store<u64>(slotAddress(bucket, slot), load<u64>(slotAddress(bucket, last)));
  store<u64>(slotAddress(bucket, last), FREE);
}

/** Address of a slot after `bucket` whose key overflowed that bucket, or 0. */
function passerBy(bucket: u32): usize {
  let distance: u32 = 1;
  for (let at = next(bucket); at != bucket; at = next(at), distance++) {
    for (let i: u32 = 0; i < SLOTS; i++) {
      const value = load<u64>(slotAddress(at, i));
      if (value == FREE) return 0;
      const home = bucketOf(hashWord(value >> QP_BITS), buckets);
      const walked = at >= home ? at - home : at + buckets - home;
      if (walked >= distance) return slotAddress(at, i);
    }
  }
  return 0;
}

@inline function next(bucket: u32): u32 {
  return bucket + 1 == buckets ? 0 : bucket + 1;
}

/** Whether a restored table is valid: it has `keys` keys, of existing QPs, and slots are filled from the front. */
export function isQpnTableSound(keys: u32, qpCount: u32): bool {
  let used: u32 = 0;
  for (let bucket: u32 = 0; bucket < buckets; bucket++) {
    let isOver = false;
    for (let slot: u32 = 0; slot < SLOTS; slot++) {
      const value = load<u64>(slotAddress(bucket, slot));
      if (value == FREE) isOver = true;
      else if (isOver || (value & QP_MASK) >= <u64>qpCount) return false;
      else used++;
    }
  }
  return used == keys;
}
