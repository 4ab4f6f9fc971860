/**
 * Writes the records of a Chakra trace, each preceded by its length: `GlobalMetadata` and `Node`, proto3, schema 0.0.4.
 *
 * Written by hand, although a library reads it: only five kinds of fields are needed, all varints or length-delimited
 * bytes.
 */

/** The fields of a node that are written. */
export interface WrittenNode {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly durationUs: number;
  readonly dependencies: readonly number[];
  readonly isHost: boolean;
  readonly message?: {
    readonly sizeBytes: number;
    readonly source: number;
    readonly destination: number;
    readonly tag: number;
  };
}

const encoder = new TextEncoder();
const VARINT = 0;
const DELIMITED = 2;
/** Field numbers in AttributeProto's oneof: a 32-bit number, a 64-bit number, a flag. */
const [INT32, INT64, BOOL] = [7, 9, 27];

export function metadataBytes(version: string): Uint8Array {
  return behindLength(delimited(1, encoder.encode(version)));
}

export function nodeBytes({ id, name, type, durationUs, dependencies, isHost, message }: WrittenNode): Uint8Array {
  return behindLength([
    ...number(1, id),
    ...delimited(2, encoder.encode(name)),
    ...number(3, type),
    ...(dependencies.length === 0 ? [] : delimited(5, dependencies.flatMap(varint))),
    ...number(7, durationUs),
    ...attribute('is_cpu_op', BOOL, Number(isHost)),
    ...(message === undefined ?
      [] :
      [
        ...attribute('comm_size', INT64, message.sizeBytes),
        ...attribute('comm_src', INT32, message.source),
        ...attribute('comm_dst', INT32, message.destination),
        ...attribute('comm_tag', INT32, message.tag),
      ]),
  ]);
}

/** Encodes an attribute. The value of a oneof is written even if it is 0. */
function attribute(name: string, field: number, value: number): number[] {
  return delimited(10, [...delimited(1, encoder.encode(name)), ...varint(field * 8 + VARINT), ...varint(value)]);
}

/** Encodes a number field; 0 is not written. */
function number(field: number, value: number): number[] {
  return value === 0 ? [] : [...varint(field * 8 + VARINT), ...varint(value)];
}

function delimited(field: number, bytes: Iterable<number>): number[] {
  const content = [...bytes];
  return [...varint(field * 8 + DELIMITED), ...varint(content.length), ...content];
}

/** Encodes seven bits per byte; for numbers up to 2^53. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

function behindLength(bytes: readonly number[]): Uint8Array {
  return Uint8Array.from([...varint(bytes.length), ...bytes]);
}
