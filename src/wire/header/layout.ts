/**
 * Where the fields of a header are, stated as data by the header's own file: the drawings of docs/reference/wire.md are made from
 * it, and the tests hold each codec to it, bit by bit.
 */

/** One field. Bit 0 is the most significant bit of its byte. */
export interface FieldLayout {
  /** As in the header's value object; `reserved` for what has no name there. */
  readonly name: string;
  /** Byte with the field's first bit, from the header's start. */
  readonly offset: number;
  /** Bit of that byte where it begins, 0..7; 0 unless stated otherwise. */
  readonly bit?: number;
  /** Its width, 1 or more. */
  readonly bits: number;
}

/** A header, or the fixed part of one. */
export interface HeaderLayout {
  /** As people call it. */
  readonly title: string;
  /** Document and section that define it. */
  readonly source: string;
  /** Bytes of the fixed part. */
  readonly lenBytes: number;
  /** In wire order. */
  readonly fields: readonly FieldLayout[];
  /** Description of what follows the fixed part and belongs to the header; absent if nothing does. */
  readonly followedBy?: string;
}
