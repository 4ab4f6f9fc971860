/**
 * What every codec of this folder needs: numbers in network byte order, the one length check, and the two errors.
 */
import { RoceError } from '../errors.js';

/** @returns the 16-bit number at `offset`; the caller has checked the length. */
export function readU16(bytes: Uint8Array, offset: number): number {
  return (bytes[offset] << 8) | bytes[offset + 1];
}

/** @returns the 24-bit number at `offset`; the caller has checked the length. */
export function readU24(bytes: Uint8Array, offset: number): number {
  return (bytes[offset] << 16) | (bytes[offset + 1] << 8) | bytes[offset + 2];
}

/** Writes the low 16 bits of `value` at `offset`. */
export function writeU16(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >>> 8;
  bytes[offset + 1] = value;
}

/** Writes the low 24 bits of `value` at `offset`. */
export function writeU24(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >>> 16;
  bytes[offset + 1] = value >>> 8;
  bytes[offset + 2] = value;
}

/**
 * The length check that makes all accessors of a view safe.
 *
 * @param layer name of the header, for the error.
 * @param endOffset where the readable bytes end.
 * @throws RoceError `invalid-packet` with layer, offset, required and actual bytes.
 */
export function requireBytes(layer: string, bytes: Uint8Array, offset: number, required: number,
  endOffset = bytes.length): void {
  const actual = Math.max(0, Math.min(endOffset, bytes.length) - offset);
  if (offset >= 0 && actual >= required) return;
  throw invalidPacket(layer, offset, 'is cut short', `${actual} bytes`, `at least ${required} bytes`);
}

/** An error about bytes received: `where` has layer and offset, `got` the actual, `allowed` the required. */
export function invalidPacket(layer: string, offset: number, what: string, got: unknown, allowed: string): RoceError {
  return new RoceError('invalid-packet', `${layer} ${what}`, { got, allowed, where: `${layer} at offset ${offset}` });
}

/**
 * Checks a field that is about to be written.
 *
 * @param maximum the largest value that the field's bits can hold.
 * @throws RoceError `invalid-argument` naming the field.
 */
export function requireField(where: string, value: number, maximum: number, minimum = 0): void {
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return;
  throw new RoceError('invalid-argument', 'field out of range', {
    got: value,
    allowed: `an integer, ${minimum}..${maximum}`,
    where,
  });
}

/**
 * Checks bytes that are about to be written.
 * @throws RoceError `invalid-argument` naming the field.
 */
export function requireLength(where: string, value: Uint8Array, bytes: number): void {
  if (value instanceof Uint8Array && value.length === bytes) return;
  const got = value instanceof Uint8Array ? `${value.length} bytes` : typeof value;
  throw new RoceError('invalid-argument', 'field of the wrong length', { got, allowed: `${bytes} bytes`, where });
}

/**
 * Checks a choice between words, for callers without a compiler.
 * @throws RoceError `invalid-argument` naming the parameter.
 */
export function requireChoice(where: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  throw new RoceError('invalid-argument', 'unknown choice', { got: value, allowed: choices.join(', '), where });
}

/** Checks that `required` bytes fit at `offset` of the target of an `Into` function. */
export function requireTarget(where: string, target: Uint8Array, offset: number, required: number): void {
  if (Number.isInteger(offset) && offset >= 0 && target.length - offset >= required) return;
  throw new RoceError('invalid-argument', 'no room in the target', {
    got: `${target.length} bytes, offset ${offset}`,
    allowed: `${required} bytes behind the offset`,
    where,
  });
}

/** @returns do the two have the same bytes? */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
