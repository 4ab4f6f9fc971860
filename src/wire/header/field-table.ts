/**
 * How a header's table names its fields, and the types that follow from it.
 *
 * A table is a function that calls one of these methods for each field, in wire order, and returns an object with the
 * fields of the value. It runs against a `FieldList` when the header is defined, which notes where each field is, and
 * against a `FieldReader` for each header read, which returns what stands there: one object literal makes every value.
 */

/** Marks fields in a table's type; there is no such value. */
export declare const defaulted: unique symbol;
/** A field that a builder does not need; so marked in the types only. */
export type Defaulted<Value> = Value & { readonly [defaulted]: true };
type Plain<Value> = Value extends number ? number : Value extends bigint ? bigint : boolean;

/** What a table calls. */
export interface FieldTable {
  /** A number of 1 to 32 bits, within 4 bytes. @param fallback is written when the field is left out. */
  bits(count: number): number;
  bits(count: number, fallback: number): Defaulted<number>;
  /** One bit. @param fallback is written when the field is left out. */
  flag(): boolean;
  flag(fallback: boolean): Defaulted<boolean>;
  /** A number that may not use all of its bits. */
  upTo(maximum: number, count: number): number;
  /** A number that has to be this one. */
  exactly(value: number, count: number): Defaulted<number>;
  /** A number of 64 bits. */
  wide(): bigint;
  bytesOf(count: number): Uint8Array;
  /** Four bytes, of which the value is the IPv4-mapped form. */
  ipv4Address(): Uint8Array;
  /** A number that has to be this one, and is not part of the value. */
  constant(name: string, count: number, value: number): this;
  /** A number that follows from the rest of the header, and is not part of the value: its codec knows it. */
  implied(name: string, count: number): this;
}

/** The value object of a table. */
export type TableValue<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Defaulted<unknown> ? Plain<Table[Name]> : Table[Name];
};

type NeededNames<Table> = {
  [Name in keyof Table]: Table[Name] extends Defaulted<unknown> ? never : Name;
}[keyof Table];

/** What a builder needs: fields with a fallback may be left out. */
export type TableFields<Table> = Pick<TableValue<Table>, NeededNames<Table>> & Partial<
  Omit<TableValue<Table>, NeededNames<Table>>
>;
