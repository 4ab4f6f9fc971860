/**
 * Reads the bytes of a workload, decompressed from gzip or zstd, as an array or chunks as they arrive, and splits them
 * into lines.
 */
import { DecompressedChunks, sourceChunks, type CaptureSource } from '../capture/source.js';
import { RoceError } from '../errors.js';
import { rejectWorkload } from './workload-error.js';

/** The bytes of a file: an array, an async iterable of chunks of any size, or a web stream. */
export type WorkloadSource = CaptureSource;

/**
 * Passes each chunk on, decompressed.
 *
 * @throws RoceError `invalid-workload`, fault `TRUNCATED`, for gzip or zstd that is damaged or truncated; without that
 * fault for zstd on a platform that does not support it.
 */
export async function readChunks(source: WorkloadSource, where: string,
  take: (chunk: Uint8Array) => void): Promise<void> {
  try {
    for await (const chunk of new DecompressedChunks(sourceChunks(source, undefined)).chunks) take(chunk);
  } catch (error) {
    if (!(error instanceof RoceError) || error.code !== 'invalid-capture') throw error;
    if (error.cause === undefined) throw error.at(where, 'invalid-workload');
    rejectWorkload('TRUNCATED', {
      what: error.what,
      problem: 'is damaged or truncated',
      cause: error.cause,
      where,
    });
  }
}

/** Maximum length of a line; a file with longer lines is not a workload. */
const LINE_MAX_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** Reads lines from `bytes[from]` up to `bytes[to]`; `to` follows a line end or is the end of the input. */
export type LineReader = (bytes: Uint8Array, from: number, to: number) => void;

/** Splits chunks, which may end anywhere, into runs of whole lines; the last line may lack a line end. */
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

/** Passes on each line without its line end; gzip is decompressed. @throws RoceError `invalid-workload`. */
export async function readLines(source: WorkloadSource, name: string, visit: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  const lines = new CompleteLines((bytes, from, to) => {
    const text = decoder.decode(bytes.subarray(from, to));
    for (const line of text.replace(/\n$/, '').split('\n')) visit(line);
  }, name);
  await readChunks(source, name, (chunk) => {
    lines.push(chunk);
  });
  lines.finish();
}

/** Splits a line into words at white space, ignoring everything from `comment` on. */
export function wordsOf(line: string, comment = ''): string[] {
  const at = comment === '' ? -1 : line.indexOf(comment);
  return (at < 0 ? line : line.slice(0, at)).split(/\s+/).filter((word) => word !== '');
}

/** Parses a whole number in decimal digits; undefined if it is not one, or above `max`. */
export function wholeOf(text: string | undefined, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const number = text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  return number <= max ? number : undefined;
}
