/** How to read and write a kind of layer. */
import type { FieldForm } from '../wire/header/field.js';

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
