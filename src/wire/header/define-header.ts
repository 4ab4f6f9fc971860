/**
 * Defines a header by one table, from which layout, value, view, checks, reading and writing all derive
 * (field-table.ts).
 *
 *   const Udp = defineHeader({ …, fields: (field) => ({ sourcePort: field.bits(16), … }) });
 */
import type { FieldLayout, HeaderLayout } from './layout.js';
import { FieldList } from './field-list.js';
import { FieldReader } from './field-reader.js';
import type { FieldTable, TableFields, TableValue } from './field-table.js';
import type { Field, FieldForm } from './field.js';
import { HeaderCodec, type ImpliedFields } from './header-codec.js';
import { HeaderView } from './header-view.js';

type Call = (...args: never) => unknown;
type Constructor = abstract new(...args: never) => unknown;

/** The value type of a header: the result of its `read`. */
export type ValueOf<Of extends Readonly<Record<'read', Call>>> = ReturnType<Of['read']>;
/** The input type of a header: the argument of its `write`. */
export type FieldsOf<Of extends Readonly<Record<'writeInto', Call>>> = Parameters<Of['writeInto']>[2];
/** The view type of a header, which reads in place. */
export type ViewOf<Of extends Readonly<Record<'View', Constructor>>> = InstanceType<Of['View']>;

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
