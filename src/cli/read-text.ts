/** Reads text from files, pipes and devices, up to a limit that is checked before or while reading. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { RoceError } from '../errors.js';
import { inputFile } from './shipped-files.js';

/** Maximum length of a V8 string. */
export const FILE_BYTES_MAX = 512 * 1024 * 1024 - 64;
/** Limit for inputs of unknown length: pipes, devices, standard input. */
const STREAM_BYTES_MAX = 256 * 1024 * 1024;
/** Limit for settings and other short files, written by hand or by a driver. */
export const SETTINGS_BYTES_MAX = 1024 * 1024;
const READ_BYTES = 1024 * 1024;
const STANDARD_INPUT = '-';

/**
 * Reads a file, or a shipped one at `examples/…`; `-` is standard input. Drops a byte order mark.
 *
 * @param maxBytes limit for texts that are never long. Default: the limits above.
 * @throws RoceError `invalid-argument` if the text is too long; system errors, which name the file.
 */
export async function readText(file: string, maxBytes = Infinity): Promise<string> {
  return file === STANDARD_INPUT ? readStream(process.stdin, maxBytes) : readTextSync(inputFile(file), maxBytes);
}

/** Reads a file, synchronously. */
export function readTextSync(file: string, maxBytes = Infinity): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const status = fstatSync(descriptor);
    if (!status.isFile()) return decode([...readChunks(descriptor, file, maxBytes)]);
    const max = Math.min(FILE_BYTES_MAX, maxBytes);
    if (status.size > max) reject(file, max, status.size);
    // Files of /proc and /sys have a size of 0, but do have content.
    return status.size === 0 ?
      decode([...readChunks(descriptor, file, maxBytes)]) :
      withoutMark(readFileSync(descriptor, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && !('path' in error)) Object.assign(error, { path: file });
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function* readChunks(descriptor: number, file: string, maxBytes: number): Generator<Uint8Array> {
  const max = Math.min(STREAM_BYTES_MAX, maxBytes);
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(READ_BYTES);
    const count = readSync(descriptor, chunk);
    if (count === 0) return;
    total += count;
    if (total > max) reject(file, max);
    yield chunk.subarray(0, count);
  }
}

async function readStream(stream: AsyncIterable<Uint8Array | string>, maxBytes: number): Promise<string> {
  const max = Math.min(STREAM_BYTES_MAX, maxBytes);
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    total += bytes.length;
    if (total > max) reject('standard input', max);
    chunks.push(bytes);
  }
  return decode(chunks);
}

function decode(chunks: readonly Uint8Array[]): string {
  return withoutMark(Buffer.concat(chunks).toString('utf8'));
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function reject(where: string, max: number, got?: number): never {
  const allowed = { max, unit: 'bytes' };
  const problem = got === undefined ? { problem: 'is too long' } : { got };
  throw new RoceError('invalid-argument', { what: 'the length of the input', allowed, where, ...problem });
}
