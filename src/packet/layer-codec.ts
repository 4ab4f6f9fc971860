/** How to read and write a kind of layer: the type of a codec, and the codecs of layers that are not headers of a table. */
import { requireLength, concatBytes, readU16, requireField, requireRecord, writeU16 } from '../wire/bytes.js';
import type { Header } from '../wire/header/define-header.js';
import type { FieldForm } from '../wire/header/field.js';

const TYPE_BYTES = 2;
const U16_MAX = 0xffff;

/** The type of a layer's field: the field forms of headers, and forms without a fixed position. */
export type LayerFieldForm = FieldForm | 'checksum' | 'list' | 'options' | 'object';

/** Reads and writes a kind of layer. The table of a header is such a codec. */
export interface LayerCodec<Value, Fields = Value> {
  /** The type of each field of the value object, by name. */
  readonly forms: { readonly [Name in keyof Value]-?: LayerFieldForm };
  /** Reads the bytes from `start` to `end`. @throws RoceError `invalid-packet` if they are not such a layer. */
  readonly read: (bytes: Uint8Array, start: number, end: number) => Value;
  /** Writes a layer into new bytes. @throws RoceError `invalid-argument` naming a field out of range. */
  readonly write: (value: Fields) => Uint8Array;
}

/** A layer without fields. */
export interface Bytes {
  /** Any number of bytes, copied from the frame. */
  readonly bytes: Uint8Array;
}

/** Codec that copies bytes unchanged. */
export const BYTES: LayerCodec<Bytes> = {
  forms: { bytes: 'bytes' },
  read: (bytes, start, end) => ({ bytes: bytes.slice(start, end) }),
  write: ({ bytes }) => {
    requireLength('bytes', bytes, bytes instanceof Uint8Array ? bytes.length : 0);
    return bytes;
  },
};

/** The value: the fields of the fixed part, the data, and the EtherType. */
type TypedTail<Fixed> = Omit<Fixed, 'more'> & {
  /** Bytes between the fixed part and the EtherType. */
  readonly data: Uint8Array;
  /** EtherType of the contents. */
  readonly etherType: number;
};

interface WithMore {
  readonly more: Uint8Array;
}

/**
 * Codec for a header that ends in the EtherType of its contents, after data of variable length.
 *
 * @param header its field `more` is the part of variable length.
 * @param where its name in errors.
 */
export function typedTail<Fixed extends WithMore>(header: Header<Fixed>, where: string): LayerCodec<TypedTail<Fixed>> {
  const fixedForms = Object.entries(header.forms).filter(([name]) => name !== 'more');
  const forms = { ...Object.fromEntries(fixedForms), data: 'bytes', etherType: 'number' };
  return {
    forms: forms as unknown as { readonly [Name in keyof TypedTail<Fixed>]-?: LayerFieldForm },
    read: (bytes, start, end) => {
      const { more, ...fixed } = header.read(bytes, start, end) as unknown as WithMore;
      const typeAt = more.length - TYPE_BYTES;
      return { ...fixed, data: more.slice(0, typeAt), etherType: readU16(more, typeAt) } as TypedTail<Fixed>;
    },
    write: (value) => {
      requireRecord(where, value);
      const { data, etherType, ...fixed } = value;
      requireLength(`${where}.data`, data, data instanceof Uint8Array ? data.length : 0);
      requireField(`${where}.etherType`, etherType, U16_MAX);
      const type = new Uint8Array(TYPE_BYTES);
      writeU16(type, 0, etherType);
      return header.write({ ...fixed, more: concatBytes(data, type) } as never);
    },
  };
}
