/** The internet checksum (RFC 1071): ones' complement of the ones' complement sum of 16-bit words. */
import { readU16 } from './bytes.js';

/**
 * The plain sum of the 16-bit words between two offsets, an odd last byte padded with zero; the caller has checked
 * both. Exact for any datagram: the sum of 32,768 words is far below 2^53.
 */
export function sumOfWords(bytes: Uint8Array, offset: number, endOffset: number): number {
  let sum = 0;
  for (let at = offset; at + 1 < endOffset; at += 2) sum += readU16(bytes, at);
  return (endOffset - offset) % 2 === 0 ? sum : sum + (bytes[endOffset - 1] << 8);
}

/** @returns the 16-bit checksum for a sum of words. */
export function internetChecksum(sum: number): number {
  let folded = sum;
  while (folded > 0xffff) folded = (folded & 0xffff) + Math.floor(folded / 0x10000);
  return ~folded & 0xffff;
}
