/**
 * Reads and writes records of a Chakra trace: `GlobalMetadata` and `Node`, proto3, schema 0.0.4. When read, zeros may
 * be missing, repeated numbers may be packed or not, and any integer type is accepted, since writers use different
 * ones for the same number. Unknown fields are ignored.
 *
 * Reading uses @bufbuild/protobuf, bundled; this module imports nothing else, so that the bundle contains no module
 * twice. Writing needs no library: only five kinds of fields are written, all varints or length-delimited bytes, and
 * each record is preceded by its length.
 */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** A 64-bit varint field, as a number if that is exact. */
type Whole = number | bigint;
/** Value of an attribute. Of lists, only flags are read; undefined for other lists and for bytes. */
export type AttributeValue = number | bigint | string | boolean | readonly boolean[] | undefined;

/** A metadata record as in the file. */
export interface MetadataRecord {
  /** Empty if it is missing; undefined if the field is not a string, as in the schema of 2023-08. */
  readonly version: string | undefined;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /** Fields that are unknown to the schema here, such as `field 3`. */
  readonly otherFields: readonly string[];
}

export interface NodeRecord {
  readonly id: Whole;
  readonly type: number;
  readonly durationUs: Whole;
  readonly dataDependencies: Whole[];
  readonly controlDependencies: Whole[];
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  /** Values of a metadata node's inputs, as text; empty for other nodes. */
  readonly inputs: readonly string[];
  /** Other fields that are present, by name or as `field 11`; the node's name is not included. */
  readonly otherFields: readonly string[];
}

/** Type number of metadata nodes. */
const METADATA = 1;
const TEXT_PATTERN = /^[\w.\-+ ]*$/;

/** @throws Error of the wire format, or if a known field has the wrong type. */
export function readMetadata(bytes: Uint8Array): MetadataRecord {
  const attributes = new Map<string, AttributeValue>();
  const otherFields: string[] = [];
  let version: string | undefined = '';
  forEachField(bytes, (reader, field, type) => {
    if (field === 1) {
      const text = new TextDecoder().decode(delimited(reader, type));
      version = TEXT_PATTERN.test(text) ? text : undefined;
    } else if (field === 2) addAttribute(attributes, delimited(reader, type));
    else skipOther(otherFields, reader, field, type);
  });
  return { version, attributes, otherFields };
}

/** Reads a node record. @throws as `readMetadata`. */
export function readNode(bytes: Uint8Array): NodeRecord {
  const attributes = new Map<string, AttributeValue>();
  const dataDependencies: Whole[] = [];
  const controlDependencies: Whole[] = [];
  const inputs: Uint8Array[] = [];
  const otherFields: string[] = [];
  const whole = { id: 0 as Whole, type: 0 as Whole, durationUs: 0 as Whole };
  forEachField(bytes, (reader, field, wireType) => {
    if (field === 1) whole.id = varint(reader, wireType);
    else if (field === 3) whole.type = varint(reader, wireType);
    else if (field === 4) readIds(controlDependencies, reader, wireType);
    else if (field === 5) readIds(dataDependencies, reader, wireType);
    else if (field === 7) whole.durationUs = varint(reader, wireType);
    else if (field === 8) inputs.push(delimited(reader, wireType));
    else if (field === 10) addAttribute(attributes, delimited(reader, wireType));
    else skipOther(otherFields, reader, field, wireType);
  });
  const isMetadata = whole.type === METADATA;
  if (!isMetadata && inputs.some(({ length }) => length > 0)) otherFields.push('inputs');
  return {
    ...whole,
    type: Number(whole.type),
    dataDependencies,
    controlDependencies,
    attributes,
    inputs: isMetadata ? inputs.map(valuesOf) : [],
    otherFields,
  };
}

/** Names of fields that are not used here; field 2 is the node's name. */
const FIELD_NAMES: Readonly<Record<number, string>> = { 6: 'start_time_micros', 9: 'outputs', 11: 'storage' };
const NAME_FIELD = 2;

/** Skips an unused field. A number of 0 or an empty message counts as absent. */
function skipOther(otherFields: string[], reader: BinaryReader, field: number, type: WireType): void {
  const skipped = reader.skip(type, field);
  const isEmpty = skipped.length === 1 && skipped[0] === 0;
  if (field !== NAME_FIELD && !isEmpty) otherFields.push(FIELD_NAMES[field] ?? `field ${field}`);
}

/** Reads the values of an IOInfo message. */
function valuesOf(bytes: Uint8Array): string {
  let values = '';
  forEachField(bytes, (reader, field, type) => {
    if (field === 1) values = new TextDecoder().decode(delimited(reader, type));
    else reader.skip(type, field);
  });
  return values;
}

function forEachField(bytes: Uint8Array, visit: (reader: BinaryReader, field: number, type: WireType) => void): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (type === WireType.StartGroup || type === WireType.EndGroup)
      throw new Error(`wire type ${type} of field ${field}`);
    visit(reader, field, type);
  }
}

function exact(value: bigint | string): Whole {
  const big = BigInt(value);
  return big >= -BigInt(Number.MAX_SAFE_INTEGER) && big <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(big) : big;
}

function varint(reader: BinaryReader, type: WireType): Whole {
  if (type !== WireType.Varint) throw new Error(`wire type ${type} instead of a number`);
  return exact(reader.uint64());
}

function delimited(reader: BinaryReader, type: WireType): Uint8Array {
  if (type !== WireType.LengthDelimited) throw new Error(`wire type ${type} instead of a length`);
  return reader.bytes();
}

function readIds(ids: Whole[], reader: BinaryReader, type: WireType): void {
  if (type === WireType.Varint) {
    ids.push(varint(reader, type));
    return;
  }
  const packed = new BinaryReader(delimited(reader, type));
  while (packed.pos < packed.len) ids.push(exact(packed.uint64()));
}

/** How each single value in AttributeProto's oneof is read, by field number. */
const SINGLE: Readonly<Record<number, (reader: BinaryReader) => AttributeValue>> = {
  3: (reader) => reader.double(),
  5: (reader) => reader.float(),
  7: (reader) => reader.int32(),
  9: (reader) => exact(reader.int64()),
  11: (reader) => reader.uint32(),
  13: (reader) => exact(reader.uint64()),
  15: (reader) => reader.sint32(),
  17: (reader) => exact(reader.sint64()),
  19: (reader) => reader.fixed32(),
  21: (reader) => exact(reader.fixed64()),
  23: (reader) => reader.sfixed32(),
  25: (reader) => exact(reader.sfixed64()),
  27: (reader) => reader.bool(),
  29: (reader) => reader.string(),
};
const WIRE_TYPES: Readonly<Record<number, WireType>> = {
  3: WireType.Bit64,
  5: WireType.Bit32,
  19: WireType.Bit32,
  21: WireType.Bit64,
  23: WireType.Bit32,
  25: WireType.Bit64,
  29: WireType.LengthDelimited,
};

const BOOL_LIST = 28;

/** Reads a list message of flags, packed or not. */
function flagsOf(bytes: Uint8Array): boolean[] {
  const flags: Whole[] = [];
  forEachField(bytes, (reader, field, type) => {
    if (field === 1) readIds(flags, reader, type);
    else reader.skip(type, field);
  });
  return flags.map((flag) => flag !== 0);
}

function addAttribute(attributes: Map<string, AttributeValue>, bytes: Uint8Array): void {
  let name = '';
  let value: AttributeValue;
  forEachField(bytes, (reader, field, type) => {
    const read = SINGLE[field];
    if (field === 1) name = new TextDecoder().decode(delimited(reader, type));
    else if (field === BOOL_LIST) value = flagsOf(delimited(reader, type));
    else if (read === undefined) reader.skip(type, field);
    else {
      const wanted = WIRE_TYPES[field] ?? WireType.Varint;
      if (type !== wanted) throw new Error(`wire type ${type} of value ${field}`);
      value = read(reader);
    }
  });
  attributes.set(name, value);
}

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
  return behindLength(encodeDelimited(1, encoder.encode(version)));
}

export function nodeBytes({ id, name, type, durationUs, dependencies, isHost, message }: WrittenNode): Uint8Array {
  return behindLength([
    ...number(1, id),
    ...encodeDelimited(2, encoder.encode(name)),
    ...number(3, type),
    ...(dependencies.length === 0 ? [] : encodeDelimited(5, dependencies.flatMap(encodeVarint))),
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
  return encodeDelimited(10, [
    ...encodeDelimited(1, encoder.encode(name)),
    ...encodeVarint(field * 8 + VARINT),
    ...encodeVarint(value),
  ]);
}

/** Encodes a number field; 0 is not written. */
function number(field: number, value: number): number[] {
  return value === 0 ? [] : [...encodeVarint(field * 8 + VARINT), ...encodeVarint(value)];
}

function encodeDelimited(field: number, bytes: Iterable<number>): number[] {
  const content = [...bytes];
  return [...encodeVarint(field * 8 + DELIMITED), ...encodeVarint(content.length), ...content];
}

/** Encodes seven bits per byte; for numbers up to 2^53. */
function encodeVarint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

function behindLength(bytes: readonly number[]): Uint8Array {
  return Uint8Array.from([...encodeVarint(bytes.length), ...bytes]);
}
