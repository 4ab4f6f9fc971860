/**
 * Positions of the fields of a header, as data: the drawings in docs/reference/wire.md are generated from it, and tests
 * check each codec against it bit by bit.
 */

/** One field. Bit 0 is the most significant bit of its byte. */
export interface FieldLayout {
  /** Name in the header's value object; `reserved` for fields that have no name there. */
  readonly name: string;
  /** Offset of the byte with the field's first bit, from the header's start. */
  readonly offset: number;
  /** First bit within that byte, 0..7; default 0. */
  readonly bit?: number;
  /** Width of the field in bits, 1 or more. */
  readonly bits: number;
}

/** A header, or the fixed part of one. */
export interface HeaderLayout {
  /** Display name. */
  readonly title: string;
  /** Document and section that define it. */
  readonly source: string;
  /** Length of the fixed part, bytes. */
  readonly lenBytes: number;
  /** In wire order. */
  readonly fields: readonly FieldLayout[];
  /** Description of the parts of the header after the fixed part; absent if there are none. */
  readonly followedBy?: string;
}
