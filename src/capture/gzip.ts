/**
 * Gzip compression with the platform's CompressionStream; the inverse of decompress.ts.
 *
 * The header has no name and no time; its operating-system byte is set to 255, "unknown", so it is the same everywhere.
 * The compressed bytes depend on the platform's deflate, so two platforms may differ there.
 *
 * Source: RFC 1952, section 2.3.
 */
import type { OwnBytes } from './chunk-sink.js';
const HEADER_OS = 9;
const OS_UNKNOWN = 255;

/**
 * Compresses chunks into one gzip member. If the source fails, the member is completed with the chunks so far before
 * the error is thrown.
 */
export async function* gzip(chunks: AsyncGenerator<OwnBytes, undefined>): AsyncGenerator<OwnBytes, undefined> {
  const { readable, writable } = new CompressionStream('gzip');
  const reader = readable.getReader();
  const feed = feedInto(writable.getWriter(), chunks);
  let offset = 0;
  try {
    for (;;) {
      const next = await reader.read();
      if (next.done) break;
      const chunk = new Uint8Array(next.value);
      if (offset <= HEADER_OS && HEADER_OS < offset + chunk.length) chunk[HEADER_OS - offset] = OS_UNKNOWN;
      offset += chunk.length;
      yield chunk;
    }
    const failure = await feed;
    if (failure !== undefined) throw failure.error;
  } finally {
    // If the consumer stops early, the next write of the feed fails, so it stops reading chunks.
    reader.cancel().catch(() => undefined);
  }
}

/** Writes all chunks; never rejects. Writes wait until their output is read, so memory stays bounded. */
async function feedInto(writer: WritableStreamDefaultWriter<BufferSource>,
  chunks: AsyncGenerator<OwnBytes, undefined>): Promise<{ readonly error: unknown } | undefined> {
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const chunk of chunks) await writer.write(chunk);
  } catch (error) {
    failure = { error };
  }
  // Fails only after the reader has been cancelled, when nothing can receive the error.
  await writer.close().catch(() => undefined);
  return failure;
}
