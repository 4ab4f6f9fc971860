/**
 * The 32-bit and 64-bit numbers of the transport headers, in network byte order, beyond what octets.ts has.
 */
import { RoceError } from '../../errors.js';

/** Largest value of a 32-bit field. */
export const U32_MAX = 0xffffffff;
/** Largest value of a 64-bit field. */
export const U64_MAX = 0xffffffffffffffffn;

/** @returns the 32-bit number at `offset`, never negative; the caller has checked the length. */
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

/** @returns the 64-bit number at `offset`; the caller has checked the length. */
export function readU64(bytes: Uint8Array, offset: number): bigint {
  return (BigInt(readU32(bytes, offset)) << 32n) | BigInt(readU32(bytes, offset + 4));
}

/** Writes `value`, which `requireU64` has passed, at `offset`. */
export function writeU64(bytes: Uint8Array, offset: number, value: bigint): void {
  writeU32(bytes, offset, Number(value >> 32n));
  writeU32(bytes, offset + 4, Number(value & 0xffffffffn));
}

/**
 * Checks a 64-bit field that is about to be written.
 * @throws RoceError `INVALID_ARGUMENT` naming the field.
 */
export function requireU64(where: string, value: bigint): void {
  if (typeof value === 'bigint' && value >= 0n && value <= U64_MAX) return;
  throw new RoceError('INVALID_ARGUMENT', 'field out of range', {
    got: typeof value === 'bigint' ? String(value) : value,
    allowed: `a bigint, 0..${String(U64_MAX)}`,
    where,
  });
}
