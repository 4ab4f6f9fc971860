/** A field at its position: reading, checking and writing. */
import { nameOf } from '../../error-text.js';
import { invalidArgument, invalidPacket, requireLength } from '../bytes.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped, mapIpv4 } from '../ip/ip-address.js';
import { U64_MAX, readBigUint, readUint, requireBigField, writeBigUint, writeUint } from '../wide-bytes.js';
import type { LengthRule, NumberRule } from './field-table.js';

/** Kind of a field's value. */
export type FieldForm = 'number' | 'flag' | 'wide' | 'bytes' | 'ipv4-address';
export type FieldValue = number | boolean | bigint | Uint8Array;

/** Offset of the IPv4 address in its IPv4-mapped form. */
const IPV4_IN_MAPPED = 12;

/** Options of a field in addition to its position. */
export interface FieldOptions {
  /** Written if the field is omitted. */
  readonly fallback?: FieldValue | undefined;
  readonly rule?: NumberRule;
  readonly lengthRule?: LengthRule;
  /** Maximum length of a field without an explicit length. */
  readonly maximumBytes?: number;
}

/** A field at a fixed position of a header. */
export class Field {
  /** Set after the table has run. */
  name = '';
  /** Whether it is not part of the header's value. */
  isHidden = false;
  /** Offset of the byte with the first bit, from the header's start. */
  readonly at: number;
  /** Number of bytes that the field overlaps. */
  readonly lenBytes: number;
  /** Number of bits after the field in its last byte. */
  readonly shift: number;
  /** The largest number that the field can hold. */
  readonly mask: number;

  /** @param firstBit counted from the header's start. */
  constructor(readonly firstBit: number, readonly bits: number, readonly form: FieldForm,
    readonly options: FieldOptions) {
    const lastBit = firstBit + bits - 1;
    this.at = firstBit >> 3;
    this.lenBytes = (lastBit >> 3) - this.at + 1;
    this.shift = 7 - (lastBit & 7);
    this.mask = 2 ** Math.min(bits, 32) - 1;
  }

  /** Reads the value; the caller has checked the length. Bytes are not copied. */
  read(bytes: Uint8Array, offset: number): FieldValue {
    const at = offset + this.at;
    switch (this.form) {
      case 'number':
        return ((readUint(bytes, at, this.lenBytes) >>> this.shift) & this.mask) >>> 0;
      case 'flag':
        return ((bytes[at] >> this.shift) & 1) !== 0;
      case 'wide':
        return readBigUint(bytes, at, this.lenBytes);
      case 'bytes':
        return bytes.subarray(at, at + this.lenBytes);
      case 'ipv4-address':
        return mapIpv4(bytes, at);
    }
  }

  /** @throws RoceError `invalid-packet` if the received number is not allowed. */
  judge(layer: string, { allowed, accepts }: NumberRule, bytes: Uint8Array, offset: number): void {
    const value = this.read(bytes, offset) as number;
    if (accepts(value)) return;
    const words = nameOf(this.name);
    const problem = typeof allowed === 'object' && !Array.isArray(allowed) ?
      `has a ${words} out of range` :
      `has another ${words}`;
    throw invalidPacket(layer, offset, problem, value, allowed);
  }

  /** @throws RoceError `invalid-argument` naming the field, if the value cannot be written. */
  require(layer: string, value: FieldValue | undefined): void {
    const where = `${layer}.${this.name}`;
    switch (this.form) {
      case 'flag':
        // Any truthy or falsy value is accepted, except these types.
        if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'object') {
          throw invalidArgument(where, value, [true, false]);
        }
        return;
      case 'number':
        this.#requireNumber(where, value as number);
        return;
      case 'wide':
        requireBigField(where, value as bigint, U64_MAX);
        return;
      case 'bytes':
        requireLength(where, value as Uint8Array, this.lenBytes);
        return;
      case 'ipv4-address':
        requireMapped(where, value as Uint8Array);
    }
  }

  /** Writes a value that `require` accepts; bits of neighbouring fields in the same bytes are kept. */
  write(target: Uint8Array, offset: number, value: FieldValue | undefined): void {
    const at = offset + this.at;
    switch (this.form) {
      case 'wide':
        writeBigUint(target, at, this.lenBytes, value as bigint);
        return;
      case 'bytes':
        target.set(value as Uint8Array, at);
        return;
      case 'ipv4-address':
        target.set((value as Uint8Array).subarray(IPV4_IN_MAPPED), at);
        return;
      default:
        this.#writeNumber(target, at, Number(value ?? 0));
    }
  }

  #requireNumber(where: string, value: number): void {
    const { mask, options: { rule } } = this;
    if (Number.isInteger(value) && value >= 0 && value <= mask && rule?.accepts(value) !== false) return;
    throw invalidArgument(where, value, rule?.allowed ?? { min: 0, max: mask, multipleOf: 1 });
  }
  #writeNumber(target: Uint8Array, at: number, value: number): void {
    const others = readUint(target, at, this.lenBytes) & ~(this.mask << this.shift);
    writeUint(target, at, this.lenBytes, others | (value << this.shift));
  }
}

function requireMapped(where: string, address: Uint8Array): void {
  requireLength(where, address, IP_ADDRESS_BYTES);
  if (!isIpv4Mapped(address)) throw invalidArgument(where, address, 'an IPv4-mapped address ::ffff:a.b.c.d');
}
