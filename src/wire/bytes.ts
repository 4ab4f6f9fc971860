/**
 * Shared by all codecs of this folder: numbers of 1 to 8 bytes in network byte order, checks, and the two kinds of
 * errors.
 */
import { nameOf } from '../error-text.js';
import { type Allowed, RoceError, lengthError } from '../errors.js';

/** Largest value of a 32-bit field. */
export const U32_MAX = 0xffffffff;
/** Largest value of a 64-bit field. */
export const U64_MAX = 0xffffffffffffffffn;

/** All ones in 32 bits: "not available" in telemetry. */
export const ALL_ONES_32 = 0xffffffff;

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
 * The length check that makes all accessors of a view safe.
 *
 * @param layer name of the header, for the error.
 * @param endOffset end of the readable bytes.
 * @throws RoceError `invalid-packet` with layer, offset, required and available bytes.
 */
export function requireBytes(layer: string, bytes: Uint8Array, offset: number, required: number,
  endOffset = Infinity): void {
  requirePlace(bytes, offset, endOffset);
  const available = Math.max(0, Math.min(endOffset, bytes.length) - offset);
  if (offset >= 0 && available >= required) return;
  throw lengthError({ layer, offset, required, available });
}

/**
 * Guards against untyped callers. @throws RoceError `invalid-argument` if a value is not a byte array, or an offset is
 * outside it.
 */
export function requirePlace(bytes: Uint8Array, offset: number, endOffset = Infinity, where = 'bytes'): void {
  if (!(bytes instanceof Uint8Array)) throw invalidArgument(where, bytes, 'a Uint8Array');
  if (!Number.isInteger(offset)) throw invalidArgument('offset', offset, { min: 0, multipleOf: 1 });
  if (typeof endOffset !== 'number') throw invalidArgument('endOffset', endOffset, { min: 0, multipleOf: 1 });
}

/** Guards against untyped callers. @throws RoceError `invalid-argument` if a value is not an object. */
export function requireRecord(where: string, value: object): void {
  if (typeof value !== 'object' || (value as unknown) === null)
    throw invalidArgument(where, value, 'a record of fields');
}

/**
 * Length of bytes; guards against untyped callers. @throws RoceError `invalid-argument` if they are not a byte array.
 */
export function lengthOf(where: string, value: Uint8Array): number {
  requirePlace(value, 0, undefined, where);
  return value.length;
}

/** Guards against untyped callers. @throws RoceError `invalid-argument` if a value is not an array. */
export function requireList(where: string, value: readonly unknown[]): void {
  if (!Array.isArray(value)) throw invalidArgument(where, value, 'a list');
}

/** An error about received bytes: `where` has layer and offset. @param problem what is wrong with the layer. */
export function invalidPacket(layer: string, offset: number, problem: string, got: unknown,
  allowed: Allowed): RoceError {
  return new RoceError('invalid-packet', { what: layer, problem, got, allowed, where: `${layer} at offset ${offset}` });
}

/**
 * An error about a value to be written. @param where path of the value. @param what its description; default: its name.
 */
export function invalidArgument(where: string, got: unknown, allowed: Allowed, what?: string): RoceError {
  return new RoceError('invalid-argument', { where, got, allowed, ...(what !== undefined && { what }) });
}

/**
 * Checks a field to be written.
 *
 * @param max the largest value that the field can hold.
 * @throws RoceError `invalid-argument` naming the field.
 */
export function requireField(where: string, value: number, max: number, min = 0): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw invalidArgument(where, value, { min, max, multipleOf: 1 });
}

/**
 * Checks a field of more than 32 bits to be written.
 * @throws RoceError `invalid-argument` naming the field.
 */
export function requireBigField(where: string, value: bigint, maximum: bigint): void {
  if (typeof value === 'bigint' && value >= 0n && value <= maximum) return;
  throw invalidArgument(where, value, { min: 0n, max: maximum, multipleOf: 1 });
}

/**
 * Checks the length of bytes to be written.
 *
 * @throws RoceError `invalid-argument` naming the field.
 */
export function requireLength(where: string, value: Uint8Array, bytes: number): void {
  if (!(value instanceof Uint8Array)) throw invalidArgument(where, value, 'a Uint8Array');
  if (value.length !== bytes) throw invalidArgument(where, value.length, bytes, `number of bytes in ${nameOf(where)}`);
}

/**
 * Checks a choice between strings; guards against untyped callers.
 *
 * @throws RoceError `invalid-argument` naming the parameter.
 */
export function requireChoice(where: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) throw invalidArgument(where, value, choices);
}

/**
 * Checks that `required` bytes fit at `offset` of the target of an `Into` function.
 *
 * @throws RoceError `invalid-argument` with offset, required and available bytes.
 */
export function requireTarget(layer: string, target: Uint8Array, offset: number, required: number): void {
  requirePlace(target, offset, undefined, 'target');
  const available = Math.max(0, target.length - offset);
  if (offset >= 0 && available >= required) return;
  throw lengthError({ code: 'invalid-argument', layer, offset, required, available, where: layer });
}

/** Makes an allocating builder from an `Into` function. @param bytesOf computes the length that `buildInto` writes. */
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

/** An empty byte array. */
export const NO_BYTES: Uint8Array = /* @__PURE__ */ new Uint8Array(0);

/** Concatenates parts into a new byte array. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  for (const part of parts) requirePlace(part, 0);
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    // An empty part may be detached memory, which `set` rejects.
    if (part.length === 0) continue;
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @returns whether the two arrays have equal bytes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** @returns the number of set bits among the low 32. */
export function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
