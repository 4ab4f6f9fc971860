/**
 * Capture files by path, for Node. Kept out of the barrel so that browsers' bundles never see a `node:` module.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { CaptureBatch, CaptureFrame } from './frame.js';
import { readCapture, readCaptureBatches, type ReadBatchesOptions, type ReadCaptureOptions } from './reader.js';

/** Octets per read of the file. */
const READ_BYTES = 256 * 1024;

/** A file to read, with what a progress display needs. */
export interface CaptureFile {
  /** Length of the file as stored, so in compressed octets if it is compressed; 0 for a pipe. */
  readonly sizeBytes: number;
  /** The file's octets; opened when the first chunk is asked for, closed at the end or when the loop is left. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Looks at a file and prepares to read it; `chunks` is a source for `readCapture` and `readCaptureBatches`.
 *
 * @throws the system's own error (ENOENT, EACCES …) when there is no such file or no right to read it
 */
export async function openCaptureFile(path: string): Promise<CaptureFile> {
  const { size } = await stat(path);
  return { sizeBytes: size, chunks: fileChunks(path) };
}

/** `readCapture` on a path; a file that can't be opened gives the system's own error with the first frame. */
export function readCaptureFile(path: string, options: ReadCaptureOptions = {}): AsyncGenerator<CaptureFrame, undefined> {
  return readCapture(fileChunks(path), options);
}

/** `readCaptureBatches` on a path; a file that can't be opened gives the system's own error with the first batch. */
export function readCaptureFileBatches(path: string, options: ReadBatchesOptions = {}): AsyncGenerator<CaptureBatch, undefined> {
  return readCaptureBatches(fileChunks(path), options);
}

async function* fileChunks(path: string): AsyncGenerator<Uint8Array, undefined> {
  const stream: AsyncIterable<Uint8Array> = createReadStream(path, { highWaterMark: READ_BYTES });
  yield* stream;
}
