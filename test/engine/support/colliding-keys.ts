/**
 * Finds keys that collide under a known seed: addresses 2001:db8::n (n is the last 32 bits) to peer QPN 5 at endpoint 0
 * whose home groups lie in the same small part of the flow table.
 *
 * The hash is that of assembly/table/hash.ts. Only its term k3 (k4 + n') depends on n, where n' is n as a little-endian
 * load reads it, so candidates are tried in order of n'.
 */
import { HASH_KEYS_ADDRESS, HASH_KEY_COUNT } from '../../../src/abi/layout.js';
import { MemoryViews } from '../../../src/engine/memory-views.js';
import { writeHashKeys } from '../../../src/engine/set-up.js';

const FINISH = 0x9fb21c651e98df25n;
const MASK = (1n << 64n) - 1n;
const PEER_QPN = 5n;
/** 2001:0db8 as a little-endian load reads it. */
const FIRST_WORD = 0xb80d0120n;
const SLOTS_USED = 14;
const ATTACKED_GROUPS = 32;

/** Returns `count` keys for a table of this capacity. */
export function collidingKeys(seed: number, capacity: number, count: number): number[] {
  const groups = Math.ceil(capacity / SLOTS_USED);
  const limit = (ATTACKED_GROUPS / groups) * 2 ** 32;
  const [k0, k1, k2, k3, k4, k5, k6] = keysOf(seed);
  const base = (k0 + (k1 + FIRST_WORD) * k2 + k3 * k4 + (k5 + PEER_QPN) * k6) & MASK;
  const [stepHigh, stepLow] = halves(k3);
  let [high, low] = halves(base);
  const found: number[] = [];
  for (let word = 0; found.length < count; word++) {
    if (finishedLow(high, low) < limit) found.push(swapBytes(word));
    const sum = low + stepLow;
    low = sum >>> 0;
    high = (high + stepHigh + (sum > 0xffffffff ? 1 : 0)) >>> 0;
  }
  return found;
}

type HashKeys = [bigint, bigint, bigint, bigint, bigint, bigint, bigint];

function keysOf(seed: number): HashKeys {
  const buffer = new ArrayBuffer(HASH_KEYS_ADDRESS + 8 * HASH_KEY_COUNT);
  writeHashKeys(new MemoryViews(buffer), seed);
  return [...new BigUint64Array(buffer, HASH_KEYS_ADDRESS, 7)] as HashKeys;
}

const halves = (value: bigint): [number, number] => [Number(value >> 32n), Number(value & 0xffffffffn)];
const [FINISH_HIGH, FINISH_LOW] = halves(FINISH);

/** The low 32 bits of the hash after its final mixing. */
function finishedLow(high: number, low: number): number {
  const mixed = (low ^ high) >>> 0;
  const productLow = Math.imul(mixed, FINISH_LOW) >>> 0;
  const productHigh = (highProduct(mixed, FINISH_LOW) + Math.imul(mixed, FINISH_HIGH) + Math.imul(high, FINISH_LOW)) >>>
    0;
  return (productLow ^ ((productLow >>> 29) | (productHigh << 3))) >>> 0;
}

/** High 32 bits of the product of two 32-bit numbers. */
function highProduct(a: number, b: number): number {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff];
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = aLow * bHigh + (middle & 0xffff);
  return (aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(carry / 65536)) >>> 0;
}

function swapBytes(word: number): number {
  return ((word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24)) >>> 0;
}
