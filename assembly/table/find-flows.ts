/**
 * Batched lookups of flows, for hosts that keep their own state per flow.
 *
 * Key, 32 bytes: address 16 | endpoint u32 | peer QPN u32 | 8 free. Result: QP or NONE, u32.
 *
 * In tables of moderate size, keys are looked up one by one. In larger ones, blocks of keys are processed in passes, so that
 * cache misses overlap: hash all keys; read their tag lines, in a loop so short that many reads overlap; find the
 * candidates by the tags and fetch their entries; compare keys.
 */
import { NONE } from '../../src/abi/codes';
import { BLOCK, qpCapacity, scratch } from '../memory/map';
import { candidateIn, confirm, fetchEntry, findIn } from './address-table';
import { flowWord, flows, NEAR_QPS, qpOfFlow } from './flow-table';
import { bucketOf, hashAddress } from './hash';

const KEY_BYTES: usize = 32;
const KEY_ENDPOINT: usize = 16;
const KEY_QPN: usize = 20;

// Scratch memory of a key: hash u64 | address of its tags, later of its candidate u32.
const PLAN_BYTES: usize = 16;
const TAGS: usize = 8;
const CANDIDATE: usize = 8;

/** Stores the results of prefetching loads, so that they are not optimised away. */
let sink: u32 = 0;

/** Looks up `n` keys at `keys`; writes a QP or NONE for each to `results`. */
export function findFlows(keys: usize, results: usize, n: u32): void {
  if (qpCapacity <= NEAR_QPS) return findOneByOne(keys, results, n);
  for (let from: u32 = 0; from < n; from += BLOCK) {
    const block = keys + <usize>from * KEY_BYTES;
    const blockKeys = min(BLOCK, n - from);
    hashKeys(block, blockKeys);
    readTags(blockKeys);
    findCandidates(blockKeys);
    confirmKeys(block, results + (<usize>from << 2), blockKeys);
  }
}

@inline function keyWord(key: usize): u64 {
  return flowWord(load<u32>(key, KEY_ENDPOINT), load<u32>(key, KEY_QPN));
}

@inline function qpOrNone(entry: usize): u32 {
  return entry ? qpOfFlow(entry) : NONE;
}

function findOneByOne(keys: usize, results: usize, n: u32): void {
  const tags = flows.tags;
  const entries = flows.entries;
  const groups = flows.groups;
  for (let i: u32 = 0; i < n; i++) {
    const key = keys + <usize>i * KEY_BYTES;
    const low = load<u64>(key);
    const high = load<u64>(key, 8);
    const word = keyWord(key);
    store<u32>(results + (<usize>i << 2),
      qpOrNone(findIn(flows, tags, entries, groups, low, high, word, hashAddress(low, high, word))));
  }
}

function hashKeys(keys: usize, n: u32): void {
  const tags = flows.tags;
  const groups = flows.groups;
  for (let i: u32 = 0; i < n; i++) {
    const key = keys + <usize>i * KEY_BYTES;
    const plan = scratch + <usize>i * PLAN_BYTES;
    const hash = hashAddress(load<u64>(key), load<u64>(key, 8), keyWord(key));
    store<u64>(plan, hash);
    store<u32>(plan, <u32>tags + (bucketOf(hash, groups) << 4), TAGS);
  }
}

function readTags(n: u32): void {
  let read: u32 = 0;
  for (let plan = scratch, end = scratch + <usize>n * PLAN_BYTES; plan < end; plan += PLAN_BYTES)
    read += load<u8>(load<u32>(plan, TAGS));
  sink += read;
}

function findCandidates(n: u32): void {
  const tags = flows.tags;
  const entries = flows.entries;
  const groups = flows.groups;
  for (let i: u32 = 0; i < n; i++) {
    const plan = scratch + <usize>i * PLAN_BYTES;
    const candidate = candidateIn(flows, tags, entries, groups, load<u64>(plan));
    store<u32>(plan, <u32>candidate, CANDIDATE);
    if (candidate) fetchEntry(candidate);
  }
}

function confirmKeys(keys: usize, results: usize, n: u32): void {
  for (let i: u32 = 0; i < n; i++) {
    const key = keys + <usize>i * KEY_BYTES;
    const plan = scratch + <usize>i * PLAN_BYTES;
    const candidate = load<u32>(plan, CANDIDATE);
    const entry = confirm(flows, candidate, load<u64>(key), load<u64>(key, 8), keyWord(key), load<u64>(plan));
    store<u32>(results + (<usize>i << 2), qpOrNone(entry));
  }
}
