/**
 * A header from one table: layout, value, view, checks, reading and writing all follow from it (field-table.ts).
 *
 *   const UDP = defineHeader({ …, fields: (field) => ({ sourcePort: field.bits(16), … }) });
 */
import { requireBytes, requireTarget } from '../bytes.js';
import type { FieldLayout, HeaderLayout } from './layout.js';
import { FieldList } from './field-list.js';
import { FieldReader } from './field-reader.js';
import type { FieldTable, TableFields, TableValue } from './field-table.js';
import type { Field, FieldForm, FieldValue } from './field.js';
import { HeaderView, type ViewedHeader } from './header-view.js';

/** The value object of a header. */
export type HeaderValue<Of> = Of extends Header<infer Table> ? TableValue<Table> : never;
/** What the builder of a header needs. */
export type HeaderFields<Of> = Of extends Header<infer Table> ? TableFields<Table> : never;

/** Reads a header; the inverse of its builder. @throws RoceError `invalid-packet` when no such header stands there. */
export type ParseHeader<Value> = (bytes: Uint8Array, offset?: number) => Value;
/** Writes a header. @throws RoceError `invalid-argument` naming a field out of range. */
export type BuildHeader<Fields> = (header: Fields) => Uint8Array;
/** Writes a header. @returns the offset behind it. @throws RoceError as `BuildHeader`, and when it has no room. */
export type BuildHeaderInto<Fields> = (target: Uint8Array, offset: number, header: Fields) => number;

/** What a header is called, where it comes from, and its table. */
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
  /** What the fields of the value are, by name. */
  readonly forms: { readonly [Name in keyof Table]: FieldForm };
  /** Reads in place. */
  readonly View: new(bytes: Uint8Array, offset?: number) => HeaderView & TableValue<Table>;
  readonly parse: ParseHeader<TableValue<Table>>;
  readonly build: BuildHeader<TableFields<Table>>;
  readonly buildInto: BuildHeaderInto<TableFields<Table>>;
  /**
   * Writes the fixed part of a longer header.
   * @param roomBytes of the whole header: without them nothing is written.
   * @param implied the implied fields.
   * @returns the offset behind the fixed part.
   */
  readonly buildPartInto: (target: Uint8Array, offset: number, header: TableFields<Table>, roomBytes: number,
    implied?: ImpliedFields) => number;
  /** Byte with a field's first bit, from the header's start. */
  readonly offsetOf: (name: keyof Table | (string & {})) => number;
}

/** Implied fields by name. */
export type ImpliedFields = Readonly<Record<string, number>>;

/** Defines a header by its table. */
export function defineHeader<Table extends object>(definition: HeaderDefinition<Table>): Header<Table> {
  const { layer, where = layer, fields: table } = definition;
  const list = new FieldList();
  const named = table(list) as Readonly<Record<string, Field>>;
  for (const [name, field] of Object.entries(named)) field.name = name;
  const { fields, bytes } = list;
  const judged = fields.filter(({ isJudged }) => isJudged);

  const check = (received: Uint8Array, offset: number): void => {
    requireBytes(layer, received, offset, bytes);
    for (const field of judged) field.judge(layer, received, offset);
  };
  const buildPartInto: Header<Table>['buildPartInto'] = (target, offset, header, roomBytes, implied = {}) => {
    const given = header as Readonly<Record<string, FieldValue | undefined>>;
    const valueOf = ({ name, isHidden, fallback }: Field): FieldValue | undefined => {
      const { [name]: value = fallback } = isHidden ? implied : given;
      return value;
    };
    for (const field of fields) field.require(where, valueOf(field));
    requireTarget(where, target, offset, roomBytes);
    for (const field of fields) field.write(target, offset, valueOf(field));
    return offset + bytes;
  };
  return {
    bytes,
    layout: layoutOf(definition, list),
    forms: Object.fromEntries(Object.entries(named).map(([name, { form }]) => [name, form])) as Header<Table>['forms'],
    View: viewOf(fields, { bytes, check }) as Header<Table>['View'],
    parse: (received, offset = 0) => {
      check(received, offset);
      return table(new FieldReader(received, offset)) as TableValue<Table>;
    },
    build: (header) => {
      const target = new Uint8Array(bytes);
      buildPartInto(target, 0, header, bytes);
      return target;
    },
    buildInto: (target, offset, header) => buildPartInto(target, offset, header, bytes),
    buildPartInto,
    offsetOf: (name) => offsetOf(fields, String(name)),
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
function viewOf(fields: readonly Field[], header: ViewedHeader): typeof HeaderView {
  class View extends HeaderView {}
  Object.defineProperty(View.prototype, 'header', { value: header });
  for (const field of fields) {
    Object.defineProperty(View.prototype, field.name, {
      get(this: HeaderView) {
        return field.read(this.bytes, this.offset);
      },
      configurable: true,
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
