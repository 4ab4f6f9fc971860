/**
 * Keyed hash of a flow key: multilinear over 32-bit words with random 64-bit hash keys, two words per multiplication,
 * finished by xor-shift-multiply so that all bits are usable. It is universal: without the hash keys no one can
 * construct colliding flow keys. a0..a3 are the words of the address.
 *
 * h = k0 + (k1 + a0) (k2 + a1) + (k3 + a2) (k4 + a3) + (k5 + QPN) (k6 + endpoint)   mod 2^64
 *
 * Source: Lemire and Kaser, "Strongly universal string hashing is fast", 2014, MULTILINEAR-HM. Not a pseudo-random
 * function: an observer of hash-dependent timing may learn about the keys.
 */
import { HASH_KEYS_ADDRESS } from '../../src/abi/layout';

let k0: u64 = 0;
let k1: u64 = 0;
let k2: u64 = 0;
let k3: u64 = 0;
let k4: u64 = 0;
let k5: u64 = 0;
let k6: u64 = 0;

const FINISH: u64 = 0x9fb21c651e98df25;

export function readHashKeys(): void {
  k0 = load<u64>(HASH_KEYS_ADDRESS);
  k1 = load<u64>(HASH_KEYS_ADDRESS, 8);
  k2 = load<u64>(HASH_KEYS_ADDRESS, 16);
  k3 = load<u64>(HASH_KEYS_ADDRESS, 24);
  k4 = load<u64>(HASH_KEYS_ADDRESS, 32);
  k5 = load<u64>(HASH_KEYS_ADDRESS, 40);
  k6 = load<u64>(HASH_KEYS_ADDRESS, 48);
}

@inline function finish(sum: u64): u64 {
  sum ^= sum >> 32;
  sum *= FINISH;
  return sum ^ (sum >> 29);
}

/** `word`: QPN in bits 0..23, endpoint in bits 24..39. */
@inline export function hashWord(word: u64): u64 {
  return finish(k0 + (k5 + (word & 0xffffff)) * (k6 + (word >> 24)));
}

/** Hash of a 16-byte address, as two u64 in memory byte order, and a word as in `hashWord`. */
@inline export function hashAddress(low: u64, high: u64, word: u64): u64 {
  return finish(k0 + (k1 + (low & 0xffffffff)) * (k2 + (low >> 32)) + (k3 + (high & 0xffffffff)) * (k4 + (high >> 32)) +
    (k5 + (word & 0xffffff)) * (k6 + (word >> 24)));
}

/** Maps a hash to any number of buckets without a division: the high half of (low 32 bits of the hash) x buckets. */
@inline export function bucketOf(hash: u64, buckets: u32): u32 {
  return <u32>(((hash & 0xffffffff) * <u64>buckets) >> 32);
}
