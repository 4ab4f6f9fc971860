/**
 * Records whose fields are there or not by a bitmap: what IOAM node data and INT hop metadata have in common. Each
 * format tells its fields as a table and where a bit's data begins; this file reads, checks and writes them.
 *
 * A field of up to 4 bytes is a number, a longer one a bigint. A value without a field whose bit is set is written as
 * all ones, which in both formats says that the node can't tell.
 */
import { RoceError } from '../../errors.js';
import { requireField } from '../bytes.js';
import { readBigUint, readUint, requireBigField, writeBigUint, writeUint } from '../wide-bytes.js';

/** One field of a record. */
export interface BitmapField<Name extends string> {
  readonly name: Name;
  /** Bit of the bitmap that announces it; 0 is the most significant. */
  readonly bit: number;
  /** Bytes from where the bit's data begin. */
  readonly at: number;
  readonly lenBytes: number;
}

/** A record format. */
export interface BitmapFormat<Name extends string> {
  /** For errors. */
  readonly layer: string;
  readonly fields: readonly BitmapField<Name>[];
  /** Bytes from the record's start to the data of this bit, or -1 if the bit is not set. */
  readonly offsetOf: (bitmap: number, bit: number) => number;
}

/** Values of fields by name. */
export type BitmapValues<Name extends string> = Readonly<Partial<Record<Name, number | bigint>>>;

/** The value that says "not available" in a field of so many bytes. */
export function allOnes(lenBytes: number): number | bigint {
  return lenBytes <= 4 ? 2 ** (8 * lenBytes) - 1 : (1n << BigInt(8 * lenBytes)) - 1n;
}

/** Reads all fields that the bitmap announces; the caller has checked the length. */
export function readFields<Name extends string>(format: BitmapFormat<Name>, bytes: Uint8Array, offset: number,
  bitmap: number): BitmapValues<Name> {
  const values: Partial<Record<string, number | bigint>> = {};
  for (const { name, bit, at, lenBytes } of format.fields) {
    const start = format.offsetOf(bitmap, bit);
    if (start < 0) continue;
    const place = offset + start + at;
    values[name] = lenBytes <= 4 ? readUint(bytes, place, lenBytes) : readBigUint(bytes, place, lenBytes);
  }
  return values as BitmapValues<Name>;
}

/**
 * Checks fields that are about to be written.
 * @throws RoceError `invalid-argument` naming a field that is out of range, or that the bitmap doesn't announce.
 */
export function requireFields<Name extends string>(format: BitmapFormat<Name>, bitmap: number,
  values: BitmapValues<Name>): void {
  for (const { name, bit, lenBytes } of format.fields) {
    const value = values[name];
    if (value === undefined) continue;
    const where = `${format.layer}.${name}`;
    if (format.offsetOf(bitmap, bit) < 0) throw unannounced(where, bit);
    if (lenBytes <= 4) requireField(where, value as number, 2 ** (8 * lenBytes) - 1);
    else requireBigField(where, value as bigint, allOnes(lenBytes) as bigint);
  }
}

/** Writes all fields that the bitmap announces, after `requireFields`. */
export function writeFields<Name extends string>(format: BitmapFormat<Name>, target: Uint8Array, offset: number,
  bitmap: number, values: BitmapValues<Name>): void {
  for (const { name, bit, at, lenBytes } of format.fields) {
    const start = format.offsetOf(bitmap, bit);
    if (start < 0) continue;
    const place = offset + start + at;
    const value = values[name];
    if (value === undefined) target.fill(0xff, place, place + lenBytes);
    else if (typeof value === 'bigint') writeBigUint(target, place, lenBytes, value);
    else writeUint(target, place, lenBytes, value);
  }
}

/** The error about a value that has no place in the record. */
export function unannounced(where: string, bit: number): RoceError {
  return new RoceError('invalid-argument', 'field that the bitmap does not announce', {
    got: 'a value',
    allowed: `none while bit ${bit} is 0`,
    where,
  });
}
