/** Codec for a list of fields: checks, lengths, writing. */
import type { AllowedRange } from '../../errors.js';
import { invalidArgument, invalidPacket, lengthOf, requireBytes, requireRecord, requireTarget } from '../bytes.js';
import type { FieldList } from './field-list.js';
import type { NumberRule } from './field-table.js';
import type { Field, FieldValue } from './field.js';

/** Implied fields by name. */
export type ImpliedFields = Readonly<Record<string, number>>;
type Given = Readonly<Record<string, FieldValue | undefined>>;

/** Checks and writes headers of one kind. */
export class HeaderCodec {
  /** Length of the fixed part, bytes. */
  readonly bytes: number;
  readonly #judged: readonly (readonly [Field, NumberRule])[];
  readonly #unitBytes: number;
  readonly #uncountedBytes: number;
  /** Maximum length of the header. */
  readonly #sizes: AllowedRange & { readonly min: number; readonly max: number };

  /** @param layer its name in errors about received bytes. @param where its name in errors about values. */
  constructor(readonly layer: string, readonly where: string, readonly list: FieldList) {
    const { bytes, fields, lengthField, restField } = list;
    const { unitBytes = 1, uncountedBytes = 0, maximumBytes = Infinity } = lengthField?.options.lengthRule ?? {};
    const countedMax = lengthField === undefined ? Infinity : uncountedBytes + unitBytes * lengthField.mask;
    this.bytes = bytes;
    this.#judged = fields.flatMap((field) => (field.options.rule ? [[field, field.options.rule]] : []));
    this.#unitBytes = unitBytes;
    this.#uncountedBytes = uncountedBytes;
    this.#sizes = {
      min: bytes,
      max: Math.min(maximumBytes, countedMax, bytes + (restField?.options.maximumBytes ?? Infinity)),
      ...(unitBytes > 1 && { multipleOf: unitBytes }),
      unit: 'bytes',
    };
  }

  /** Length of a received header; of its fixed part, if it has no length field. The caller has checked it. */
  bytesAt(received: Uint8Array, offset: number): number {
    const { lengthField } = this.list;
    if (lengthField === undefined) return this.bytes;
    return this.#uncountedBytes + this.#unitBytes * (lengthField.read(received, offset) as number);
  }

  /** End of a received header; `endOffset`, if it has no length field. The caller has checked it. */
  endAt(received: Uint8Array, offset: number, endOffset = received.length): number {
    return this.list.lengthField === undefined ? endOffset : offset + this.bytesAt(received, offset);
  }

  /**
   * Checks a received header completely.
   *
   * @returns its end; `endOffset`, if it has no length field.
   * @throws RoceError `invalid-packet` if the bytes there cannot be such a header.
   */
  check(received: Uint8Array, offset: number, wantedEnd?: number): number {
    requireBytes(this.layer, received, offset, this.bytes, wantedEnd);
    const endOffset = wantedEnd ?? received.length;
    for (const [field, rule] of this.#judged) field.judge(this.layer, rule, received, offset);
    const { min, max } = this.#sizes;
    if (max === Infinity) return endOffset;
    const lenBytes = this.endAt(received, offset, endOffset) - offset;
    if (lenBytes < min || lenBytes > max) {
      throw invalidPacket(this.layer, offset, 'has a wrong length', lenBytes, this.#sizes);
    }
    requireBytes(this.layer, received, offset, lenBytes, endOffset);
    return offset + lenBytes;
  }

  /** Length of a header to be written, bytes. */
  bytesOf(header: object): number {
    requireRecord(this.where, header);
    const rest = this.#restOf(header);
    return this.bytes + (rest === undefined ? 0 : lengthOf(`${this.where}.${this.list.restField?.name ?? ''}`, rest));
  }

  /**
   * Checks a header to be written.
   *
   * @param lenBytes length of the whole header.
   * @throws RoceError `invalid-argument` naming a field out of range.
   */
  require(header: object, lenBytes = this.bytesOf(header), implied: ImpliedFields = {}): void {
    const { fields, lengthField } = this.list;
    requireRecord(this.where, header);
    for (const field of fields) {
      if (field !== lengthField) field.require(this.where, valueOf(field, header, implied));
    }
    this.#requireSize(lenBytes, header);
  }

  /** Checks and writes the fixed part. @returns the offset after it. */
  write(target: Uint8Array, offset: number, header: object, lenBytes: number, implied: ImpliedFields = {}): number {
    this.require(header, lenBytes, implied);
    requireTarget(this.where, target, offset, lenBytes);
    const { fields, lengthField } = this.list;
    for (const field of fields) {
      const value = field === lengthField ? this.#lengthValueOf(lenBytes) : valueOf(field, header, implied);
      field.write(target, offset, value);
    }
    return offset + this.bytes;
  }

  /** Checks and writes a header. @returns the offset after it. */
  writeWhole(target: Uint8Array, offset: number, header: object): number {
    const lenBytes = this.bytesOf(header);
    const at = this.write(target, offset, header, lenBytes);
    const rest = this.#restOf(header);
    // An empty array may be detached memory, which `set` rejects.
    if (rest !== undefined && rest.length > 0) target.set(rest, at);
    return offset + lenBytes;
  }

  #restOf(header: object): Uint8Array | undefined {
    const { restField } = this.list;
    return restField && (valueOf(restField, header, {}) as Uint8Array);
  }

  #lengthValueOf(lenBytes: number): number {
    return (lenBytes - this.#uncountedBytes) / this.#unitBytes;
  }

  #requireSize(lenBytes: number, header: object): void {
    const { min, max } = this.#sizes;
    const { lengthField, restField } = this.list;
    const length = this.#lengthValueOf(lenBytes);
    if (!(lenBytes >= min && lenBytes <= max) || (lengthField && !Number.isInteger(length))) {
      const where = restField === undefined ? this.where : `${this.where}.${restField.name}`;
      throw invalidArgument(where, lenBytes, this.#sizes, `length of the ${this.layer}`);
    }
    if (lengthField && !lengthField.isHidden) {
      requireImplied(`${this.where}.${lengthField.name}`, (header as Given)[lengthField.name], length);
    }
  }
}

/**
 * Checks a derived field that the caller has given nevertheless.
 *
 * @throws RoceError `invalid-argument` if it differs.
 */
export function requireImplied(where: string, stated: unknown, implied: number): void {
  if (stated !== undefined && stated !== implied) throw invalidArgument(where, stated, [implied, undefined]);
}

function valueOf({ name, isHidden, options }: Field, header: object, implied: ImpliedFields): FieldValue | undefined {
  const { [name]: value = options.fallback } = (isHidden ? implied : header) as Given;
  return value;
}
