/** Chakra traces for tests, field by field: docs/specs/workloads.md, 2.2. */
import type { ChakraFile } from '../../../src/workloads/index.js';

/** A field number with a value or bytes. */
export type Field = readonly [number, number | Uint8Array];

/** A record of fields, preceded by its length. */
export function record(...fields: readonly Field[]): Uint8Array {
  const body = message(...fields);
  return Uint8Array.from([...varint(body.length), ...body]);
}

export function message(...fields: readonly Field[]): Uint8Array {
  return Uint8Array.from(fields.flatMap(([field, value]) =>
    typeof value === 'number' ?
      [...varint(field * 8), ...varint(value)] :
      [...varint(field * 8 + 2), ...varint(value.length), ...value]
  ));
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

export const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** An attribute by the number of its value's type. */
export const attribute = (name: string, field: number, value: number | Uint8Array): Uint8Array =>
  message([1, text(name)], [field, value]);

/** Values of attributes: numbers as int64, flags, texts, lists of flags. */
export type Value = number | boolean | string | readonly boolean[];

const NODE = 10;

/** Attributes as fields of a node. */
export function attributes(values: Readonly<Record<string, Value>>): Field[] {
  return Object.entries(values).map(([name, value]) => [NODE, attribute(name, ...typed(value))]);
}

function typed(value: Value): readonly [number, number | Uint8Array] {
  if (typeof value === 'number') return [9, value];
  if (typeof value === 'boolean') return [27, Number(value)];
  return typeof value === 'string' ? [29, text(value)] : [28, message([1, Uint8Array.from(value.map(Number))])];
}

/** A trace for each rank, with the nodes of the rank. */
export function traces(ranks: number, nodesOf: (rank: number) => readonly Uint8Array[],
  metadata: readonly Field[] = [[1, text('0.0.4')]]): ChakraFile[] {
  return Array.from({ length: ranks }, (_, rank) => ({
    name: `t.${rank}.et`,
    source: Uint8Array.from([record(...metadata), ...nodesOf(rank)].flatMap((bytes) => [...bytes])),
  }));
}
