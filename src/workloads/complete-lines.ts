/** Splits chunks, which may end anywhere, into runs of whole lines; the last line may lack a line end. */
import { rejectWorkload } from './workload-error.js';

/** Maximum length of a line; a file with longer lines is not a workload. */
const LINE_MAX_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** Reads lines from `bytes[from]` up to `bytes[to]`; `to` follows a line end or is the end of the input. */
export type LineReader = (bytes: Uint8Array, from: number, to: number) => void;

/** Passes on the complete lines. */
export class CompleteLines {
  readonly #read: LineReader;
  readonly #where: string;
  #rest = new Uint8Array(0);

  constructor(read: LineReader, where: string) {
    this.#read = read;
    this.#where = where;
  }

  push(chunk: Uint8Array): void {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      this.#rest = joined(this.#rest, chunk);
      this.#requireShort();
      return;
    }
    let from = 0;
    if (this.#rest.length > 0) {
      from = chunk.indexOf(NEWLINE) + 1;
      const line = joined(this.#rest, chunk.subarray(0, from));
      this.#read(line, 0, line.length);
    }
    if (from <= last) this.#read(chunk, from, last + 1);
    this.#rest = chunk.slice(last + 1);
    this.#requireShort();
  }

  finish(): void {
    if (this.#rest.length > 0) this.#read(this.#rest, 0, this.#rest.length);
    this.#rest = new Uint8Array(0);
  }

  #requireShort(): void {
    if (this.#rest.length <= LINE_MAX_BYTES) return;
    rejectWorkload('TOO_LARGE', {
      what: 'a line',
      problem: 'is too long',
      got: this.#rest.length,
      allowed: { max: LINE_MAX_BYTES, unit: 'bytes' },
      where: this.#where,
    });
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
