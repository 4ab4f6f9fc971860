/**
 * Numbers of 1 to 8 bytes in network byte order, and the range check of fields beyond 53 bits; codecs of headers with
 * such fields use it together with `bytes.ts`.
 */
import { invalidArgument } from './bytes.js';

/** Largest value of a 32-bit field. */
export const U32_MAX = 0xffffffff;
/** Largest value of a 64-bit field. */
export const U64_MAX = 0xffffffffffffffffn;

/** All ones in 32 bits: "not available" in telemetry. */
export const ALL_ONES_32 = 0xffffffff;

/** @returns the 32-bit number at `offset`, 0..2^32 - 1; the caller has checked the length. */
export function readU32(bytes: Uint8Array, offset: number): number {
  return ((bytes[offset] << 24) | (bytes[offset + 1] << 16) | (bytes[offset + 2] << 8) | bytes[offset + 3]) >>> 0;
}

/** Writes the low 32 bits of `value` at `offset`. */
export function writeU32(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >>> 24;
  bytes[offset + 1] = value >>> 16;
  bytes[offset + 2] = value >>> 8;
  bytes[offset + 3] = value;
}

/** @returns the number of 1 to 4 bytes at `offset`; the caller has checked the length. */
export function readUint(bytes: Uint8Array, offset: number, lenBytes: number): number {
  let value = 0;
  for (let at = offset; at < offset + lenBytes; at++) value = value * 256 + bytes[at];
  return value;
}

/** Writes a number of 1 to 4 bytes at `offset`. */
export function writeUint(bytes: Uint8Array, offset: number, lenBytes: number, value: number): void {
  let rest = value;
  for (let at = offset + lenBytes - 1; at >= offset; at--) {
    bytes[at] = rest;
    rest >>>= 8;
  }
}

/** @returns the number of 5 to 8 bytes at `offset`; the caller has checked the length. */
export function readBigUint(bytes: Uint8Array, offset: number, lenBytes: number): bigint {
  const high = readUint(bytes, offset, lenBytes - 4);
  return (BigInt(high) << 32n) | BigInt(readU32(bytes, offset + lenBytes - 4));
}

/** Writes a number of 5 to 8 bytes at `offset`. */
export function writeBigUint(bytes: Uint8Array, offset: number, lenBytes: number, value: bigint): void {
  writeUint(bytes, offset, lenBytes - 4, Number(value >> 32n));
  writeU32(bytes, offset + lenBytes - 4, Number(value & 0xffffffffn));
}

/**
 * Checks a field of more than 32 bits to be written.
 * @throws RoceError `invalid-argument` naming the field.
 */
export function requireBigField(where: string, value: bigint, maximum: bigint): void {
  if (typeof value === 'bigint' && value >= 0n && value <= maximum) return;
  throw invalidArgument(where, value, { min: 0n, max: maximum, multipleOf: 1 });
}

/** @returns the number of set bits among the low 32. */
export function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
