/**
 * Where the words of a bitmap's bits are: each set bit announces a 4-byte word, or two, in the order of the bits.
 */
import { invalidArgument, requireField } from '../bytes.js';
import { ALL_ONES_32, countBits } from '../wide-bytes.js';

const WORD_BYTES = 4;

/** Meaning of the bits: masks, except for the numbers. */
export interface BitmapBits {
  /** Length of the bitmap; bit 0 is the most significant. */
  readonly bits: number;
  /** Bits behind this one have no place that the bitmap alone gives. */
  readonly lastBit: number;
  /** Bits with a word. */
  readonly counted: number;
  /** Those with two. */
  readonly wide: number;
  /** Those without a meaning, yet with a word each. */
  readonly fillers: number;
}

/** The words of one format. */
export class BitmapWords {
  constructor(readonly layout: BitmapBits) {}

  /** Words that the bits of a bitmap have. */
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

  /** Bytes from the record's start to the data of this bit; -1 if it is not set, or has no place. */
  offsetOf(bitmap: number, bit: number): number {
    const { bits, lastBit } = this.layout;
    requireBit(bit);
    if (bit > lastBit || !this.has(bitmap, bit)) return -1;
    return WORD_BYTES * this.wordsOf(bitmap & ~(2 ** (bits - bit) - 1));
  }

  /** Number of words without a meaning in a record. */
  fillersOf(bitmap: number): number {
    requireField('bitmap', bitmap, ALL_ONES_32);
    return countBits(bitmap & this.layout.fillers);
  }

  /** Bytes from the record's start to its words without a meaning, which are contiguous. */
  fillerOffset(bitmap: number): number {
    const bitsFromFirst = 32 - Math.clz32(this.layout.fillers);
    return WORD_BYTES * this.wordsOf(bitmap & -(2 ** bitsFromFirst));
  }
}

/** One that no bitmap has is no error: it is not set. */
function requireBit(bit: number): void {
  if (!Number.isInteger(bit)) throw invalidArgument('bit', bit, { multipleOf: 1 });
}
