/**
 * Hash table from (16-byte address, 40-bit word) to a 24-bit value, Swiss-table style.
 *
 * Groups of 16 one-byte tags are compared in parallel by SIMD; entries of 32 bytes are stored separately, so that a hit costs
 * two cache lines. Probing is linear over groups. A key that overflows a full group sets one of eight overflow bits of the
 * group ("passes"), chosen by its hash; a lookup continues past a group only if its bit is set, so that most misses examine
 * one group even in a full table. At most 14 of 16 slots are used, so some group has a free slot and ends every probe.
 * Deletion moves an overflowed entry back into the hole, so there are no tombstones. Overflow bits of removed keys stay
 * until their group has a free slot again: in a full table a miss examines 1.4 groups at first and 1.7 after many turnovers.
 *
 * Passes: like the overflow byte of boost::unordered_flat_map (Boost 1.81, "Rationale"), but stored separately, because hits
 * in the home group don't read it.
 *
 * Entry: address u64 low, u64 high | word (40 bits), value (24 bits) | 56 bits for the owner of the entry, and 8 zero bits.
 */
import { FLOW_BYTES, FLOW_KEY, FLOW_STAMP, TABLE_ENTRIES, TABLE_FREE, TABLE_GROUPS, TABLE_SLOTS, TABLE_TAGS,
  TABLE_USED } from '../../src/abi/layout';
import { bytesEqual, bytesWithHighBit } from '../memory/lanes';
import { allocate } from '../memory/map';
import { bucketOf, hashAddress } from './hash';

const SLOTS: u32 = TABLE_SLOTS;
const SLOTS_USED: u32 = 14;
const FREE = <u8>TABLE_FREE;
const WORD_MASK: u64 = 0xffffffffff;
const VALUE_SHIFT: u64 = 40;

@unmanaged
export class AddressTable {
  tags: usize;
  entries: usize;
  groups: u32;
  used: u32;
  capacity: u32;
  /** Address of a map from value to entry address, u32 each; 0 = none. */
  backReferences: u32;
  /** Address of the overflow bits, one byte per group. */
  passes: usize;
}

/** Fails the build if a layout does not match. */
export function checkTableLayout(): void {
  if (offsetof<AddressTable>('tags') != TABLE_TAGS) ERROR('AddressTable.tags');
  if (offsetof<AddressTable>('entries') != TABLE_ENTRIES) ERROR('AddressTable.entries');
  if (offsetof<AddressTable>('groups') != TABLE_GROUPS) ERROR('AddressTable.groups');
  if (offsetof<AddressTable>('used') != TABLE_USED) ERROR('AddressTable.used');
}

/** Lays out an empty table with its descriptor at `at`; `backReferences`: see `AddressTable`. */
export function makeAddressTable(at: usize, capacity: u32, backReferences: usize): AddressTable {
  const table = changetype<AddressTable>(at);
  const groups = (capacity + SLOTS_USED - 1) / SLOTS_USED;
  table.groups = groups;
  table.used = 0;
  table.capacity = capacity;
  table.backReferences = <u32>backReferences;
  table.tags = allocate(<usize>groups * SLOTS);
  table.passes = allocate(groups);
  table.entries = allocate(<usize>groups * SLOTS * FLOW_BYTES);
  return table;
}

/** Initialises the table's memory. Call after memory has grown to include it. */
export function clearAddressTable(table: AddressTable): void {
  memory.fill(table.tags, FREE, <usize>table.groups * SLOTS);
  memory.fill(table.passes, 0, table.groups);
}

@inline export function tagOf(hash: u64): u8 {
  return <u8>(hash >> 57);
}

@inline function passesOf(table: AddressTable, group: u32): u32 {
  return load<u8>(table.passes + <usize>group);
}

@inline function setPasses(table: AddressTable, group: u32, bits: u32): void {
  store<u8>(table.passes + <usize>group, bits);
}

/** The overflow bit of a key. */
@inline function passBit(hash: u64): u32 {
  const bit = <u32>(hash >> 52) & 7;
  return 1 << bit;
}

@inline function entryAt(table: AddressTable, slot: u32): usize {
  return slotEntry(table.entries, slot);
}

@inline function slotEntry(entries: usize, slot: u32): usize {
  return entries + <usize>slot * FLOW_BYTES;
}

@inline export function valueOf(entry: usize): u32 {
  return <u32>(load<u64>(entry, FLOW_KEY) >> VALUE_SHIFT);
}

@inline export function wordOf(entry: usize): u64 {
  return load<u64>(entry, FLOW_KEY) & WORD_MASK;
}

/** Prefetches an entry by storing 0 to its zero byte: unlike a load, a store does not stall. */
@inline export function fetchEntry(entry: usize): void {
  store<u8>(entry, 0, FLOW_STAMP + 7);
}

@inline function entryHash(entry: usize): u64 {
  return hashAddress(load<u64>(entry), load<u64>(entry, 8), wordOf(entry));
}

/** The entry of this key, or 0. Takes the table's fields as arguments: in a loop with stores they would be reloaded. */
@inline export function findIn(table: AddressTable, tags: usize, entries: usize, groups: u32, low: u64, high: u64,
  word: u64, hash: u64): usize {
  const group = bucketOf(hash, groups);
  let match = bytesEqual(tags + (<usize>group << 4), tagOf(hash));
  while (match) {
    const entry = slotEntry(entries, (group << 4) + ctz(match));
    if (isOf(entry, low, high, word)) return entry;
    match &= match - 1;
  }
  return mayBeBeyond(table, group, hash) ? findEntry(table, low, high, word, hash) : 0;
}

/** Whether a key that is not in this group can be in a later one. */
@inline function mayBeBeyond(table: AddressTable, group: u32, hash: u64): bool {
  return (passesOf(table, group) & passBit(hash)) != 0;
}

@inline function isOf(entry: usize, low: u64, high: u64, word: u64): bool {
  return load<u64>(entry) == low && load<u64>(entry, 8) == high && wordOf(entry) == word;
}

/** The entry of this key, or 0. Not inlined, because few lookups of a batch need it. */
function findEntry(table: AddressTable, low: u64, high: u64, word: u64, hash: u64): usize {
  const wanted = tagOf(hash);
  let group = bucketOf(hash, table.groups);
  for (;;) {
    for (let match = bytesEqual(table.tags + (<usize>group << 4), wanted); match; match &= match - 1) {
      const entry = entryAt(table, (group << 4) + ctz(match));
      if (isOf(entry, low, high, word)) return entry;
    }
    if (!mayBeBeyond(table, group, hash)) return 0;
    group = next(group, table.groups);
  }
  return 0;
}

/** The entry of this key, or 0. `address`: address of the 16 bytes. */
export function lookUp(table: AddressTable, address: usize, word: u64): usize {
  const low = load<u64>(address);
  const high = load<u64>(address, 8);
  return findEntry(table, low, high, word, hashAddress(low, high, word));
}

/** Address of the first tags that a lookup reads. */
@inline export function tagsOf(table: AddressTable, hash: u64): usize {
  return table.tags + (<usize>bucketOf(hash, table.groups) << 4);
}

/**
 * First half of a lookup, separate so that cache misses overlap: the first entry with this key's tag, found with tags and
 * overflow bits only; 0 if there is none, so that the key is not in the table.
 */
@inline export function candidateOf(table: AddressTable, hash: u64): usize {
  return candidateIn(table, table.tags, table.entries, table.groups, hash);
}

/** `candidateOf` with the table's fields as arguments, for loops. */
@inline export function candidateIn(table: AddressTable, tags: usize, entries: usize, groups: u32,
  hash: u64): usize {
  const wanted = tagOf(hash);
  let group = bucketOf(hash, groups);
  for (;;) {
    const match = bytesEqual(tags + (<usize>group << 4), wanted);
    if (match) return slotEntry(entries, (group << 4) + ctz(match));
    if (!mayBeBeyond(table, group, hash)) return 0;
    group = next(group, groups);
  }
  return 0;
}

/** Second half of a lookup: the entry of this key, or 0. `candidate`: result of `candidateOf`. */
@inline export function confirm(table: AddressTable, candidate: usize, low: u64, high: u64, word: u64,
  hash: u64): usize {
  if (!candidate) return 0;
  if (isOf(candidate, low, high, word)) return candidate;
  return findEntry(table, low, high, word, hash);
}

/** Number of groups that a lookup of this key examines. */
export function probesOf(table: AddressTable, address: usize, word: u64): u32 {
  const found = lookUp(table, address, word);
  const hash = hashAddress(load<u64>(address), load<u64>(address, 8), word);
  let group = bucketOf(hash, table.groups);
  let probes: u32 = 1;
  while (!isIn(table, group, found) && passesOf(table, group) & passBit(hash)) {
    group = next(group, table.groups);
    probes++;
  }
  return probes;
}

@inline function isIn(table: AddressTable, group: u32, entry: usize): bool {
  const first = entryAt(table, group << 4);
  return entry >= first && entry < first + SLOTS * FLOW_BYTES;
}

@inline function freeSlots(table: AddressTable, group: u32): i32 {
  return bytesWithHighBit(table.tags + (<usize>group << 4));
}

/** Adds a key that is not in the table; returns 0 if the table is full. */
export function insertEntry(table: AddressTable, address: usize, word: u64, value: u32): usize {
  if (table.used == table.capacity) return 0;
  const low = load<u64>(address);
  const high = load<u64>(address, 8);
  const hash = hashAddress(low, high, word);
  let group = bucketOf(hash, table.groups);
  let free = freeSlots(table, group);
  while (!free) {
    setPasses(table, group, passesOf(table, group) | passBit(hash));
    group = next(group, table.groups);
    free = freeSlots(table, group);
  }
  const slot = (group << 4) + ctz(free);
  const entry = entryAt(table, slot);
  store<u8>(table.tags + <usize>slot, tagOf(hash));
  store<u64>(entry, low);
  store<u64>(entry, high, 8);
  store<u64>(entry, word | (<u64>value << VALUE_SHIFT), FLOW_KEY);
  store<u64>(entry, 0, FLOW_STAMP);
  table.used++;
  noteEntry(table, entry);
  return entry;
}

function noteEntry(table: AddressTable, entry: usize): void {
  if (table.backReferences) store<u32>(<usize>table.backReferences + (<usize>valueOf(entry) << 2), <u32>entry);
}

/** Removes an entry and closes the gap that it leaves in probe sequences. */
export function eraseEntry(table: AddressTable, entry: usize): void {
  let hole = <u32>((entry - table.entries) / FLOW_BYTES);
  table.used--;
  for (;;) {
    const group = hole >> 4;
    store<u8>(table.tags + <usize>hole, FREE);
    const mover = passerBy(table, group);
    if (mover == u32.MAX_VALUE) return setPasses(table, group, 0);
    store<u8>(table.tags + <usize>hole, load<u8>(table.tags + <usize>mover));
    memory.copy(entryAt(table, hole), entryAt(table, mover), FLOW_BYTES);
    noteEntry(table, entryAt(table, hole));
    hole = mover;
  }
}

/** A slot after `group` whose key overflowed that group; u32.MAX_VALUE if there is none. */
function passerBy(table: AddressTable, group: u32): u32 {
  const groups = table.groups;
  let before = group;
  for (let distance: u32 = 1; distance < groups && passesOf(table, before); distance++) {
    const at = next(before, groups);
    const free = freeSlots(table, at);
    for (let i: u32 = 0; i < SLOTS; i++) {
      if (free & (1 << i)) continue;
      const home = bucketOf(entryHash(entryAt(table, (at << 4) + i)), groups);
      const walked = at >= home ? at - home : at + groups - home;
      if (walked >= distance) return (at << 4) + i;
    }
    before = at;
  }
  return u32.MAX_VALUE;
}

@inline function next(group: u32, groups: u32): u32 {
  return group + 1 == groups ? 0 : group + 1;
}

/**
 * Whether a restored table is valid: every probe ends, and every entry can be found. `limit`: exclusive upper bound of the
 * values. The descriptor's addresses and sizes have been checked.
 */
export function isSound(table: AddressTable, limit: u32): bool {
  const slots = table.groups * SLOTS;
  let used: u32 = 0;
  for (let slot: u32 = 0; slot < slots; slot++) {
    const tag = load<u8>(table.tags + <usize>slot);
    if (tag > FREE) return false;
    used += <u32>(tag != FREE);
  }
  if (used != table.used || used > table.capacity) return false;
  for (let group: u32 = 0; group < table.groups; group++) {
    if (freeSlots(table, group) && passesOf(table, group)) return false;
  }
  for (let slot: u32 = 0; slot < slots; slot++) {
    const entry = entryAt(table, slot);
    if (load<u8>(table.tags + <usize>slot) == FREE) continue;
    if (valueOf(entry) >= limit || lookUp(table, entry, wordOf(entry)) != entry) return false;
  }
  return true;
}

/** Whether this is the address of a used entry. */
export function holds(table: AddressTable, entry: usize): bool {
  const distance = entry - table.entries;
  const slot = distance / FLOW_BYTES;
  if (entry < table.entries || slot >= <usize>table.groups * SLOTS || distance % FLOW_BYTES) return false;
  return load<u8>(table.tags + slot) != FREE;
}
