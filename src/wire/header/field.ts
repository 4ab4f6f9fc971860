/**
 * The fields of a header: their declaration by a table, their types, reading, checking and writing.
 *
 * A table is a function that calls a method of `FieldTable` for each field, in wire order, and returns an object with
 * the fields of the value. It runs on a `FieldList` when the header is defined, to record the position of each field,
 * and on a `FieldReader` for each header read, to return the values: a single object literal creates every value.
 */
import { nameOf } from '../../error-text.js';
import type { Allowed } from '../../errors.js';
import { invalidArgument, invalidPacket, requireLength, U64_MAX, readBigUint, readUint, requireBigField, writeBigUint,
  writeUint } from '../bytes.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped, mapIpv4 } from '../ip/ip-address.js';

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
  /** A number of 1 to 32 bits in two's complement. @param fallback written if the field is omitted. */
  signed(count: number): number;
  signed(count: number, fallback: number): Defaulted<number>;
  /** One bit. @param fallback written if the field is omitted. */
  flag(): boolean;
  flag(fallback: boolean): Defaulted<boolean>;
  /** A number restricted by a rule. @param fallback written if the field is omitted. */
  ruled(rule: NumberRule, count: number): number;
  ruled(rule: NumberRule, count: number, fallback: number): Defaulted<number>;
  /** A number of 64 bits. @param fallback written if the field is omitted. */
  wide(): bigint;
  wide(fallback: bigint): Defaulted<bigint>;
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

/** Kind of a field's value. */
export type FieldForm = 'number' | 'flag' | 'wide' | 'bytes' | 'ipv4-address';
export type FieldValue = number | boolean | bigint | Uint8Array;

/** Offset of the IPv4 address in its IPv4-mapped form. */
const IPV4_IN_MAPPED = 12;

/** Options of a field in addition to its position. */
export interface FieldOptions {
  /** Written if the field is omitted. */
  readonly fallback?: FieldValue | undefined;
  readonly rule?: NumberRule;
  /** Whether the number is in two's complement. */
  readonly isSigned?: boolean;
  readonly lengthRule?: LengthRule;
  /** Maximum length of a field without an explicit length. */
  readonly maximumBytes?: number;
}

/** A field at a fixed position of a header. */
export class Field {
  /** Set after the table has run. */
  name = '';
  /** Whether it is not part of the header's value. */
  isHidden = false;
  /** Offset of the byte with the first bit, from the header's start. */
  readonly at: number;
  /** Number of bytes that the field overlaps. */
  readonly lenBytes: number;
  /** Number of bits after the field in its last byte. */
  readonly shift: number;
  /** The largest number that the field can hold. */
  readonly mask: number;

  /** @param firstBit counted from the header's start. */
  constructor(readonly firstBit: number, readonly bits: number, readonly form: FieldForm,
    readonly options: FieldOptions) {
    const lastBit = firstBit + bits - 1;
    this.at = firstBit >> 3;
    this.lenBytes = (lastBit >> 3) - this.at + 1;
    this.shift = 7 - (lastBit & 7);
    this.mask = 2 ** Math.min(bits, 32) - 1;
  }

  /** Reads the value; the caller has checked the length. Bytes are not copied. */
  read(bytes: Uint8Array, offset: number): FieldValue {
    const at = offset + this.at;
    switch (this.form) {
      case 'number':
        return this.#numberOf((readUint(bytes, at, this.lenBytes) >>> this.shift) & this.mask);
      case 'flag':
        return ((bytes[at] >> this.shift) & 1) !== 0;
      case 'wide':
        return readBigUint(bytes, at, this.lenBytes);
      case 'bytes':
        return bytes.subarray(at, at + this.lenBytes);
      case 'ipv4-address':
        return mapIpv4(bytes, at);
    }
  }

  /** @throws RoceError `invalid-packet` if the received number is not allowed. */
  judge(layer: string, { allowed, accepts }: NumberRule, bytes: Uint8Array, offset: number): void {
    const value = this.read(bytes, offset) as number;
    if (accepts(value)) return;
    const words = nameOf(this.name);
    const problem = typeof allowed === 'object' && !Array.isArray(allowed) ?
      `has a ${words} out of range` :
      `has another ${words}`;
    throw invalidPacket(layer, offset, problem, value, allowed);
  }

  /** @throws RoceError `invalid-argument` naming the field, if the value cannot be written. */
  require(layer: string, value: FieldValue | undefined): void {
    const where = `${layer}.${this.name}`;
    switch (this.form) {
      case 'flag':
        // Any truthy or falsy value is accepted, except these types.
        if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'object') {
          throw invalidArgument(where, value, [true, false]);
        }
        return;
      case 'number':
        this.#requireNumber(where, value as number);
        return;
      case 'wide':
        requireBigField(where, value as bigint, U64_MAX);
        return;
      case 'bytes':
        requireLength(where, value as Uint8Array, this.lenBytes);
        return;
      case 'ipv4-address':
        requireMapped(where, value as Uint8Array);
    }
  }

  /** Writes a value that `require` accepts; bits of neighbouring fields in the same bytes are kept. */
  write(target: Uint8Array, offset: number, value: FieldValue | undefined): void {
    const at = offset + this.at;
    switch (this.form) {
      case 'wide':
        writeBigUint(target, at, this.lenBytes, value as bigint);
        return;
      case 'bytes':
        target.set(value as Uint8Array, at);
        return;
      case 'ipv4-address':
        target.set((value as Uint8Array).subarray(IPV4_IN_MAPPED), at);
        return;
      default:
        this.#writeNumber(target, at, Number(value ?? 0));
    }
  }

  #numberOf(bits: number): number {
    return this.options.isSigned === true ? signExtended(bits, this.bits) : bits >>> 0;
  }

  #requireNumber(where: string, value: number): void {
    const { mask, options: { rule, isSigned } } = this;
    const min = isSigned === true ? -(mask + 1) / 2 : 0;
    const max = min + mask;
    if (Number.isInteger(value) && value >= min && value <= max && rule?.accepts(value) !== false) return;
    throw invalidArgument(where, value, rule?.allowed ?? { min, max, multipleOf: 1 });
  }
  #writeNumber(target: Uint8Array, at: number, value: number): void {
    const others = readUint(target, at, this.lenBytes) & ~(this.mask << this.shift);
    writeUint(target, at, this.lenBytes, others | ((value & this.mask) << this.shift));
  }
}

/** A number of this many bits, 32 at most, in two's complement. */
function signExtended(value: number, bits: number): number {
  return (value << (32 - bits)) >> (32 - bits);
}

function requireMapped(where: string, address: Uint8Array): void {
  requireLength(where, address, IP_ADDRESS_BYTES);
  if (!isIpv4Mapped(address)) throw invalidArgument(where, address, 'an IPv4-mapped address ::ffff:a.b.c.d');
}

/** Collects the fields of a table, in wire order. Its methods return fields instead of values. */
export class FieldList implements FieldTable {
  readonly fields: Field[] = [];
  /** The field that states the length of the header, if there is one. */
  lengthField: Field | undefined;
  /** The field that takes the rest of the header, if there is one. */
  restField: Field | undefined;
  #bits = 0;

  /** Total length of all fields, bytes. */
  get bytes(): number {
    return this.#bits / 8;
  }

  bits(count: number, fallback?: number): never {
    return this.#add(count, 'number', { fallback });
  }
  signed(count: number, fallback?: number): never {
    return this.#add(count, 'number', { fallback, isSigned: true });
  }
  flag(fallback?: boolean): never {
    return this.#add(1, 'flag', { fallback });
  }
  ruled(rule: NumberRule, count: number, fallback?: number): never {
    return this.#add(count, 'number', { rule, fallback });
  }
  wide(fallback?: bigint): never {
    return this.#add(64, 'wide', { fallback });
  }
  bytesOf(count: number): never {
    return this.#add(8 * count, 'bytes', {});
  }
  ipv4Address(): never {
    return this.#add(32, 'ipv4-address', {});
  }
  length(count: number, lengthRule: LengthRule): never {
    this.lengthField = this.#add(count, 'number', { lengthRule });
    return this.lengthField;
  }
  rest(maximumBytes = Infinity, fallback?: Uint8Array): never {
    this.restField = new Field(this.#bits, 0, 'bytes', { fallback, maximumBytes });
    return this.restField as never;
  }
  constant(name: string, count: number, value: number): this {
    this.#hide(name, this.ruled(only(value), count, value));
    return this;
  }
  implied(name: string, count: number): this {
    this.#hide(name, this.bits(count));
    return this;
  }
  impliedLength(name: string, count: number, lengthRule: LengthRule): this {
    this.#hide(name, this.length(count, lengthRule));
    return this;
  }

  #add(count: number, form: FieldForm, options: FieldOptions): never {
    const field = new Field(this.#bits, count, form, options);
    this.fields.push(field);
    this.#bits += count;
    return field as never;
  }
  #hide(name: string, field: Field): void {
    field.name = name;
    field.isHidden = true;
  }
}

/** Reads field after field, copying bytes; the caller has checked lengths and numbers. */
export class FieldReader implements FieldTable {
  /** Number of bits read so far. */
  position = 0;

  /** @param endOffset end of the header. */
  constructor(readonly received: Uint8Array, readonly offset: number, readonly endOffset: number) {}

  bits(count: number): never {
    const { received, position } = this;
    const end = position + count;
    const last = this.offset + ((end - 1) >> 3);
    let at = this.offset + (position >> 3);
    let value = received[at] & (0xff >> (position & 7));
    while (at < last) value = value * 256 + received[++at];
    this.position = end;
    const behind = -end & 7;
    return (behind === 0 ? value : value >>> behind) as never;
  }
  signed(count: number): never {
    return signExtended(this.bits(count), count) as never;
  }
  flag(): never {
    const { received, position } = this;
    this.position = position + 1;
    return (((received[this.offset + (position >> 3)] >> (7 - (position & 7))) & 1) !== 0) as never;
  }
  ruled(_rule: NumberRule, count: number): never {
    return this.bits(count);
  }
  wide(): never {
    return readBigUint(this.received, this.#skip(64), 8) as never;
  }
  bytesOf(count: number): Uint8Array {
    const at = this.#skip(8 * count);
    return this.received.slice(at, at + count);
  }
  ipv4Address(): Uint8Array {
    return mapIpv4(this.received, this.#skip(32));
  }
  length(count: number): never {
    return this.bits(count);
  }
  rest(): never {
    return this.received.slice(this.#skip(0), this.endOffset) as never;
  }
  constant(_name: string, count: number): this {
    this.position += count;
    return this;
  }
  implied(_name: string, count: number): this {
    return this.constant(_name, count);
  }
  impliedLength(_name: string, count: number): this {
    return this.constant(_name, count);
  }

  /** @returns the offset of the next field, which must begin at a byte. */
  #skip(count: number): number {
    const at = this.offset + (this.position >> 3);
    this.position += count;
    return at;
  }
}
