/**
 * Reads pcap, pcapng and snoop, plain or compressed, from a stream, in constant memory: a window of twice `batchBytes`,
 * which grows only for longer records (up to twice MAX_BLOCK_BYTES), plus the columns of one batch.
 *
 *   source -> chunks -> decompression, if needed -> window -> parser of the format -> batch
 *
 * Frames before a damaged part are always delivered before the error, except in damaged compressed data (see
 * transform-chunks.ts).
 */
import { RoceError, lengthError } from '../errors.js';
import { DecompressedChunks, sourceChunks, type CaptureSource, type ProgressListener } from './source.js';
import { CUT, parserOf, PEEK_BYTES } from './formats.js';
import { CaptureBatch, copyFrame, type CaptureFrame } from './frame.js';
import { MAX_CAPTURED_BYTES } from './limits.js';
import { ByteWindow, type RecordParser } from './record-parser.js';

/** Maximum of `maxFrames`. */
export const MAX_BATCH_FRAMES = 1 << 20;
/** Default of `maxFrames`. */
export const DEFAULT_BATCH_FRAMES = 4096;
/** Default of `batchBytes`. */
export const DEFAULT_BATCH_BYTES = 256 * 1024;

/** Options of all readers of captures. */
export interface ReadCaptureOptions {
  /** Called after each chunk of the source with the bytes read so far, before decompression. */
  readonly onProgress?: ProgressListener | undefined;
  /**
   * Bytes to gather before frames are returned, 1 to MAX_CAPTURED_BYTES; default DEFAULT_BATCH_BYTES. 1 returns frames as
   * soon as a chunk completes them, for live sources.
   */
  readonly batchBytes?: number | undefined;
}

/** Options of the readers that return batches. */
export interface ReadBatchesOptions extends ReadCaptureOptions {
  /** Maximum frames per batch, 1 to MAX_BATCH_FRAMES; default DEFAULT_BATCH_FRAMES. */
  readonly maxFrames?: number | undefined;
}

/**
 * Reads the frames of a capture, in file order, each with a copy of its bytes. This is convenient but slow, with one
 * promise per frame: `readCaptureBatches` is faster.
 *
 * @throws RoceError `invalid-capture` for a damaged, empty or unknown file, with the byte offset in `where`, after the
 * frames before it; `invalid-argument` for an invalid option or source. Errors of the source pass through.
 *
 * @example
 * for await (const frame of readCapture(file.stream())) {
 *   if (frame.linkType === LINK_TYPE_ETHERNET) count(frame.bytes);
 * }
 */
export function readCapture(source: CaptureSource,
  options: ReadCaptureOptions = {}): AsyncGenerator<CaptureFrame, undefined> {
  return framesOf(readCaptureBatches(source, options));
}

/**
 * Reads the frames of a capture, in file order, in batches. One batch object is reused: it is valid until the next one is
 * requested. A batch is never empty.
 *
 * @throws RoceError like `readCapture`
 *
 * @example
 * for await (const batch of readCaptureBatches(source, { maxFrames: 1024 })) {
 *   for (let i = 0; i < batch.count; i++) total += batch.originalBytes[i];
 * }
 */
export function readCaptureBatches(source: CaptureSource,
  options: ReadBatchesOptions = {}): AsyncGenerator<CaptureBatch, undefined> {
  if (typeof options !== 'object' || (options as unknown) === null) {
    throw new RoceError('invalid-argument', { where: 'options', got: options, allowed: 'a record of options' });
  }
  const maxFrames = checkedOption('maxFrames', options.maxFrames ?? DEFAULT_BATCH_FRAMES, MAX_BATCH_FRAMES);
  const batchBytes = checkedOption('batchBytes', options.batchBytes ?? DEFAULT_BATCH_BYTES, MAX_CAPTURED_BYTES);
  const decompressed = new DecompressedChunks(sourceChunks(source, options.onProgress));
  return batchesOf(decompressed, new Inlet(decompressed.chunks, batchBytes), maxFrames);
}

async function* framesOf(batches: AsyncGenerator<CaptureBatch, undefined>): AsyncGenerator<CaptureFrame, undefined> {
  for await (const batch of batches) {
    for (let i = 0; i < batch.count; i++) yield copyFrame(batch, i);
  }
}

async function* batchesOf(decompressed: DecompressedChunks, inlet: Inlet,
  maxFrames: number): AsyncGenerator<CaptureBatch, undefined> {
  const { window } = inlet;
  const batch = new CaptureBatch(maxFrames);
  try {
    const parser = await openParser(inlet, decompressed);
    for (;;) {
      const step = parseStep(parser, window, batch);
      if (batch.count > 0) {
        batch.bytes = window.bytes;
        yield batch;
        batch.count = 0;
      }
      if ('error' in step) throw step.error;
      if (step.neededBytes === 0) continue;
      if (inlet.ended) {
        checkEnd(inlet, parser, step.neededBytes);
        return;
      }
      await inlet.fill(step.neededBytes);
    }
  } finally {
    await inlet.close();
  }
}

/** Holds back an error until the frames before it are delivered. */
function parseStep(parser: RecordParser, window: ByteWindow, batch: CaptureBatch): { neededBytes: number } | {
  error: unknown;
} {
  try {
    return { neededBytes: parser.parse(window, batch) };
  } catch (error) {
    return { error };
  }
}

function checkEnd(inlet: Inlet, parser: RecordParser, neededBytes: number): void {
  const { window } = inlet;
  if (inlet.failure !== undefined) throw inlet.failure.error;
  if (window.length === 0 && parser.isAtBorder()) return;
  const offset = window.streamOffset(window.start);
  const layer = offset === 0 ? 'file header' : 'record';
  const fields = { layer, offset, required: neededBytes, available: window.length, hint: CUT };
  throw lengthError({ code: 'invalid-capture', ...fields, where: `byte offset ${offset} of the capture` });
}

async function openParser(inlet: Inlet, decompressed: DecompressedChunks): Promise<RecordParser> {
  const { window } = inlet;
  await inlet.fill(PEEK_BYTES);
  if (inlet.failure !== undefined && window.length < PEEK_BYTES) throw inlet.failure.error;
  return parserOf(window, decompressed.compression);
}

function checkedOption(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new RoceError('invalid-argument', { where: name, got: value, allowed: { min: 1, max, multipleOf: 1 } });
}

/**
 * Fills a window from a sequence of chunks. If the source fails, the error is kept until all received bytes are read,
 * so no frame before it is lost.
 */
class Inlet {
  readonly window: ByteWindow;
  /** Whether the window has received its last bytes. */
  ended = false;
  /** The source's error, if it failed. */
  failure: { readonly error: unknown } | undefined;

  readonly #chunks: AsyncGenerator<Uint8Array, undefined>;
  readonly #fillBytes: number;
  #chunk: Uint8Array = new Uint8Array(0);
  #chunkOffset = 0;

  /** @param fillBytes number of bytes to gather before returning, as far as available */
  constructor(chunks: AsyncGenerator<Uint8Array, undefined>, fillBytes: number) {
    this.#chunks = chunks;
    this.#fillBytes = fillBytes;
    this.window = new ByteWindow(Math.max(2 * fillBytes, 4096));
  }

  /** Reads until the window holds at least `neededBytes` and `fillBytes`, or the source ends. */
  async fill(neededBytes: number): Promise<void> {
    const targetBytes = Math.max(neededBytes, this.#fillBytes);
    while (this.window.length < targetBytes) {
      if (this.#chunkOffset === this.#chunk.length && !(await this.#nextChunk())) return;
      this.#chunkOffset += this.window.append(this.#chunk, this.#chunkOffset);
    }
  }

  /** Closes the source. */
  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }

  async #nextChunk(): Promise<boolean> {
    try {
      do {
        const next = await this.#chunks.next();
        if (next.done === true) {
          this.ended = true;
          return false;
        }
        this.#chunk = next.value;
      } while (this.#chunk.length === 0);
      this.#chunkOffset = 0;
      return true;
    } catch (error) {
      this.ended = true;
      this.failure = { error };
      return false;
    }
  }
}
