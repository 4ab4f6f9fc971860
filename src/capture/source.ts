/**
 * Sources of bytes: one array, an async iterable of chunks, or a web stream of chunks.
 */
import { RoceError } from '../errors.js';

/**
 * The bytes of a capture, split into chunks arbitrarily. A chunk is copied before the next one is requested, so a
 * source may reuse its buffer.
 */
export type CaptureSource = Uint8Array | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** Called after each chunk of the source with the bytes read so far, before decompression. */
export type ProgressListener = (sourceBytes: number) => void;

/**
 * The chunks of `source`; leaving the loop early closes the source (`return` of an iterator, `cancel` of a stream).
 *
 * @throws RoceError `invalid-argument` when the source or a chunk is of another kind; errors of the source pass through
 */
export async function* sourceChunks(source: CaptureSource,
  onProgress: ProgressListener | undefined): AsyncGenerator<Uint8Array, undefined> {
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new RoceError('invalid-argument', { where: 'onProgress', got: onProgress, allowed: 'a function' });
  }
  let sourceBytes = 0;
  for await (const chunk of chunksOf(source)) {
    if (!(chunk instanceof Uint8Array)) {
      throw new RoceError('invalid-argument', {
        what: 'a chunk',
        got: chunk,
        allowed: 'a Uint8Array',
        where: 'source',
      });
    }
    sourceBytes += chunk.length;
    onProgress?.(sourceBytes);
    yield chunk;
  }
}

function chunksOf(source: CaptureSource): AsyncIterable<unknown> | Iterable<unknown> {
  if (source instanceof Uint8Array) return [source];
  if (typeof source === 'object' && source !== null) {
    if ('getReader' in source) return streamChunks(source);
    if (Symbol.asyncIterator in source) return source;
  }
  const allowed = 'a Uint8Array, AsyncIterable or ReadableStream of Uint8Array';
  throw new RoceError('invalid-argument', { where: 'source', got: source, allowed });
}

/** Not every browser supports `for await` on streams. */
async function* streamChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const reader = stream.getReader();
  let finished = false;
  try {
    for (;;) {
      const next = await reader.read();
      if (next.done) break;
      yield next.value;
    }
    finished = true;
  } finally {
    if (!finished) await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}
