/** Text from files, pipes and devices, up to a limit that is checked before reading, or while reading. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { RoceError } from '../errors.js';
import { inputFile } from './shipped-files.js';

/** V8's longest string. */
export const FILE_BYTES_MAX = 512 * 1024 * 1024 - 64;
/** For inputs without a known length: pipes, devices, standard input. */
export const STREAM_BYTES_MAX = 256 * 1024 * 1024;
/** For settings and other short files, written by hand or by a driver. */
export const SETTINGS_BYTES_MAX = 1024 * 1024;
const READ_BYTES = 1024 * 1024;
const STANDARD_INPUT = '-';

/**
 * The text of a file, which may be a shipped one at `examples/…`; `-` is standard input. A byte order mark is left out.
 *
 * @param maxBytes limit for texts that are never long; otherwise the available memory.
 * @throws RoceError `invalid-argument` for too long a text; errors of the system, which name the file.
 */
export async function readText(file: string, maxBytes = Infinity): Promise<string> {
  return file === STANDARD_INPUT ? readStream(process.stdin, maxBytes) : readTextSync(inputFile(file), maxBytes);
}

/** The same of a file. */
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
