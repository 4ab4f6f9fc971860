/** Reads and writes records in memory by their layouts. */

/**
 * Type and byte offset of a number, and for a flag its bit. With `less`, the stored number is reduced by this, but not
 * below 0.
 */
export type Place = readonly [type: 'f64' | 'u32' | 'u16' | 'u8', offset: number, less?: number] | readonly [
  type: 'bit',
  offset: number,
  bit: number,
];

/** Fields by name. */
export type RecordLayout<Name extends string = string> = Readonly<Record<Name, Place>>;

/** Numbers by name, as in a model's state. */
export type RecordValues = Record<string, number | boolean | undefined>;

/** Writes all fields of the layout; absent values are written as 0. */
export function writeRecord(view: DataView, at: number, layout: RecordLayout, values: object): void {
  for (const name in layout) {
    const place = layout[name];
    writeField(view, at + place[1], place, Number((values as RecordValues)[name] ?? 0));
  }
}

/** Reads all fields of the layout; flags become booleans. */
export function readRecord(view: DataView, at: number, layout: RecordLayout): RecordValues {
  const values: RecordValues = {};
  for (const name in layout) values[name] = readField(view, at + layout[name][1], layout[name]);
  return values;
}

function writeField(view: DataView, at: number, [type, , less = 0]: Place, value: number): void {
  if (type === 'f64') view.setFloat64(at, value, true);
  else if (type === 'u32') view.setUint32(at, Math.max(value - less, 0), true);
  else if (type === 'u16') view.setUint16(at, value, true);
  else if (type === 'u8') view.setUint8(at, value);
  else view.setUint8(at, value === 0 ? view.getUint8(at) & ~less : view.getUint8(at) | less);
}

function readField(view: DataView, at: number, [type, , less = 0]: Place): number | boolean {
  if (type === 'f64') return view.getFloat64(at, true);
  if (type === 'u32') return view.getUint32(at, true) + less;
  if (type === 'u16') return view.getUint16(at, true);
  return type === 'u8' ? view.getUint8(at) : (view.getUint8(at) & less) !== 0;
}
