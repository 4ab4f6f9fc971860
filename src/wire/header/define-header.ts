/**
 * A header from one table: layout, value, view, checks, reading and writing all follow from it (field-table.ts).
 *
 *   const UDP = defineHeader({ …, fields: (field) => ({ sourcePort: field.bits(16), … }) });
 */
import type { FieldLayout, HeaderLayout } from './layout.js';
import { FieldList } from './field-list.js';
import { FieldReader } from './field-reader.js';
import type { FieldTable, TableFields, TableValue } from './field-table.js';
import type { Field, FieldForm } from './field.js';
import { HeaderCodec, type ImpliedFields } from './header-codec.js';
import { HeaderView } from './header-view.js';

/** The value object of a header. */
export type HeaderValue<Of> = Of extends Header<infer Table> ? TableValue<Table> : never;
/** Input of a header's builder. */
export type HeaderFields<Of> = Of extends Header<infer Table> ? TableFields<Table> : never;

/** Reads a header; the inverse of its builder. @throws RoceError `invalid-packet` when the bytes there are not such a header. */
export type ParseHeader<Value> = (bytes: Uint8Array, offset?: number) => Value;
/** Writes a header. @throws RoceError `invalid-argument` naming a field out of range. */
export type BuildHeader<Fields> = (header: Fields) => Uint8Array;
/** Writes a header. @returns the offset behind it. @throws RoceError as `BuildHeader`, and when it has no room. */
export type BuildHeaderInto<Fields> = (target: Uint8Array, offset: number, header: Fields) => number;

/** Name, source and table of a header. */
export interface HeaderDefinition<Table> extends Pick<HeaderLayout, 'title' | 'source' | 'followedBy'> {
  /** As errors about received bytes call it. */
  readonly layer: string;
  /** As errors about values call it; `layer` by default. */
  readonly where?: string;
  readonly fields: (field: FieldTable) => Table;
}

/** A header, or the fixed part of one. */
export interface Header<Table> {
  /** Of the fixed part. */
  readonly bytes: number;
  /** The drawing of docs/wire.md. */
  readonly layout: HeaderLayout;
  /** Descriptions of the value's fields, by name. */
  readonly forms: { readonly [Name in keyof Table]: FieldForm };
  /** Reads in place. */
  readonly View: new(bytes: Uint8Array, offset?: number) => HeaderView & TableValue<Table>;
  /** @param endOffset where the bytes end that may be the header's. */
  readonly parse: (bytes: Uint8Array, offset?: number, endOffset?: number) => TableValue<Table>;
  readonly build: BuildHeader<TableFields<Table>>;
  readonly buildInto: BuildHeaderInto<TableFields<Table>>;
  /**
   * Writes the fixed part of a longer header.
   * @param lenBytes of the whole header: without room for them nothing is written.
   * @param implied the implied fields.
   * @returns the offset behind the fixed part.
   */
  readonly buildPartInto: (target: Uint8Array, offset: number, header: TableFields<Table>, lenBytes: number,
    implied?: ImpliedFields) => number;
  /** Checks a header, or the fixed part of one, that is about to be written. @throws RoceError as `build`. */
  readonly require: (header: TableFields<Table>, lenBytes?: number) => void;
  /** Bytes of a header in place. @throws RoceError `invalid-packet` when the bytes cannot be one. */
  readonly requireAt: (bytes: Uint8Array, offset: number, endOffset?: number) => number;
  /** Byte with a field's first bit, from the header's start. */
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
    bytes: codec.bytes,
    layout: layoutOf(definition, list),
    forms: Object.fromEntries(Object.entries(named).map(([name, { form }]) => [name, form])) as Header<Table>['forms'],
    View: viewOf(codec) as Header<Table>['View'],
    parse: (received, offset = 0, endOffset) =>
      table(new FieldReader(received, offset, codec.check(received, offset, endOffset))) as TableValue<Table>,
    build: (header) => {
      const target = new Uint8Array(codec.bytesOf(header));
      codec.writeWhole(target, 0, header);
      return target;
    },
    buildInto: (target, offset, header) => codec.writeWhole(target, offset, header),
    buildPartInto: (target, offset, header, lenBytes, implied) =>
      codec.write(target, offset, header, lenBytes, implied),
    require: (header, lenBytes) => codec.require(header, lenBytes),
    requireAt: (bytes, offset, endOffset) => codec.check(bytes, offset, endOffset) - offset,
    offsetOf: (name) => offsetOf(list.fields, String(name)),
  };
}

/** The drawing of a list of fields. */
function layoutOf({ title, source, followedBy }: HeaderDefinition<object>, { fields, bytes }: FieldList): HeaderLayout {
  const places = fields.map(({ name, at, firstBit, bits }): FieldLayout => ({
    name,
    offset: at,
    bit: firstBit & 7,
    bits,
  }));
  return { title, source, bytes, fields: places, ...(followedBy === undefined ? {} : { followedBy }) };
}

/** A view whose prototype has the header, and a getter for each field. */
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

/** A misspelt name is found when its module is loaded. */
function offsetOf(fields: readonly Field[], name: string): number {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`no field ${name}`);
  return field.at;
}
