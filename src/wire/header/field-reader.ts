/** Reads a table's fields from received bytes. */
import { mapIpv4 } from '../ip/ip-address.js';
import { readBigUint } from '../wide-bytes.js';
import type { FieldTable, NumberRule } from './field-table.js';

/** Reads field after field, copying bytes; the caller has checked lengths and numbers. */
export class FieldReader implements FieldTable {
  /** Number of bits read so far. */
  position = 0;

  /** @param endOffset end of the header. */
  constructor(readonly received: Uint8Array, readonly offset: number, readonly endOffset: number) {}

  bits(count: number): never {
    const { received, position } = this;
    const end = position + count;
    const last = this.offset + ((end - 1) >> 3);
    let at = this.offset + (position >> 3);
    let value = received[at] & (0xff >> (position & 7));
    while (at < last) value = value * 256 + received[++at];
    this.position = end;
    const behind = -end & 7;
    return (behind === 0 ? value : value >>> behind) as never;
  }
  flag(): never {
    const { received, position } = this;
    this.position = position + 1;
    return (((received[this.offset + (position >> 3)] >> (7 - (position & 7))) & 1) !== 0) as never;
  }
  ruled(_rule: NumberRule, count: number): never {
    return this.bits(count);
  }
  wide(): bigint {
    return readBigUint(this.received, this.#skip(64), 8);
  }
  bytesOf(count: number): Uint8Array {
    const at = this.#skip(8 * count);
    return this.received.slice(at, at + count);
  }
  ipv4Address(): Uint8Array {
    return mapIpv4(this.received, this.#skip(32));
  }
  length(count: number): never {
    return this.bits(count);
  }
  rest(): never {
    return this.received.slice(this.#skip(0), this.endOffset) as never;
  }
  constant(_name: string, count: number): this {
    this.position += count;
    return this;
  }
  implied(_name: string, count: number): this {
    return this.constant(_name, count);
  }
  impliedLength(_name: string, count: number): this {
    return this.constant(_name, count);
  }

  /** @returns the offset of the next field, which must begin at a byte. */
  #skip(count: number): number {
    const at = this.offset + (this.position >> 3);
    this.position += count;
    return at;
  }
}
