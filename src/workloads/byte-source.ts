/** Bytes of a workload: an array, or chunks as they arrive; gzip and zstd are decompressed on the way. */
import { DecompressedChunks } from '../capture/decompress.js';
import { sourceChunks, type CaptureSource } from '../capture/source.js';
import { RoceError } from '../errors.js';
import { rejectWorkload } from './workload-error.js';

/** The bytes of a file, cut in any way: an array, an async iterable of chunks, or a web stream. */
export type WorkloadSource = CaptureSource;

/**
 * Hands each chunk on, unpacked.
 *
 * @throws RoceError `invalid-workload`, `TRUNCATED`, for gzip or zstd that is damaged or cut off; without that fault for zstd where
 *   the platform has none.
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
      problem: 'is damaged or cut off',
      cause: error.cause,
      where,
    });
  }
}
