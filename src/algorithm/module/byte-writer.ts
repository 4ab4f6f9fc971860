/** Writes the numbers and strings of a WebAssembly module. */

const FIRST_BYTES = 1024;
const UTF8 = new TextEncoder();

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
    return this.sized(UTF8.encode(text));
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
