/** Codec for a header that ends in the EtherType of its contents, after data of variable length. */
import { concatBytes, readU16, requireField, requireLength, requireRecord, writeU16 } from '../wire/bytes.js';
import type { Header } from '../wire/header/define-header.js';
import type { LayerCodec, LayerFieldForm } from './layer-codec.js';

/** The value: the fields of the fixed part, the data, and the EtherType. */
export type TypedTail<Fixed> = Omit<Fixed, 'more'> & {
  /** Bytes between the fixed part and the EtherType. */
  readonly data: Uint8Array;
  /** EtherType of the contents. */
  readonly etherType: number;
};

interface WithMore {
  readonly more: Uint8Array;
}

const TYPE_BYTES = 2;
const U16_MAX = 0xffff;

/** @param header its field `more` is the part of variable length. @param where its name in errors. */
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
