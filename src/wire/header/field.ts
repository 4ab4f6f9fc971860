/** One field in its place: how it is read, checked and written. */
import { RoceError } from '../../errors.js';
import { invalidPacket, requireField, requireLength } from '../bytes.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped, mapIpv4 } from '../ip/ip-address.js';
import { U64_MAX, readBigUint, readUint, requireBigField, writeBigUint, writeUint } from '../wide-bytes.js';

/** What a field's value is. */
export type FieldForm = 'number' | 'flag' | 'wide' | 'bytes' | 'ipv4-address';
export type FieldValue = number | boolean | bigint | Uint8Array;

/** Of an IPv4 address in its IPv4-mapped form. */
const IPV4_IN_MAPPED = 12;

/** What a field may be told beside its place. */
export interface FieldOptions {
  /** Known later for fields of the value. */
  readonly name?: string;
  /** What is written when the field is left out. */
  readonly fallback?: FieldValue;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Is it no part of the value? */
  readonly isHidden?: boolean;
}

/** A field of a header, at a fixed place. */
export class Field {
  name: string;
  readonly fallback: FieldValue | undefined;
  readonly minimum: number;
  readonly maximum: number;
  readonly isHidden: boolean;
  /** Byte with the first bit, from the header's start. */
  readonly at: number;
  /** Bytes that the field touches. */
  readonly lenBytes: number;
  /** Bits of the last byte behind the field. */
  readonly shift: number;
  /** The largest number that its bits can hold. */
  readonly mask: number;

  /** @param firstBit from the header's start. */
  constructor(readonly firstBit: number, readonly bits: number, readonly form: FieldForm, options: FieldOptions) {
    const lastBit = firstBit + bits - 1;
    this.at = firstBit >> 3;
    this.lenBytes = (lastBit >> 3) - this.at + 1;
    this.shift = 7 - (lastBit & 7);
    this.mask = 2 ** Math.min(bits, 32) - 1;
    this.name = options.name ?? '';
    this.fallback = options.fallback;
    this.minimum = options.minimum ?? 0;
    this.maximum = options.maximum ?? this.mask;
    this.isHidden = options.isHidden ?? false;
  }

  /** Does a receiver look whether the number is allowed? */
  get isJudged(): boolean {
    return this.minimum > 0 || this.maximum < this.mask;
  }

  /** The value in place; the caller has checked the length. Bytes are not copied. */
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

  /** @throws RoceError `invalid-packet` when the number received is not allowed. */
  judge(layer: string, bytes: Uint8Array, offset: number): void {
    const value = this.read(bytes, offset) as number;
    if (value < this.minimum || value > this.maximum) throw this.refusal(layer, offset, value);
  }

  refusal(layer: string, offset: number, value: number): RoceError {
    const words = this.name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    if (this.minimum === this.maximum) {
      return invalidPacket(layer, offset, `has another ${words}`, value, `${this.maximum}`);
    }
    return invalidPacket(layer, offset + this.at, `has a ${words} out of range`, value, `0..${this.maximum}`);
  }

  /** @throws RoceError `invalid-argument` naming the field, when the value can not be written. */
  require(where: string, value: FieldValue | undefined): void {
    switch (this.form) {
      case 'flag':
        return;
      case 'number':
        requireField(`${where}.${this.name}`, value as number, this.maximum, this.minimum);
        return;
      case 'wide':
        requireBigField(`${where}.${this.name}`, value as bigint, U64_MAX);
        return;
      case 'bytes':
        requireLength(`${where}.${this.name}`, value as Uint8Array, this.lenBytes);
        return;
      case 'ipv4-address':
        requireMapped(`${where}.${this.name}`, value as Uint8Array);
    }
  }

  /** Writes a value that `require` accepts; bits of its neighbours in the same bytes stay. */
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

  #writeNumber(target: Uint8Array, at: number, value: number): void {
    const others = readUint(target, at, this.lenBytes) & ~(this.mask << this.shift);
    writeUint(target, at, this.lenBytes, others | (value << this.shift));
  }
}

function requireMapped(where: string, address: Uint8Array): void {
  requireLength(where, address, IP_ADDRESS_BYTES);
  if (isIpv4Mapped(address)) return;
  throw new RoceError('invalid-argument', 'not an IPv4 address', {
    got: 'another IPv6 address',
    allowed: 'an IPv4-mapped address ::ffff:a.b.c.d',
    where,
  });
}
