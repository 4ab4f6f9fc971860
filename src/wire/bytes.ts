/**
 * Shared by every codec of this folder: numbers in network byte order, the checks, and the two errors.
 */
import { nameOf } from '../error-text.js';
import { type Allowed, RoceError, lengthError } from '../errors.js';

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
 * @throws RoceError `invalid-packet` with layer, offset, required and available bytes.
 */
export function requireBytes(layer: string, bytes: Uint8Array, offset: number, required: number,
  endOffset = Infinity): void {
  requirePlace(bytes, offset, endOffset);
  const available = Math.max(0, Math.min(endOffset, bytes.length) - offset);
  if (offset >= 0 && available >= required) return;
  throw lengthError({ layer, offset, required, available });
}

/** For callers without types. @throws RoceError `invalid-argument` when a value is not a byte array, or an offset is outside. */
export function requirePlace(bytes: Uint8Array, offset: number, endOffset = Infinity, where = 'bytes'): void {
  if (!(bytes instanceof Uint8Array)) throw invalidArgument(where, bytes, 'a Uint8Array');
  if (!Number.isInteger(offset)) throw invalidArgument('offset', offset, { min: 0, multipleOf: 1 });
  if (typeof endOffset !== 'number') throw invalidArgument('endOffset', endOffset, { min: 0, multipleOf: 1 });
}

/** For callers without types. @throws RoceError `invalid-argument` when a value has no fields. */
export function requireRecord(where: string, value: object): void {
  if (typeof value !== 'object' || (value as unknown) === null)
    throw invalidArgument(where, value, 'a record of fields');
}

/** For bytes passed by callers without types. @throws RoceError `invalid-argument` */
export function lengthOf(where: string, value: Uint8Array): number {
  requirePlace(value, 0, undefined, where);
  return value.length;
}

/** For callers without types. @throws RoceError `invalid-argument` when a value is not a list. */
export function requireList(where: string, value: readonly unknown[]): void {
  if (!Array.isArray(value)) throw invalidArgument(where, value, 'a list');
}

/** An error about bytes received: `where` has layer and offset. @param problem the layer's fault. */
export function invalidPacket(layer: string, offset: number, problem: string, got: unknown,
  allowed: Allowed): RoceError {
  return new RoceError('invalid-packet', { what: layer, problem, got, allowed, where: `${layer} at offset ${offset}` });
}

/** An error about a value that is about to be written. @param where names it. @param what it is; default: its name. */
export function invalidArgument(where: string, got: unknown, allowed: Allowed, what?: string): RoceError {
  return new RoceError('invalid-argument', { where, got, allowed, ...(what !== undefined && { what }) });
}

/**
 * Checks a field that is about to be written.
 *
 * @param max the largest value that the field's bits can hold.
 * @throws RoceError `invalid-argument` naming the field.
 */
export function requireField(where: string, value: number, max: number, min = 0): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw invalidArgument(where, value, { min, max, multipleOf: 1 });
}

/**
 * Checks bytes that are about to be written.
 * @throws RoceError `invalid-argument` naming the field.
 */
export function requireLength(where: string, value: Uint8Array, bytes: number): void {
  if (!(value instanceof Uint8Array)) throw invalidArgument(where, value, 'a Uint8Array');
  if (value.length !== bytes) throw invalidArgument(where, value.length, bytes, `number of bytes in ${nameOf(where)}`);
}

/**
 * Checks a choice between words, for callers without a compiler.
 * @throws RoceError `invalid-argument` naming the parameter.
 */
export function requireChoice(where: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) throw invalidArgument(where, value, choices);
}

/**
 * Checks that `required` bytes fit at `offset` of the target of an `Into` function.
 * @throws RoceError `invalid-argument` with offset, required and available bytes.
 */
export function requireTarget(layer: string, target: Uint8Array, offset: number, required: number): void {
  requirePlace(target, offset, undefined, 'target');
  const available = Math.max(0, target.length - offset);
  if (offset >= 0 && available >= required) return;
  throw lengthError({ code: 'invalid-argument', layer, offset, required, available, where: layer });
}

/** The form of a builder that allocates. @param bytesOf length of what `buildInto` writes. */
export function allocating<Fields, Options extends readonly unknown[]>(
  bytesOf: (fields: Fields, ...options: Options) => number,
  buildInto: (target: Uint8Array, offset: number, fields: Fields, ...options: Options) => number,
): (fields: Fields, ...options: Options) => Uint8Array {
  return (fields, ...options) => {
    if (fields === undefined || fields === null) throw invalidArgument('fields', fields, 'a record of fields');
    const bytes = new Uint8Array(bytesOf(fields, ...options));
    buildInto(bytes, 0, fields, ...options);
    return bytes;
  };
}

/** No bytes at all. */
export const NO_BYTES: Uint8Array = /* @__PURE__ */ new Uint8Array(0);

/** One behind the other, in new bytes. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  for (const part of parts) requirePlace(part, 0);
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    // Nothing can be copied out of memory that was given away.
    if (part.length === 0) continue;
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @returns whether the two have the same bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
