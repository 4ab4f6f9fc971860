/**
 * Records of linear memory, each declared once, in a table of its fields.
 *
 *   export const POOL = defineRecord('Pool', 32, { sharedBytes: u32, alpha: f64, … });
 *
 * The build makes the kernel's classes and constants from the tables (scripts/build-records.mjs, assembly/records), `npm run docs` makes
 * docs/internals/memory.md, and the host reads and writes by field name (fields.ts). Fields follow each other as they are listed, little-endian;
 * unused bytes are listed, too, so that no field moves unnoticed. Files of tables hold the codes of their fields as plain constants. The comment of a field is its documentation everywhere.
 */

/** A number in memory. */
export type NumberType = 'f64' | 'i64' | 'u64' | 'u32' | 'u16' | 'u8';
/** A byte that the kernel reads and writes as u32. */
export type WideByte = 'wide-u8';

/** Fields of one kind that follow each other. */
export interface FieldArray {
  readonly of: NumberType | RecordTable;
  readonly count: number;
}

/** Bytes without a meaning. */
export interface FreeBytes {
  readonly free: number;
}

export type FieldType = NumberType | WideByte | FieldArray | FreeBytes;
export type FieldTypes = Readonly<Record<string, FieldType>>;

/** Where the fields of a record are. */
export interface RecordTable<Fields extends FieldTypes = FieldTypes> {
  /** The kernel's class. */
  readonly name: string;
  readonly bytes: number;
  readonly fields: Fields;
  /** Byte offsets. */
  readonly at: { readonly [Name in keyof Fields]: number };
  readonly rules: RecordRules<keyof Fields>;
  /** The kernel's class extends that of this record. */
  readonly base?: RecordTable;
}

/** What holds for the places of fields; scripts/records.mjs checks them. */
export interface RecordRules<Name = PropertyKey> {
  /** Fields that one load or store reads or writes together, in order. */
  readonly adjacent?: readonly (readonly Name[])[];
  /** Fields that have the same offset in the record of that table. */
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

/** `count` fields or records that follow each other. */
export const array = <Of extends NumberType | RecordTable>(of: Of,
  count: number): { readonly of: Of; count: number } => ({
    of,
    count,
  });

/** One record within another. */
export const part = <Of extends RecordTable>(of: Of): { readonly of: Of; count: number } => array(of, 1);

/** Unused bytes. */
export const free = (bytes: number): FreeBytes => ({ free: bytes });

/** Bytes that a field takes. */
export function fieldBytes(type: FieldType): number {
  if (typeof type === 'string') return NUMBER_BYTES[type];
  if ('free' in type) return type.free;
  return type.count * (typeof type.of === 'string' ? NUMBER_BYTES[type.of] : type.of.bytes);
}

/** Declares a record. @param name of the kernel's class. @param bytes of the record, which its fields add up to. */
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

/** All fields of some groups. */
type Merged<Groups> = UnionToIntersection<Groups[keyof Groups]>;
type UnionToIntersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends
  (part: infer All) => void ? All : never;

/**
 * Declares a record that has the fields of another one, and its own fields over unused bytes and fields that it does not need.
 *
 * @param groups by the field that they begin at: fields that follow each other from there on.
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

/** Numbers of one type in a row. */
export interface SlotTable<Name extends string = string> {
  /** The kernel's constants begin with it. */
  readonly name: string;
  readonly type: NumberType;
  readonly count: number;
  /** By name: index of its first slot. */
  readonly index: Readonly<Record<Name, number>>;
}

/**
 * Declares numbers of one type in a row.
 *
 * @param name that the kernel's constants begin with. @param slots how many each name has; those called `free` and
 * a number have no meaning.
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

/** Slots without a meaning: `free` and a number. */
const UNUSED = /^free\d+$/;
type UsedName<Name extends string> = Exclude<Name, `free${number}`>;
