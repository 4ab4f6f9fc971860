/**
 * Records with a bitmap of the fields present, shared by IOAM node data and INT hop metadata. Each format declares its
 * fields in a table; this file reads, checks and writes them.
 *
 * Each bit represents a 4-byte word, or two. A field of up to 4 bytes is a number, a longer one a bigint. A missing
 * field whose bit is set is written as all ones, which means "unknown" in both formats; so are the words of undefined
 * bits (RFC 9197, section 4.4.1, bits 12..21; INT 2.1, reserved instruction bits). Values omit the latter if they are all
 * ones, else keep them as numbers.
 */
import { RoceError } from '../../errors.js';
import { invalidArgument, requireField, readBigUint, readUint, requireBigField, writeBigUint, writeUint, ALL_ONES_32,
  countBits, requireBytes, requireList, requireTarget, readU32, writeU32 } from '../bytes.js';

const WORD_BYTES = 4;

/** Position of a field; its value type exists in the TypeScript type only. */
export interface BitmapField<Value extends number | bigint = number | bigint> {
  /** Bit of the bitmap that announces it; 0 is the most significant. */
  readonly bit: number;
  /** Offset within the bit's data, bytes. */
  readonly at: number;
  readonly lenBytes: number;
  /** @internal Carries the value type. */
  readonly value?: Value;
}

/** A number field of 1 to 4 bytes. */
export function narrow(bit: number, at: number, lenBytes: number): BitmapField<number> {
  return { bit, at, lenBytes };
}
/** A bigint field of 5 to 8 bytes. */
export function wide(bit: number, at: number, lenBytes: number): BitmapField<bigint> {
  return { bit, at, lenBytes };
}

type BitmapFields = Readonly<Record<string, BitmapField>>;

/** Declares a record format. */
export interface BitmapDefinition<Fields> {
  /** Name for errors. */
  readonly layer: string;
  readonly words: BitmapWords;
  /** Names of the bitmap and of the undefined words in errors. */
  readonly names: { readonly bitmap: string; readonly fillers: string };
  readonly fields: Fields;
}

/** Values of fields by name. */
export type BitmapValues<Fields> = {
  readonly [Name in keyof Fields]?: Fields[Name] extends BitmapField<infer Value> ? Value : never;
};

/** The value that means "not available" in a field of this many bytes. */
export function allOnes(lenBytes: number): number | bigint {
  return lenBytes <= 4 ? 2 ** (8 * lenBytes) - 1 : (1n << BigInt(8 * lenBytes)) - 1n;
}

/** @throws RoceError `invalid-argument` for bytes that are not a multiple of four, or more than `max`. */
export function requireWholeWords(where: string, lenBytes: number, max = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(lenBytes) && lenBytes >= 0 && lenBytes <= max && lenBytes % 4 === 0) return;
  throw invalidArgument(where, lenBytes, { min: 0, max, multipleOf: 4, unit: 'bytes' });
}

/** Reads, checks and writes records of one format. */
export class BitmapRecord<Fields extends BitmapFields> {
  readonly #fields: readonly (readonly [name: string, field: BitmapField])[];

  constructor(readonly definition: BitmapDefinition<Fields>) {
    this.#fields = Object.entries(definition.fields);
  }

  /** Reads all fields in the bitmap; the caller has checked the length. */
  read(bytes: Uint8Array, offset: number, bitmap: number): BitmapValues<Fields> {
    const { words } = this.definition;
    const values: Partial<Record<string, number | bigint>> = {};
    for (const [name, { bit, at, lenBytes }] of this.#fields) {
      const start = words.offsetOf(bitmap, bit);
      if (start < 0) continue;
      const place = offset + start + at;
      values[name] = lenBytes <= 4 ? readUint(bytes, place, lenBytes) : readBigUint(bytes, place, lenBytes);
    }
    return values as BitmapValues<Fields>;
  }

  /** @returns the words of undefined bits, or undefined if all are all ones. */
  readFillers(bytes: Uint8Array, offset: number, bitmap: number): number[] | undefined {
    const { words } = this.definition;
    return readFillerWords(bytes, offset + words.fillerOffset(bitmap), words.fillersOf(bitmap));
  }

  /**
   * Checks a record to be written.
   * @throws RoceError `invalid-argument` naming a field that is out of range, or not in the bitmap.
   */
  require(bitmap: number, values: BitmapValues<Fields>, fillers: readonly number[] | undefined): void {
    const { layer, words, names } = this.definition;
    this.requireBitmap(bitmap);
    for (const [name, { bit, lenBytes }] of this.#fields) {
      const value = values[name];
      if (value === undefined) continue;
      const where = `${layer}.${name}`;
      this.requireBit(where, bitmap, bit, value);
      if (lenBytes <= 4) requireField(where, value as number, 2 ** (8 * lenBytes) - 1);
      else requireBigField(where, value as bigint, allOnes(lenBytes) as bigint);
    }
    requireFillerWords(`${layer}.${names.fillers}`, fillers, words.fillersOf(bitmap));
  }

  /** @throws RoceError `invalid-argument` for a bitmap with more bits than the format has. */
  requireBitmap(bitmap: number): void {
    const { layer, words, names } = this.definition;
    requireField(`${layer}.${names.bitmap}`, bitmap, 2 ** words.layout.bits - 1);
  }

  /** @throws RoceError `invalid-argument` for a value whose bit is not in the bitmap. */
  requireBit(where: string, bitmap: number, bit: number, got: unknown): void {
    const { words, names } = this.definition;
    if (got === undefined || words.has(bitmap, bit)) return;
    const problem = `has no place while bit ${bit} of the ${names.bitmap} is 0`;
    throw new RoceError('invalid-argument', { problem, got, where });
  }

  /** Writes all fields in the bitmap, and the words of undefined bits; call `require` first. */
  write(target: Uint8Array, offset: number, bitmap: number, values: BitmapValues<Fields>,
    fillers: readonly number[] | undefined): void {
    const { words } = this.definition;
    for (const [name, { bit, at, lenBytes }] of this.#fields) {
      const start = words.offsetOf(bitmap, bit);
      if (start < 0) continue;
      const place = offset + start + at;
      const value = values[name];
      if (value === undefined) target.fill(0xff, place, place + lenBytes);
      else if (typeof value === 'bigint') writeBigUint(target, place, lenBytes, value);
      else writeUint(target, place, lenBytes, value);
    }
    writeFillerWords(target, offset + words.fillerOffset(bitmap), words.fillersOf(bitmap), fillers);
  }
}

/** Meaning of the bits: masks, except for the first two. */
interface BitmapBits {
  /** Length of the bitmap in bits; bit 0 is the most significant. */
  readonly bits: number;
  /** Last bit whose position follows from the bitmap alone. */
  readonly lastBit: number;
  /** Bits with at least one word. */
  readonly counted: number;
  /** Bits with two words. */
  readonly wide: number;
  /** Undefined bits, which have one word each. */
  readonly fillers: number;
}

/** Word positions of one format. */
export class BitmapWords {
  constructor(readonly layout: BitmapBits) {}

  /** Number of words of a bitmap. */
  wordsOf(bitmap: number): number {
    requireField('bitmap', bitmap, ALL_ONES_32);
    const { counted, wide } = this.layout;
    return countBits(bitmap & counted) + countBits(bitmap & wide);
  }

  /** @returns whether this bit is set. */
  has(bitmap: number, bit: number): boolean {
    requireField('bitmap', bitmap, ALL_ONES_32);
    requireBit(bit);
    const { bits } = this.layout;
    return bit >= 0 && bit < bits && ((bitmap >> (bits - 1 - bit)) & 1) !== 0;
  }

  /** Offset of this bit's data from the record's start, bytes; -1 if the bit is not set, or has no fixed position. */
  offsetOf(bitmap: number, bit: number): number {
    const { bits, lastBit } = this.layout;
    requireBit(bit);
    if (bit > lastBit || !this.has(bitmap, bit)) return -1;
    return WORD_BYTES * this.wordsOf(bitmap & ~(2 ** (bits - bit) - 1));
  }

  /** Number of words of undefined bits in a record. */
  fillersOf(bitmap: number): number {
    requireField('bitmap', bitmap, ALL_ONES_32);
    return countBits(bitmap & this.layout.fillers);
  }

  /** Offset of the words of undefined bits, which are contiguous, from the record's start, bytes. */
  fillerOffset(bitmap: number): number {
    const bitsFromFirst = 32 - Math.clz32(this.layout.fillers);
    return WORD_BYTES * this.wordsOf(bitmap & -(2 ** bitsFromFirst));
  }
}

/** A bit beyond the bitmap is not an error: it is not set. */
function requireBit(bit: number): void {
  if (!Number.isInteger(bit)) throw invalidArgument('bit', bit, { multipleOf: 1 });
}

/** @returns the words, or undefined if all are all ones. The caller has checked the length. */
function readFillerWords(bytes: Uint8Array, offset: number, count: number): number[] | undefined {
  requireField('count', count, 32);
  requireBytes('filler words', bytes, offset, count * WORD_BYTES);
  const words: number[] = [];
  for (let index = 0; index < count; index++) words.push(readU32(bytes, offset + index * WORD_BYTES));
  return words.every((word) => word === ALL_ONES_32) ? undefined : words;
}

/**
 * Checks words to be written.
 * @throws RoceError `invalid-argument` unless there are `count` of them, of 32 bits.
 */
function requireFillerWords(where: string, words: readonly number[] | undefined, count: number): void {
  if (words === undefined) return;
  requireList(where, words);
  if (words.length !== count)
    throw invalidArgument(where, words.length, count, 'number of words, one for each bit set');
  for (const word of words) requireField(where, word, ALL_ONES_32);
}

/** Writes the words, or `count` times all ones. */
function writeFillerWords(target: Uint8Array, offset: number, count: number,
  words: readonly number[] | undefined): void {
  requireField('count', count, 32);
  requireTarget('filler words', target, offset, count * WORD_BYTES);
  requireFillerWords('words', words, count);
  for (let index = 0; index < count; index++) {
    writeU32(target, offset + index * WORD_BYTES, words === undefined ? ALL_ONES_32 : words[index]);
  }
}
