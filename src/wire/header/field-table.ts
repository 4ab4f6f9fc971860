/**
 * How a header's table declares its fields, and the types derived from it.
 *
 * A table is a function that calls one of these methods for each field, in wire order, and returns an object with the
 * fields of the value. It runs on a `FieldList` when the header is defined, to record the position of each field, and
 * on a `FieldReader` for each header read, to return the values: a single object literal creates every value.
 */
import type { Allowed } from '../../errors.js';

/** Marks fields in a table's type; it has no value at run time. */
declare const defaulted: unique symbol;
/** A field that may be omitted when writing; the mark exists in the types only. */
export type Defaulted<Value> = Value & { readonly [defaulted]: true };
type Plain<Value> = Value extends number ? number : Value extends bigint ? bigint :
Value extends boolean ? boolean :
Uint8Array;

/** Restricts the numbers that a field may hold. */
export interface NumberRule {
  readonly allowed: Allowed;
  readonly accepts: (value: number) => boolean;
}

/** Allows any number up to this one. */
export function atMost(max: number): NumberRule {
  return { allowed: { min: 0, max, multipleOf: 1 }, accepts: (value) => value <= max };
}

/** Allows only this number. */
export function only(value: number): NumberRule {
  return { allowed: value, accepts: (got) => got === value };
}

/** Unit and range of a length field. */
export interface LengthRule {
  /** Bytes per unit; default 1. */
  readonly unitBytes?: number;
  /** Bytes of the header that it does not count; default 0. */
  readonly uncountedBytes?: number;
  /** Maximum length of the header; default: what the field can express. */
  readonly maximumBytes?: number;
}

/** The methods that a table calls. */
export interface FieldTable {
  /** A number of 1 to 32 bits, within 4 bytes. @param fallback written if the field is omitted. */
  bits(count: number): number;
  bits(count: number, fallback: number): Defaulted<number>;
  /** One bit. @param fallback written if the field is omitted. */
  flag(): boolean;
  flag(fallback: boolean): Defaulted<boolean>;
  /** A number restricted by a rule. @param fallback written if the field is omitted. */
  ruled(rule: NumberRule, count: number): number;
  ruled(rule: NumberRule, count: number, fallback: number): Defaulted<number>;
  /** A number of 64 bits. */
  wide(): bigint;
  bytesOf(count: number): Uint8Array;
  /** An IPv4 address of four bytes; its value is the IPv4-mapped form. */
  ipv4Address(): Uint8Array;
  /** Length of the whole header. When written, it is computed, and any other value is rejected. */
  length(count: number, rule: LengthRule): Defaulted<number>;
  /**
   * The bytes after the fixed part, up to the header's end; must be the last field.
   *
   * @param fallback written if the field is omitted.
   */
  rest(maximumBytes?: number): Uint8Array;
  rest(maximumBytes: number, fallback: Uint8Array): Defaulted<Uint8Array>;
  /** A number with a fixed value, not part of the header's value. */
  constant(name: string, count: number, value: number): this;
  /** A number derived from the rest of the header by its codec, not part of the header's value. */
  implied(name: string, count: number): this;
  /** Like `length`, but not part of the header's value. */
  impliedLength(name: string, count: number, rule: LengthRule): this;
}

/** The value type of a table. */
export type TableValue<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Defaulted<unknown> ? Plain<Table[Name]> : Table[Name];
};

type NeededNames<Table> = {
  [Name in keyof Table]: Table[Name] extends Defaulted<unknown> ? never : Name;
}[keyof Table];

/** The input type of a table: fields with a fallback may be omitted. */
export type TableFields<Table> = Pick<TableValue<Table>, NeededNames<Table>> & Partial<
  Omit<TableValue<Table>, NeededNames<Table>>
>;
