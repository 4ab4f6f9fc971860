/** Bytes of a workload: an array, or chunks as they arrive; gzip is unpacked on the way. */
import { gunzipIfNeeded } from '../capture/gunzip.js';
import { sourceChunks, type CaptureSource } from '../capture/source.js';
import { RoceError } from '../errors.js';
import { rejectWorkload } from './workload-error.js';

/** The bytes of a file, cut in any way: an array, an async iterable of chunks, or a web stream. */
export type WorkloadSource = CaptureSource;

/**
 * Hands each chunk on, unpacked.
 *
 * @throws RoceError `invalid-workload`, `TRUNCATED`, for gzip that is damaged or cut off.
 */
export async function readChunks(source: WorkloadSource, where: string,
  take: (chunk: Uint8Array) => void): Promise<void> {
  try {
    for await (const chunk of gunzipIfNeeded(sourceChunks(source, undefined))) take(chunk);
  } catch (error) {
    if (!(error instanceof RoceError) || error.code !== 'invalid-capture') throw error;
    rejectWorkload('TRUNCATED', {
      what: 'the gzip stream',
      problem: 'is damaged or cut off',
      cause: error.cause,
      where,
    });
  }
}
