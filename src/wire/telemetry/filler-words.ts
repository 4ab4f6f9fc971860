/**
 * The 4-byte words of a bitmap's undefined bits: nodes that do not know such a bit write all ones
 * (RFC 9197, section 4.4.1, bits 12..21; INT 2.1, reserved instruction bits). Values omit them if they are all ones,
 * else keep them as numbers.
 */
import { invalidArgument, requireBytes, requireField, requireList, requireTarget } from '../bytes.js';
import { ALL_ONES_32, readU32, writeU32 } from '../wide-bytes.js';

const WORD_BYTES = 4;

/** @returns the words, or undefined if all are all ones. The caller has checked the length. */
export function readFillerWords(bytes: Uint8Array, offset: number, count: number): number[] | undefined {
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
export function requireFillerWords(where: string, words: readonly number[] | undefined, count: number): void {
  if (words === undefined) return;
  requireList(where, words);
  if (words.length !== count)
    throw invalidArgument(where, words.length, count, 'number of words, one for each bit set');
  for (const word of words) requireField(where, word, ALL_ONES_32);
}

/** Writes the words, or `count` times all ones. */
export function writeFillerWords(target: Uint8Array, offset: number, count: number,
  words: readonly number[] | undefined): void {
  requireField('count', count, 32);
  requireTarget('filler words', target, offset, count * WORD_BYTES);
  requireFillerWords('words', words, count);
  for (let index = 0; index < count; index++) {
    writeU32(target, offset + index * WORD_BYTES, words === undefined ? ALL_ONES_32 : words[index]);
  }
}
