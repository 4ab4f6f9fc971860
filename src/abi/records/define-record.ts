/**
 * Declares records in linear memory, each once, as a table of its fields, and reads and writes fields by name.
 *
 *   export const POOL = defineRecord('Pool', 32, { sharedBytes: u32, alpha: f64, … });
 *
 * From the tables, the build generates the kernel's classes and constants (scripts/build-records.mjs,
 * assembly/records), and `npm run docs` generates docs/internals/memory.md. Fields are laid out in the listed order,
 * little-endian; unused bytes are also listed, so that no field moves unnoticed. The same files define codes of fields
 * as plain constants. Comments of fields become their documentation everywhere.
 */

/** Type of a number in memory. */
export type NumberType = 'f64' | 'i64' | 'u64' | 'u32' | 'u16' | 'u8';
/** A byte that the kernel handles as u32. */
export type WideByte = 'wide-u8';

/** Consecutive fields of one type. */
export interface FieldArray {
  readonly of: NumberType | RecordTable;
  readonly count: number;
}

/** Unused bytes. */
export interface FreeBytes {
  readonly free: number;
}

export type FieldType = NumberType | WideByte | FieldArray | FreeBytes;
export type FieldTypes = Readonly<Record<string, FieldType>>;

/** Layout of a record. */
export interface RecordTable<Fields extends FieldTypes = FieldTypes> {
  /** Name of the kernel's class. */
  readonly name: string;
  readonly bytes: number;
  readonly fields: Fields;
  /** Byte offset of each field. */
  readonly at: { readonly [Name in keyof Fields]: number };
  readonly rules: RecordRules<keyof Fields>;
  /** The record that the kernel's class extends. */
  readonly base?: RecordTable;
}

/** Constraints on field offsets; scripts/records.mjs checks them. */
export interface RecordRules<Name = PropertyKey> {
  /** Groups of consecutive fields that a single load or store accesses, in order. */
  readonly adjacent?: readonly (readonly Name[])[];
  /** Fields that must have the same offset as in the record of that table. */
  readonly sameAs?:
    readonly (readonly [table: { readonly at: Readonly<Record<string, number>> }, names: readonly Name[]])[];
}

export const f64 = 'f64';
export const i64 = 'i64';
export const u64 = 'u64';
export const u32 = 'u32';
export const u16 = 'u16';
export const u8 = 'u8';
/** A byte in memory, u32 in the kernel's arithmetic. */
export const wideU8 = 'wide-u8';

const NUMBER_BYTES: Readonly<Record<NumberType | WideByte, number>> = {
  f64: 8,
  i64: 8,
  u64: 8,
  u32: 4,
  u16: 2,
  u8: 1,
  'wide-u8': 1,
};

/** `count` consecutive fields or records. */
export const array = <Of extends NumberType | RecordTable>(of: Of,
  count: number): { readonly of: Of; count: number } => ({
    of,
    count,
  });

/** One record within another. */
export const part = <Of extends RecordTable>(of: Of): { readonly of: Of; count: number } => array(of, 1);

/** Unused bytes. */
export const free = (bytes: number): FreeBytes => ({ free: bytes });

/** Size of a field, bytes. */
export function fieldBytes(type: FieldType): number {
  if (typeof type === 'string') return NUMBER_BYTES[type];
  if ('free' in type) return type.free;
  return type.count * (typeof type.of === 'string' ? NUMBER_BYTES[type.of] : type.of.bytes);
}

/**
 * Declares a record. @param name name of the kernel's class. @param bytes size of the record; must equal the sum of its
 * fields.
 */
export function defineRecord<const Fields extends FieldTypes>(name: string, bytes: number, fields: Fields,
  rules: RecordRules<keyof Fields> = {}): RecordTable<Fields> {
  const at: Record<string, number> = {};
  let end = 0;
  for (const field in fields) {
    at[field] = end;
    end += fieldBytes(fields[field]);
  }
  return { name, bytes, fields, at: at as RecordTable<Fields>['at'], rules };
}

/** The fields of all groups. */
type Merged<Groups> = UnionToIntersection<Groups[keyof Groups]>;
type UnionToIntersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends
  (part: infer All) => void ? All : never;

/**
 * Declares a record with the fields of another one, plus its own fields over unused bytes and over fields it does not
 * need.
 *
 * @param groups consecutive fields, by the field of the other record at which they begin.
 */
export function overlayRecord<
  Base extends FieldTypes,
  const Groups extends { readonly [Name in keyof Base]?: FieldTypes },
>(name: string, base: RecordTable<Base>, groups: Groups): RecordTable<Base & Merged<Groups>> {
  const fields: Record<string, FieldType> = {};
  const at: Record<string, number> = {};
  for (const first in groups) {
    const parts = defineRecord<FieldTypes>(name, 0, groups[first] ?? {});
    Object.assign(fields, parts.fields);
    for (const [field, place] of Object.entries(parts.at)) at[field] = base.at[first] + place;
  }
  type Fields = Base & Merged<Groups>;
  const all = { ...base.fields, ...fields } as unknown as Fields;
  const places = { ...base.at, ...at } as unknown as RecordTable<Fields>['at'];
  return { name, bytes: base.bytes, fields: all, at: places, rules: {}, base: base as unknown as RecordTable };
}

/** Consecutive numbers of one type. */
export interface SlotTable<Name extends string = string> {
  /** Prefix of the kernel's constants. */
  readonly name: string;
  readonly type: NumberType;
  readonly count: number;
  /** Index of the first slot by name. */
  readonly index: Readonly<Record<Name, number>>;
}

/**
 * Declares consecutive numbers of one type.
 *
 * @param name prefix of the kernel's constants. @param slots number of slots by name; names of `free` and a number are
 * unused slots.
 */
export function defineSlots<const Name extends string>(name: string, type: NumberType,
  slots: Readonly<Record<Name, number>>): SlotTable<UsedName<Name>> {
  const index: Record<string, number> = {};
  let count = 0;
  for (const slot in slots) {
    if (!UNUSED.test(slot)) index[slot] = count;
    count += slots[slot];
  }
  return { name, type, count, index: index as Record<UsedName<Name>, number> };
}

/** Unused slots: `free` and a number. */
const UNUSED = /^free\d+$/;
type UsedName<Name extends string> = Exclude<Name, `free${number}`>;

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
