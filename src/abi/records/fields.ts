/** Reads and writes fields of records by name. */
import type { FieldArray, FieldTypes, NumberType, RecordTable, SlotTable, WideByte } from './define-record.js';
import { fieldBytes } from './define-record.js';

type OneNumber = NumberType | WideByte;

/** Names of the fields that hold a single number. */
export type NumberName<Fields> = keyof FieldValues<Fields>;

/** Values of some of the fields. */
export type FieldValues<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends OneNumber ? Name : never]?: number | boolean;
};

/** Writes the given fields, and leaves the others unchanged. @param at address of the record. */
export function writeFields<Fields extends FieldTypes>(view: DataView, at: number, table: RecordTable<Fields>,
  values: FieldValues<Fields>): void {
  for (const [name, value] of Object.entries(values) as [string, number | boolean][]) {
    const type = table.fields[name] as OneNumber | undefined;
    // Writing an unknown property, as from a spread object, would corrupt memory.
    if (type === undefined) throw new Error(`${table.name} has no field ${name}`);
    writeNumber(view, at + table.at[name], type, Number(value));
  }
}

/** Reads the named fields. @param at address of the record. */
export function readFields<Fields extends FieldTypes, const Name extends NumberName<Fields>>(view: DataView, at: number,
  table: RecordTable<Fields>, names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, readField(view, at, table, name)])) as Record<Name, number>;
}

/** Reads one field. @param at address of the record. */
export function readField<Fields extends FieldTypes>(view: DataView, at: number, table: RecordTable<Fields>,
  name: NumberName<Fields>): number {
  return readNumber(view, at + table.at[name], table.fields[name] as OneNumber);
}

/** Names of the fields that hold several numbers. */
type ArrayName<Fields> = keyof {
  [Name in keyof Fields as Fields[Name] extends { readonly of: NumberType } ? Name : never]: unknown;
};

/** Reads numbers of an array. @param at address of the record. @param count how many, default all. */
export function readArray<Fields extends FieldTypes>(view: DataView, at: number, table: RecordTable<Fields>,
  name: ArrayName<Fields>, count = Infinity): number[] {
  const array = table.fields[name] as FieldArray & { readonly of: NumberType };
  const from = at + table.at[name];
  const bytes = fieldBytes(array.of);
  return Array.from({ length: Math.min(count, array.count) }, (_, i) => readNumber(view, from + i * bytes, array.of));
}

/** Writes the first numbers of an array. @param at address of the record. */
export function writeArray<Fields extends FieldTypes>(view: DataView, at: number, table: RecordTable<Fields>,
  name: ArrayName<Fields>, values: readonly number[]): void {
  const { of } = table.fields[name] as FieldArray & { readonly of: NumberType };
  const from = at + table.at[name];
  values.forEach((value, i) => {
    writeNumber(view, from + i * fieldBytes(of), of, value);
  });
}

/** Writes a number. @param value an integer for all types but f64. */
export function writeNumber(view: DataView, at: number, type: OneNumber, value: number): void {
  if (type === 'f64') view.setFloat64(at, value, true);
  else if (type === 'u32') view.setUint32(at, value, true);
  else if (type === 'u16') view.setUint16(at, value, true);
  else if (type === 'u8' || type === 'wide-u8') view.setUint8(at, value);
  else view.setBigInt64(at, BigInt(value), true);
}

/** Reads a number; 64-bit integers are exact up to 2^53. */
export function readNumber(view: DataView, at: number, type: OneNumber): number {
  if (type === 'f64') return view.getFloat64(at, true);
  if (type === 'u32') return view.getUint32(at, true);
  if (type === 'u16') return view.getUint16(at, true);
  if (type === 'u8' || type === 'wide-u8') return view.getUint8(at);
  return Number(type === 'i64' ? view.getBigInt64(at, true) : view.getBigUint64(at, true));
}

/** Values of some of the slots. */
export type SlotValues<Table extends SlotTable> = { readonly [Name in keyof Table['index']]?: number | boolean };

/** Writes the given slots, and leaves the others unchanged. @param at address of the first slot. */
export function writeSlots<Name extends string>(view: DataView, at: number, table: SlotTable<Name>,
  values: SlotValues<SlotTable<Name>>): void {
  for (const name in values) writeNumber(view, slotAt(at, table, name), table.type, Number(values[name]));
}

/**
 * Reads the number in a slot. @param at address of the first slot. @param further offset from the first slot of that
 * name.
 */
export function readSlot<Name extends string>(view: DataView, at: number, table: SlotTable<Name>, name: Name,
  further = 0): number {
  return readNumber(view, slotAt(at, table, name, further), table.type);
}

/** Address of a slot. */
export function slotAt<Name extends string>(at: number, { type, index }: SlotTable<Name>, name: Name,
  further = 0): number {
  return at + (index[name] + further) * fieldBytes(type);
}
