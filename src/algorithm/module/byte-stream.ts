/** Reads and writes the numbers and strings of a WebAssembly module; reading never passes the end of the current part. */
import { lengthError, RoceError, type RoceErrorFields } from '../../errors.js';

const U32_MAX = 0xffffffff;
/** A string that begins with a byte order mark keeps it. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A position within a part of a module. Offsets are relative to the start of the module. */
export class ByteReader {
  /** Offset of the next byte. */
  at: number;

  /** @param part name of the part between the offsets, for errors: `code section` */
  constructor(readonly bytes: Uint8Array, readonly part: string, start = 0, readonly end = bytes.length) {
    this.at = start;
  }

  get isAtEnd(): boolean {
    return this.at === this.end;
  }

  byte(): number {
    if (this.at === this.end) throw this.#tooShort(1);
    return this.bytes[this.at++];
  }

  /** Unsigned LEB128 of 32 bits; accepts padding, as linkers write it, up to 5 bytes. */
  u32(): number {
    const start = this.at;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80 && value <= U32_MAX) return value;
      if (byte < 0x80) break;
    }
    throw this.fault({ what: 'number', problem: 'is longer than 32 bits' }, start);
  }

  /** Signed LEB128 of 32 or 33 bits. */
  signed(bits: 32 | 33): number {
    const start = this.at;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte >= 0x80) continue;
      if ((byte & 0x40) !== 0) value -= 2 ** (shift + 7);
      if (value >= -(2 ** (bits - 1)) && value < 2 ** (bits - 1)) return value;
      break;
    }
    throw this.fault({ what: 'number', problem: `is longer than ${bits} bits` }, start);
  }

  /** Signed LEB128 of 64 bits. */
  signed64(): bigint {
    const start = this.at;
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value += BigInt(byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      if ((byte & 0x40) !== 0) value -= 1n << (shift + 7n);
      if (BigInt.asIntN(64, value) === value) return value;
      break;
    }
    throw this.fault({ what: 'number', problem: 'is longer than 64 bits' }, start);
  }

  /**
   * The number of items that follow: no more than fit into the remaining bytes. @param bytesEach minimum size of an
   * item
   */
  count(bytesEach = 1): number {
    const start = this.at;
    const items = this.u32();
    const max = Math.floor((this.end - this.at) / bytesEach);
    if (items > max) throw this.fault({ what: 'number of items', got: items, allowed: { min: 0, max } }, start);
    return items;
  }

  /** Reads a list: a count, then that many items. */
  list<Item>(read: () => Item, bytesEach = 1): Item[] {
    const items: Item[] = [];
    for (let left = this.count(bytesEach); left > 0; left--) items.push(read());
    return items;
  }

  skip(lenBytes: number): void {
    if (lenBytes > this.end - this.at) throw this.#tooShort(lenBytes);
    this.at += lenBytes;
  }

  name(): string {
    const start = this.at;
    const lenBytes = this.count();
    return this.#text(this.at + lenBytes, start);
  }

  /** The remaining bytes, as a string. */
  rest(): string {
    return this.#text(this.end, this.at);
  }

  /** Skips the next bytes, and returns a reader for them. */
  inner(lenBytes: number, part: string): ByteReader {
    const start = this.at;
    this.skip(lenBytes);
    return new ByteReader(this.bytes, part, start, this.at);
  }

  requireEnd(): void {
    if (!this.isAtEnd) throw this.fault({ what: 'bytes after the end', got: this.end - this.at, allowed: 0 });
  }

  /** An error at an offset; default: at the next byte. */
  fault(fields: RoceErrorFields, at = this.at): RoceError {
    return invalidModule(`${this.part}, byte ${at}`, fields);
  }

  #text(end: number, start: number): string {
    try {
      const text = DECODER.decode(this.bytes.subarray(this.at, end));
      this.at = end;
      return text;
    } catch {
      throw this.fault({ what: 'text', problem: 'is not UTF-8' }, start);
    }
  }

  #tooShort(required: number): RoceError {
    const available = this.end - this.at;
    return lengthError({ code: 'invalid-algorithm', layer: this.part, offset: this.at, required, available });
  }
}

const FIRST_BYTES = 1024;
const ENCODER = new TextEncoder();

/** A growing array of bytes. */
export class ByteWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;

  byte(...values: readonly number[]): this {
    const at = this.#extend(values.length);
    this.#bytes.set(values, at);
    return this;
  }

  raw(bytes: Uint8Array): this {
    const at = this.#extend(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  /** Appends an unsigned LEB128 number. */
  u32(value: number): this {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.byte(rest % 0x80 + 0x80);
    return this.byte(rest);
  }

  /** Appends a signed LEB128 number of 32 bits. */
  s32(value: number): this {
    let rest = value;
    for (; rest < -0x40 || rest >= 0x40; rest >>= 7) this.byte(rest & 0x7f | 0x80);
    return this.byte(rest & 0x7f);
  }

  name(text: string): this {
    return this.sized(ENCODER.encode(text));
  }

  /** Appends a length and the bytes. */
  sized(bytes: Uint8Array): this {
    return this.u32(bytes.length).raw(bytes);
  }

  /** A copy of the bytes written. */
  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** @returns the offset of the added bytes */
  #extend(lenBytes: number): number {
    const at = this.#length;
    this.#length += lenBytes;
    if (this.#length > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length));
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    return at;
  }
}

/**
 * An error with code `invalid-algorithm`. @param where the part of the module: `export roce_ack`,
 * `code section, byte 51`
 */
export function invalidModule(where: string, fields: RoceErrorFields): RoceError {
  return new RoceError('invalid-algorithm', { ...fields, where });
}
