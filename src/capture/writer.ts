/**
 * Writes pcap and pcapng, plain or in gzip, as a stream, in constant memory: one chunk, or one record if that is
 * longer.
 *
 *   frames -> checks -> PcapEncoder or PcapngEncoder -> chunks -> gzip, if requested
 *
 * The inverse of reader.ts: everything it reads can be written and reads back the same, with times as precise as the
 * file format allows.
 *
 * The header of a gzip file (RFC 1952, section 2.3) has no name, no time, and the operating system "unknown", so it is
 * the same everywhere. The compressed bytes depend on the platform's deflate, so two platforms may differ there.
 */
import { checkBlock, checkFrame, isBlock, writeRejected, type CaptureItem, ChunkSink, type OwnBytes,
  type RecordEncoder } from './record-encoder.js';
import { PcapEncoder } from './pcap-writer.js';
import { PcapngEncoder } from './pcapng-writer.js';
import { resolveCommon, resolvePcap, resolveSections, type PcapngWriteOptions, type PcapWriteOptions,
  type ResolvedCommon, type WriteCaptureOptions } from './write-options.js';

/** Offset and value of the operating system in the header of gzip. */
const GZIP_OS = 9;
const OS_UNKNOWN = 255;

/** Frames in file order, in memory or as a stream; each is copied before the next one is requested. */
export type CaptureItems = Iterable<CaptureItem> | AsyncIterable<CaptureItem>;

/** Options of `encodeCapture`, which cannot compress. */
export type EncodeCaptureOptions = Omit<PcapWriteOptions, 'gzip'> | Omit<PcapngWriteOptions, 'gzip'>;

/**
 * Encodes frames as a capture file, in chunks that the consumer may keep. Frames before a failure of the source or a
 * rejected frame are written before the error is thrown.
 *
 * @throws RoceError `invalid-argument`: at once for an invalid option or source; from the generator for a frame that
 * the file can't hold, with `frames[index].field` in `where`. Errors of the source pass through.
 *
 * @example
 * for await (const chunk of writeCapture(readCapture(source), { format: 'pcapng', gzip: true })) await upload(chunk);
 */
export function writeCapture(frames: CaptureItems, options: WriteCaptureOptions): AsyncGenerator<OwnBytes, undefined> {
  const common = resolveCommon(options);
  const file = new FileEncoder(common, options);
  const chunks = isAsync(frames) ? chunksOfLive(frames, file) : chunksOfReady(frames, file);
  return common.gzip ? gzip(chunks) : chunks;
}

/**
 * `writeCapture` as a web stream, for a Response or a file picker's stream. Frames are requested on demand.
 *
 * @throws RoceError like `writeCapture`; errors of the generator fail the stream
 */
export function captureWriteStream(frames: CaptureItems, options: WriteCaptureOptions): ReadableStream<OwnBytes> {
  const chunks = writeCapture(frames, options);
  return new ReadableStream<OwnBytes>({
    pull: async (controller) => {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => {
      await chunks.return(undefined);
    },
  });
}

/**
 * Encodes a small capture file in memory; never compressed, since platforms only compress streams.
 *
 * @throws RoceError `invalid-argument` like `writeCapture`, and when `gzip` is set
 *
 * @example
 * const file = encodeCapture([{ bytes, epochSeconds: 0 }], { format: 'pcap' });
 */
export function encodeCapture(frames: Iterable<CaptureItem>, options: EncodeCaptureOptions): OwnBytes {
  const common = resolveCommon(options);
  if (common.gzip) throw writeRejected('gzip', true, false, { hint: 'writeCapture compresses' });
  const file = new FileEncoder(common, options);
  if (isAsync(frames)) throw wrongSource(frames);
  const chunks: Uint8Array[] = [];
  for (const item of frames) {
    file.add(item);
    chunks.push(...file.sink.removeFull());
  }
  file.finish();
  chunks.push(...file.sink.removeAll());
  return joined(chunks);
}

/** Encodes items into the bytes of a file, which accumulate in `sink`. */
class FileEncoder {
  readonly sink: ChunkSink;
  readonly #encoder: RecordEncoder;
  #itemCount = 0;

  constructor(common: ResolvedCommon, options: WriteCaptureOptions) {
    this.sink = new ChunkSink(common.chunkBytes);
    this.#encoder = options.format === 'pcap' ?
      new PcapEncoder(this.sink, common, resolvePcap(options)) :
      new PcapngEncoder(this.sink, common, resolveSections(options));
    this.#encoder.begin();
  }

  add(item: CaptureItem): void {
    const index = this.#itemCount++;
    if (typeof item !== 'object' || item === null) {
      throw writeRejected(`frames[${index}]`, item, 'an object');
    }
    if (!isBlock(item)) {
      this.#encoder.addFrame(checkFrame(item, index));
      return;
    }
    this.#encoder.addBlock(checkBlock(item.block, index), index);
  }

  finish(): void {
    this.#encoder.end();
  }
}

/** Frames in memory need no promise each. */
// eslint-disable-next-line @typescript-eslint/require-await
async function* chunksOfReady(frames: Iterable<CaptureItem>, file: FileEncoder): AsyncGenerator<OwnBytes, undefined> {
  try {
    for (const item of frames) {
      file.add(item);
      if (file.sink.hasFull()) yield* file.sink.removeFull();
    }
    file.finish();
  } catch (error) {
    yield* file.sink.removeAll();
    throw error;
  }
  yield* file.sink.removeAll();
}

async function* chunksOfLive(frames: AsyncIterable<CaptureItem>,
  file: FileEncoder): AsyncGenerator<OwnBytes, undefined> {
  try {
    for await (const item of frames) {
      file.add(item);
      if (file.sink.hasFull()) yield* file.sink.removeFull();
    }
    file.finish();
  } catch (error) {
    yield* file.sink.removeAll();
    throw error;
  }
  yield* file.sink.removeAll();
}

function isAsync(frames: CaptureItems): frames is AsyncIterable<CaptureItem> {
  if (typeof frames === 'object' && frames !== null) {
    if (Symbol.asyncIterator in frames) return true;
    if (Symbol.iterator in frames && !ArrayBuffer.isView(frames)) return false;
  }
  throw wrongSource(frames);
}

function wrongSource(frames: unknown): Error {
  return writeRejected('frames', frames, 'an Iterable or AsyncIterable of frames');
}

function joined(chunks: readonly Uint8Array[]): OwnBytes {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/**
 * Compresses chunks into one gzip member. If the source fails, the member is completed with the chunks so far before
 * the error is thrown.
 */
async function* gzip(chunks: AsyncGenerator<OwnBytes, undefined>): AsyncGenerator<OwnBytes, undefined> {
  const { readable, writable } = new CompressionStream('gzip');
  const reader = readable.getReader();
  const feed = feedInto(writable.getWriter(), chunks);
  let offset = 0;
  try {
    for (;;) {
      const next = await reader.read();
      if (next.done) break;
      const chunk = new Uint8Array(next.value);
      if (offset <= GZIP_OS && GZIP_OS < offset + chunk.length) chunk[GZIP_OS - offset] = OS_UNKNOWN;
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
