/** Positions of the words of a bitmap: each set bit announces one or two 4-byte words, in the order of the bits. */
import { invalidArgument, requireField } from '../bytes.js';
import { ALL_ONES_32, countBits } from '../wide-bytes.js';

const WORD_BYTES = 4;

/** Meaning of the bits: masks, except for the first two. */
export interface BitmapBits {
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
