/**
 * Defines a header by one table, from which layout, value, view, checks, reading and writing all derive (field.ts).
 *
 *   const Udp = defineHeader({ …, fields: (field) => ({ sourcePort: field.bits(16), … }) });
 *
 * Headers with members beyond their table, and formats without a table, have the same shape. The layout is data: the
 * drawings in docs/reference/wire.md are generated from it, and tests check each codec against it bit by bit.
 */
import type { AllowedRange } from '../../errors.js';
import { allocating, invalidArgument, invalidPacket, lengthOf, requireBytes, requireRecord,
  requireTarget } from '../bytes.js';
import { FieldList, FieldReader, type FieldTable, type TableFields, type TableValue, type NumberRule, type Field,
  type FieldForm, type FieldValue } from './field.js';

type Call = (...args: never) => unknown;
type Constructor = abstract new(...args: never) => unknown;

/** The value type of a header: the result of its `read`. */
export type ValueOf<Of extends Readonly<Record<'read', Call>>> = ReturnType<Of['read']>;
/** The input type of a header: the argument of its `write`. */
export type FieldsOf<Of extends Readonly<Record<'writeInto', Call>>> = Parameters<Of['writeInto']>[2];
/** The view type of a header, which reads in place. */
export type ViewOf<Of extends Readonly<Record<'View', Constructor>>> = InstanceType<Of['View']>;

/** One field. Bit 0 is the most significant bit of its byte. */
export interface FieldLayout {
  /** Name in the header's value object; `reserved` for fields that have no name there. */
  readonly name: string;
  /** Offset of the byte with the field's first bit, from the header's start. */
  readonly offset: number;
  /** First bit within that byte, 0..7; default 0. */
  readonly bit?: number;
  /** Width of the field in bits, 1 or more. */
  readonly bits: number;
}

/** A header, or the fixed part of one. */
export interface HeaderLayout {
  /** Display name. */
  readonly title: string;
  /** Document and section that define it. */
  readonly source: string;
  /** Length of the fixed part, bytes. */
  readonly lenBytes: number;
  /** In wire order. */
  readonly fields: readonly FieldLayout[];
  /** Description of the parts of the header after the fixed part; absent if there are none. */
  readonly followedBy?: string;
}

/** Name, source and table of a header. */
export interface HeaderDefinition<Table> extends Pick<HeaderLayout, 'title' | 'source' | 'followedBy'> {
  /** Name of the header in errors about received bytes. */
  readonly layer: string;
  /** Name of the header in errors about values; default: `layer`. */
  readonly where?: string;
  readonly fields: (field: FieldTable) => Table;
}

/** Creates views of a header. */
export interface ViewConstructor<Value> {
  /** @throws RoceError `invalid-packet` if the bytes there cannot be such a header. */
  new(bytes: Uint8Array, offset?: number): HeaderView & Value;
  /** The getters shared by all views of the header. */
  readonly prototype: HeaderView & Value;
}

/** A header, or the fixed part of one: its layout, and functions to read and write it. */
export interface Header<Table> extends HeaderLayout {
  /** @internal Types of the value's fields, by name. */
  readonly forms: { readonly [Name in keyof Table]: FieldForm };
  /** Reads in place: `new Bth.View(bytes, offset)`, then `moveTo` for each further packet. */
  readonly View: ViewConstructor<TableValue<Table>>;
  /**
   * Reads a header; the inverse of `write`. Bytes are copied.
   * @param endOffset end of the bytes that may belong to the header.
   * @throws RoceError `invalid-packet` if it is truncated, or a field has an invalid value.
   */
  readonly read: (bytes: Uint8Array, offset?: number, endOffset?: number) => TableValue<Table>;
  /** Writes a header into new bytes. @throws RoceError `invalid-argument` naming a field out of range. */
  readonly write: (header: TableFields<Table>) => Uint8Array;
  /**
   * Writes a header into `target`; allocates nothing.
   * @returns the offset after it.
   * @throws RoceError `invalid-argument` like `write`, and if it does not fit; then nothing is written.
   */
  readonly writeInto: (target: Uint8Array, offset: number, header: TableFields<Table>) => number;
  /**
   * @internal Writes the fixed part of a longer header.
   * @param lenBytes length of the whole header; if it does not fit, nothing is written.
   * @param implied values of the implied fields.
   * @returns the offset after the fixed part.
   */
  readonly writePartInto: (target: Uint8Array, offset: number, header: TableFields<Table>, lenBytes: number,
    implied?: ImpliedFields) => number;
  /** @internal Checks a header, or the fixed part of one, to be written. @throws RoceError like `write`. */
  readonly require: (header: TableFields<Table>, lenBytes?: number) => void;
  /** @internal Length of a received header, bytes. @throws RoceError `invalid-packet` if the bytes cannot be one. */
  readonly lenBytesAt: (bytes: Uint8Array, offset: number, endOffset?: number) => number;
  /**
   * @internal Offset of the byte with a field's first bit, from the header's start. A misspelt name throws when its
   * module is loaded.
   */
  readonly offsetOf: (name: keyof Table | (string & {})) => number;
}

/** Defines a header by its table. */
export function defineHeader<Table extends object>(definition: HeaderDefinition<Table>): Header<Table> {
  const { layer, where = layer, fields: table } = definition;
  const list = new FieldList();
  const named = table(list) as Readonly<Record<string, Field>>;
  for (const [name, field] of Object.entries(named)) field.name = name;
  const codec = new HeaderCodec(layer, where, list);
  return {
    ...layoutOf(definition, list),
    forms: Object.fromEntries(Object.entries(named).map(([name, { form }]) => [name, form])) as Header<Table>['forms'],
    View: viewOf(codec) as Header<Table>['View'],
    read: (received, offset = 0, endOffset) =>
      table(new FieldReader(received, offset, codec.check(received, offset, endOffset))) as TableValue<Table>,
    write: (header) => {
      const target = new Uint8Array(codec.bytesOf(header));
      codec.writeWhole(target, 0, header);
      return target;
    },
    writeInto: (target, offset, header) => codec.writeWhole(target, offset, header),
    writePartInto: (target, offset, header, lenBytes, implied) =>
      codec.write(target, offset, header, lenBytes, implied),
    require: (header, lenBytes) => codec.require(header, lenBytes),
    lenBytesAt: (bytes, offset, endOffset) => codec.check(bytes, offset, endOffset) - offset,
    offsetOf: (name) => offsetOf(list.fields, String(name)),
  };
}

/** Writes into existing bytes. */
type WriteInto<Args extends readonly unknown[]> = (target: Uint8Array, offset: number, ...args: Args) => number;

/** Adds a `write` with the same arguments, if there is a `writeInto`. */
type Written<Members> = Members extends { readonly writeInto: WriteInto<infer Args> } ? {
    /** Like `writeInto`, into new bytes. */
    readonly write: (...args: Args) => Uint8Array;
  } :
  unknown;

/** The members of a header or format, plus `write` if there is a `writeInto`. */
export type Format<Members> = Written<Members> & Readonly<Members>;

/** A header with some members replaced and others added. */
export type ExtendedHeader<Base, Members> = Format<Members> & Omit<Base, keyof Format<Members>>;

interface SomeMembers {
  readonly lenBytes?: number | undefined;
  readonly lenBytesOf?: (...args: never[]) => number;
  readonly write?: unknown;
  readonly writeInto?: WriteInto<never[]>;
}

/**
 * Adds members to a header, or replaces some.
 * @param members if they include `writeInto` (and `lenBytesOf` if the length varies), a matching `write` is added.
 */
export function extendHeader<Base extends SomeMembers, const Members extends object>(base: Base,
  members: Members): ExtendedHeader<Base, Members> {
  return { ...base, ...withWrite({ lenBytes: base.lenBytes, ...members }) } as unknown as ExtendedHeader<Base, Members>;
}

/** Defines a format without a table. @param members like those of `extendHeader`. */
export function defineFormat<const Members extends object>(members: Members): Format<Members> {
  return withWrite(members) as Format<Members>;
}

function withWrite(members: SomeMembers): SomeMembers {
  const { lenBytes = 0, lenBytesOf = () => lenBytes, writeInto, write } = members;
  if (writeInto === undefined || write !== undefined) return members;
  return { ...members, write: allocating<never, never[]>(lenBytesOf, writeInto) };
}

/** The layout of a list of fields. */
function layoutOf({ title, source, followedBy }: HeaderDefinition<object>, { fields, bytes }: FieldList): HeaderLayout {
  const places = fields.map(({ name, at, firstBit, bits }): FieldLayout => ({
    name,
    offset: at,
    bit: firstBit & 7,
    bits,
  }));
  return { title, source, lenBytes: bytes, fields: places, ...(followedBy === undefined ? {} : { followedBy }) };
}

/** Creates the view class of a header, with a getter for each field. */
function viewOf(codec: HeaderCodec): typeof HeaderView {
  class View extends HeaderView {}
  const { fields, restField } = codec.list;
  const define = (name: string, get: (this: HeaderView) => unknown): unknown =>
    Object.defineProperty(View.prototype, name, { get, configurable: true });
  Object.defineProperty(View.prototype, 'header', { value: codec });
  for (const field of fields) {
    define(field.name, function() {
      return field.read(this.bytes, this.offset);
    });
  }
  if (restField !== undefined) {
    define(restField.name, function() {
      return this.bytes.subarray(this.offset + codec.bytes, codec.endAt(this.bytes, this.offset));
    });
  }
  return View;
}

/** Throws for a misspelt name, when its module is loaded. */
function offsetOf(fields: readonly Field[], name: string): number {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`no field ${name}`);
  return field.at;
}

/**
 * A header in an array of bytes, checked once, after which no accessor reads outside it. Each kind of header has a
 * subclass with a getter for each field.
 */
export class HeaderView {
  /** The bytes of the header, not copied: a view shows their current content. */
  bytes: Uint8Array;
  /** First byte of the header in `bytes`. */
  offset: number;
  /** @internal Positions of the fields and length of the header, derived from its table. */
  declare protected readonly header: HeaderCodec;

  /** @throws RoceError `invalid-packet` if the bytes there cannot be such a header. */
  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
    this.check(bytes, offset);
  }

  /**
   * Moves this view to another header, so that one view reads any number of packets; allocates nothing.
   *
   * @throws RoceError `invalid-packet` like the constructor; the view is then unchanged.
   */
  moveTo(bytes: Uint8Array, offset: number): this {
    this.check(bytes, offset);
    this.bytes = bytes;
    this.offset = offset;
    return this;
  }

  /** Length of this header, bytes; of its fixed part, if it has no length field. */
  get headerBytes(): number {
    return this.header.bytesAt(this.bytes, this.offset);
  }

  /** Offset of the payload of this header. */
  get payloadOffset(): number {
    return this.offset + this.headerBytes;
  }

  /** Checks the length. @throws RoceError `invalid-packet` if the bytes there cannot be such a header. */
  protected check(bytes: Uint8Array, offset: number): void {
    this.header.check(bytes, offset);
  }
}

/** Implied fields by name. */
export type ImpliedFields = Readonly<Record<string, number>>;
type Given = Readonly<Record<string, FieldValue | undefined>>;

/** Checks and writes headers of one kind. */
export class HeaderCodec {
  /** Length of the fixed part, bytes. */
  readonly bytes: number;
  readonly #judged: readonly (readonly [Field, NumberRule])[];
  readonly #unitBytes: number;
  readonly #uncountedBytes: number;
  /** Maximum length of the header. */
  readonly #sizes: AllowedRange & { readonly min: number; readonly max: number };

  /** @param layer its name in errors about received bytes. @param where its name in errors about values. */
  constructor(readonly layer: string, readonly where: string, readonly list: FieldList) {
    const { bytes, fields, lengthField, restField } = list;
    const { unitBytes = 1, uncountedBytes = 0, maximumBytes = Infinity } = lengthField?.options.lengthRule ?? {};
    const countedMax = lengthField === undefined ? Infinity : uncountedBytes + unitBytes * lengthField.mask;
    this.bytes = bytes;
    this.#judged = fields.flatMap((field) => (field.options.rule ? [[field, field.options.rule]] : []));
    this.#unitBytes = unitBytes;
    this.#uncountedBytes = uncountedBytes;
    this.#sizes = {
      min: bytes,
      max: Math.min(maximumBytes, countedMax, bytes + (restField?.options.maximumBytes ?? Infinity)),
      ...(unitBytes > 1 && { multipleOf: unitBytes }),
      unit: 'bytes',
    };
  }

  /** Length of a received header; of its fixed part, if it has no length field. The caller has checked it. */
  bytesAt(received: Uint8Array, offset: number): number {
    const { lengthField } = this.list;
    if (lengthField === undefined) return this.bytes;
    return this.#uncountedBytes + this.#unitBytes * (lengthField.read(received, offset) as number);
  }

  /** End of a received header; `endOffset`, if it has no length field. The caller has checked it. */
  endAt(received: Uint8Array, offset: number, endOffset = received.length): number {
    return this.list.lengthField === undefined ? endOffset : offset + this.bytesAt(received, offset);
  }

  /**
   * Checks a received header completely.
   *
   * @returns its end; `endOffset`, if it has no length field.
   * @throws RoceError `invalid-packet` if the bytes there cannot be such a header.
   */
  check(received: Uint8Array, offset: number, wantedEnd?: number): number {
    requireBytes(this.layer, received, offset, this.bytes, wantedEnd);
    const endOffset = wantedEnd ?? received.length;
    for (const [field, rule] of this.#judged) field.judge(this.layer, rule, received, offset);
    const { min, max } = this.#sizes;
    if (max === Infinity) return endOffset;
    const lenBytes = this.endAt(received, offset, endOffset) - offset;
    if (lenBytes < min || lenBytes > max) {
      throw invalidPacket(this.layer, offset, 'has a wrong length', lenBytes, this.#sizes);
    }
    requireBytes(this.layer, received, offset, lenBytes, endOffset);
    return offset + lenBytes;
  }

  /** Length of a header to be written, bytes. */
  bytesOf(header: object): number {
    requireRecord(this.where, header);
    const rest = this.#restOf(header);
    return this.bytes + (rest === undefined ? 0 : lengthOf(`${this.where}.${this.list.restField?.name ?? ''}`, rest));
  }

  /**
   * Checks a header to be written.
   *
   * @param lenBytes length of the whole header.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  require(header: object, lenBytes = this.bytesOf(header), implied: ImpliedFields = {}): void {
    const { fields, lengthField } = this.list;
    requireRecord(this.where, header);
    for (const field of fields) {
      if (field !== lengthField) field.require(this.where, valueOf(field, header, implied));
    }
    this.#requireSize(lenBytes, header);
  }

  /** Checks and writes the fixed part. @returns the offset after it. */
  write(target: Uint8Array, offset: number, header: object, lenBytes: number, implied: ImpliedFields = {}): number {
    this.require(header, lenBytes, implied);
    requireTarget(this.where, target, offset, lenBytes);
    const { fields, lengthField } = this.list;
    for (const field of fields) {
      const value = field === lengthField ? this.#lengthValueOf(lenBytes) : valueOf(field, header, implied);
      field.write(target, offset, value);
    }
    return offset + this.bytes;
  }

  /** Checks and writes a header. @returns the offset after it. */
  writeWhole(target: Uint8Array, offset: number, header: object): number {
    const lenBytes = this.bytesOf(header);
    const at = this.write(target, offset, header, lenBytes);
    const rest = this.#restOf(header);
    // An empty array may be detached memory, which `set` rejects.
    if (rest !== undefined && rest.length > 0) target.set(rest, at);
    return offset + lenBytes;
  }

  #restOf(header: object): Uint8Array | undefined {
    const { restField } = this.list;
    return restField && (valueOf(restField, header, {}) as Uint8Array);
  }

  #lengthValueOf(lenBytes: number): number {
    return (lenBytes - this.#uncountedBytes) / this.#unitBytes;
  }

  #requireSize(lenBytes: number, header: object): void {
    const { min, max } = this.#sizes;
    const { lengthField, restField } = this.list;
    const length = this.#lengthValueOf(lenBytes);
    if (!(lenBytes >= min && lenBytes <= max) || (lengthField && !Number.isInteger(length))) {
      const where = restField === undefined ? this.where : `${this.where}.${restField.name}`;
      throw invalidArgument(where, lenBytes, this.#sizes, `length of the ${this.layer}`);
    }
    if (lengthField && !lengthField.isHidden) {
      requireImplied(`${this.where}.${lengthField.name}`, (header as Given)[lengthField.name], length);
    }
  }
}

/**
 * Checks a derived field that the caller has given nevertheless.
 *
 * @throws RoceError `invalid-argument` if it differs.
 */
export function requireImplied(where: string, stated: unknown, implied: number): void {
  if (stated !== undefined && stated !== implied) throw invalidArgument(where, stated, [implied, undefined]);
}

function valueOf({ name, isHidden, options }: Field, header: object, implied: ImpliedFields): FieldValue | undefined {
  const { [name]: value = options.fallback } = (isHidden ? implied : header) as Given;
  return value;
}
