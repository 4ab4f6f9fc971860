/**
 * Reads and writes capture files by path, in Node. Kept out of the index, so that browser bundles contain no `node:`
 * module.
 *
 * @packageDocumentation
 */
import { createReadStream } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { RoceError } from '../errors.js';
import type { CaptureBatch, CaptureFrame } from './frame.js';
import { readCapture, readCaptureBatches, type ReadBatchesOptions, type ReadCaptureOptions } from './reader.js';
import type { WriteCaptureOptions } from './write-options.js';
import { writeCapture, type CaptureItems } from './writer.js';

/** Bytes per read of the file. */
const READ_BYTES = 256 * 1024;

/** A file to read, with its size for progress displays. */
export interface CaptureFile {
  /** Length of the stored (possibly compressed) file, bytes; 0 for a pipe. */
  readonly sizeBytes: number;
  /** The file's bytes; opened when the first chunk is requested, closed at the end or when the loop ends early. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Checks that a file is readable; `chunks` is a source for `readCapture` and `readCaptureBatches`.
 *
 * @throws the system's error (ENOENT, EACCES …) if the file does not exist or may not be read
 */
export async function openCaptureFile(path: string): Promise<CaptureFile> {
  const { size } = await stat(checkedPath(path));
  return { sizeBytes: size, chunks: fileChunks(path) };
}

/** `readCapture` for a path; if the file cannot be opened, the first frame throws the system's error. */
export function readCaptureFile(path: string,
  options: ReadCaptureOptions = {}): AsyncGenerator<CaptureFrame, undefined> {
  return readCapture(fileChunks(checkedPath(path)), options);
}

/** `readCaptureBatches` for a path; if the file cannot be opened, the first batch throws the system's error. */
export function readCaptureFileBatches(path: string,
  options: ReadBatchesOptions = {}): AsyncGenerator<CaptureBatch, undefined> {
  return readCaptureBatches(fileChunks(checkedPath(path)), options);
}

function checkedPath(path: string): string {
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return path;
  throw new RoceError('invalid-argument', { where: 'path', got: path, allowed: 'the path of a file' });
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array, undefined> {
  const stream: AsyncIterable<Uint8Array> = createReadStream(path, { highWaterMark: READ_BYTES });
  yield* stream;
}

/**
 * `writeCapture` to a file, which is created or overwritten. Frames are requested as they are written, so a file of any
 * length needs little memory. By default a path ending in `.gz` is compressed.
 *
 * @returns the size of the file, bytes
 * @throws RoceError `invalid-argument` for an invalid option (before the path is touched), for a frame that the file
 * can't hold and for a path that can't be written (with the system's message in `got`). Errors of the frames' source
 * pass through. The file then holds the earlier frames; a gzip file is completed properly, unless writing to the path
 * failed.
 *
 * @example
 * await writeCaptureFile('out.pcapng.gz', readCaptureFile('in.pcap'), { format: 'pcapng' });
 */
export async function writeCaptureFile(path: string, frames: CaptureItems,
  options: WriteCaptureOptions): Promise<number> {
  const { gzip = checkedPath(path).endsWith('.gz') }: Partial<WriteCaptureOptions> = options ?? {};
  const chunks = writeCapture(frames, { ...options, gzip });
  const file = await orRejected(path, open(path, 'w'));
  let lengthBytes = 0;
  try {
    for await (const chunk of chunks) {
      await orRejected(path, writeWhole(file, chunk));
      lengthBytes += chunk.length;
    }
  } finally {
    await file.close();
  }
  return lengthBytes;
}

/** The system may write less than requested. */
async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, at);
    at += bytesWritten;
  }
}

async function orRejected<T>(path: string, action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    const problem = 'cannot be written';
    throw new RoceError('invalid-argument', { what: 'the capture', problem, cause: error, where: path });
  }
}
