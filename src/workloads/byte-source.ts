/** Reads the bytes of a workload: an array, or chunks as they arrive; gzip and zstd are decompressed. */
import { DecompressedChunks } from '../capture/decompress.js';
import { sourceChunks, type CaptureSource } from '../capture/source.js';
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
