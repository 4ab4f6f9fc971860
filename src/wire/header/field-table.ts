/**
 * How a header's table names its fields, and the types that follow from it.
 *
 * A table is a function that calls one of these methods for each field, in wire order, and returns an object with the
 * fields of the value. It runs against a `FieldList` when the header is defined, which notes where each field is, and
 * against a `FieldReader` for each header read, which returns the value there: one object literal makes every value.
 */
import type { Allowed } from '../../errors.js';

/** Marks fields in a table's type; there is no such value. */
declare const defaulted: unique symbol;
/** A field that a builder does not need; so marked in the types only. */
export type Defaulted<Value> = Value & { readonly [defaulted]: true };
type Plain<Value> = Value extends number ? number : Value extends bigint ? bigint :
Value extends boolean ? boolean :
Uint8Array;

/** The numbers that a field may hold, of those that fit its bits. */
export interface NumberRule {
  readonly allowed: Allowed;
  readonly accepts: (value: number) => boolean;
}

/** Any number up to this one. */
export function atMost(max: number): NumberRule {
  return { allowed: { min: 0, max, multipleOf: 1 }, accepts: (value) => value <= max };
}

/** This number and no other. */
export function only(value: number): NumberRule {
  return { allowed: value, accepts: (got) => got === value };
}

/** What a length field counts. */
export interface LengthRule {
  /** Default 1. */
  readonly unitBytes?: number;
  /** Bytes of the header that it leaves out; default 0. */
  readonly uncountedBytes?: number;
  /** Longest header; default: as the field can say. */
  readonly maximumBytes?: number;
}

/** The calls that a table makes. */
export interface FieldTable {
  /** A number of 1 to 32 bits, within 4 bytes. @param fallback is written when the field is left out. */
  bits(count: number): number;
  bits(count: number, fallback: number): Defaulted<number>;
  /** One bit. @param fallback is written when the field is left out. */
  flag(): boolean;
  flag(fallback: boolean): Defaulted<boolean>;
  /** A number of which not all are allowed. @param fallback is written when the field is left out. */
  ruled(rule: NumberRule, count: number): number;
  ruled(rule: NumberRule, count: number, fallback: number): Defaulted<number>;
  /** A number of 64 bits. */
  wide(): bigint;
  bytesOf(count: number): Uint8Array;
  /** Four bytes, of which the value is the IPv4-mapped form. */
  ipv4Address(): Uint8Array;
  /** Length of the whole header; a builder computes it, and rejects any other. */
  length(count: number, rule: LengthRule): Defaulted<number>;
  /**
   * The bytes behind the fixed part, up to the header's end. The last field.
   * @param fallback is written when the field is left out.
   */
  rest(maximumBytes?: number): Uint8Array;
  rest(maximumBytes: number, fallback: Uint8Array): Defaulted<Uint8Array>;
  /** A number that has to be this one, and is not part of the value. */
  constant(name: string, count: number, value: number): this;
  /** A number that follows from the rest of the header, and is not part of the value: its codec knows it. */
  implied(name: string, count: number): this;
  /** As `length`, not part of the value. */
  impliedLength(name: string, count: number, rule: LengthRule): this;
}

/** The value object of a table. */
export type TableValue<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Defaulted<unknown> ? Plain<Table[Name]> : Table[Name];
};

type NeededNames<Table> = {
  [Name in keyof Table]: Table[Name] extends Defaulted<unknown> ? never : Name;
}[keyof Table];

/** Input of a builder: fields with a fallback may be left out. */
export type TableFields<Table> = Pick<TableValue<Table>, NeededNames<Table>> & Partial<
  Omit<TableValue<Table>, NeededNames<Table>>
>;
