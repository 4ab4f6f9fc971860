/**
 * A fingerprint of plain data: equal data have equal hashes in every JavaScript engine; not meant to withstand an
 * adversary.
 *
 *   FNV-1a, 64 bits: h = (h xor byte) * 0x100000001b3 mod 2^64, from 0xcbf29ce484222325
 *
 * over a canonical byte form: a tag for each value; numbers as IEEE 754 doubles, least significant byte first, -0 as 0;
 * strings as UTF-16 code units and arrays as their members, length before; objects as pairs, keys in order of code
 * units. What JSON leaves out (undefined) is left out, so data and their JSON read back have one hash.
 *
 * The product in two halves of 32 bits: 0x1b3 times each half stays below 2^41, exact in doubles, and 2^40 shifts the
 * low half by 8 into the high one.
 *
 * Source: Fowler, Noll, Vo; IETF draft-eastlake-fnv.
 */
import { RoceError } from '../../errors.js';
import type { SimResult } from '../result.js';

const OFFSET_HIGH = 0xcbf29ce4;
const OFFSET_LOW = 0x84222325;
const PRIME_LOW = 0x1b3;
const TWO_32 = 2 ** 32;

const TAG_NULL = 0;
const TAG_FALSE = 1;
const TAG_TRUE = 2;
const TAG_NUMBER = 3;
const TAG_STRING = 4;
const TAG_ARRAY = 5;
const TAG_OBJECT = 6;

/**
 * Hash of all of a result but its `hash` and `series.mostQueueBytes`, which results of this format did not have at
 * first, so that results of any version can be compared: of the scenario and the seed too, so that other seeds have
 * other hashes.
 *
 * @returns 16 hex digits.
 * @throws RoceError `invalid-argument` for what JSON can't hold (NaN, Infinity, functions), naming where.
 */
export function hashResult(result: Omit<SimResult, 'hash'>): string {
  const hash = new Fnv64();
  hash.addObject({ ...result, hash: undefined, series: { ...result.series, mostQueueBytes: undefined } }, 'result');
  return hash.digest();
}

/** Is the result what it was when it was made? */
export function isHashRight(result: SimResult): boolean {
  return result.hash === hashResult(result);
}

/** @returns 16 hex digits; of bytes alone, as published test vectors have it. */
export function fnv1a64(bytes: Uint8Array): string {
  const hash = new Fnv64();
  for (const byte of bytes) hash.addByte(byte);
  return hash.digest();
}

class Fnv64 {
  #high = OFFSET_HIGH;
  #low = OFFSET_LOW;
  readonly #bytes = new Uint8Array(8);
  readonly #view = new DataView(this.#bytes.buffer);

  addByte(byte: number): void {
    const low = (this.#low ^ byte) >>> 0;
    const product = low * PRIME_LOW;
    this.#low = product >>> 0;
    // Below 2^32 * 2^9 and some: exact.
    this.#high = (this.#high * PRIME_LOW + Math.floor(product / TWO_32) + ((low << 8) >>> 0)) % TWO_32;
  }

  addObject(value: object, where: string): void {
    const entries = Object.entries(value as Readonly<Record<string, unknown>>).filter(([, member]) =>
      member !== undefined
    );
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    this.#addLength(TAG_OBJECT, entries.length);
    for (const [key, member] of entries) {
      this.#addString(key);
      this.#addValue(member, `${where}.${key}`);
    }
  }

  digest(): string {
    return hex(this.#high) + hex(this.#low);
  }

  #addValue(value: unknown, where: string): void {
    if (typeof value === 'number') this.#addNumber(value, where);
    else if (typeof value === 'string') this.#addString(value);
    else if (typeof value === 'boolean') this.addByte(value ? TAG_TRUE : TAG_FALSE);
    else if (value === null) this.addByte(TAG_NULL);
    else if (Array.isArray(value)) this.#addArray(value, where);
    else if (typeof value === 'object') this.addObject(value, where);
    else throw notJson(typeof value, where);
  }

  #addArray(values: readonly unknown[], where: string): void {
    this.#addLength(TAG_ARRAY, values.length);
    values.forEach((value, index) => {
      this.#addValue(value ?? null, `${where}[${index}]`);
    });
  }

  #addNumber(value: number, where: string): void {
    if (!Number.isFinite(value)) throw notJson(value, where);
    this.addByte(TAG_NUMBER);
    // Adding 0 makes -0 a 0, as JSON does.
    this.#view.setFloat64(0, value + 0, true);
    for (const byte of this.#bytes) this.addByte(byte);
  }

  #addString(text: string): void {
    this.#addLength(TAG_STRING, text.length);
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      this.addByte(unit & 0xff);
      this.addByte(unit >>> 8);
    }
  }

  #addLength(tag: number, length: number): void {
    this.addByte(tag);
    for (let shift = 0; shift < 32; shift += 8) this.addByte((length >>> shift) & 0xff);
  }
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0');
}

function notJson(got: unknown, where: string): RoceError {
  return new RoceError('invalid-argument', { what: 'the value', got, allowed: 'one that JSON can hold', where });
}
