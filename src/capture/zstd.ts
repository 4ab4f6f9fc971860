/**
 * Decompresses zstd with Node's decompressor, available from 22.15 and 23.8 on; browsers have none. Files may have
 * several frames, for example from pzstd: each frame gets a new decompressor, since Node's ignores input after the
 * first frame. So the end of a frame is found without decompressing it:
 *
 *   frame      magic | descriptor, 1 byte | window, dictionary id, content size | blocks | checksum, 4 bytes or none
 *   block      last (1 bit), type (2 bits), size (21 bits), 3 bytes in all | content
 *   skippable  magic | size u32 | content
 *
 * All fields are little-endian.
 *
 * Source: RFC 8878, sections 3.1.1 and 3.1.2; Node's documentation of `zlib.createZstdDecompress`.
 */
import { RoceError } from '../errors.js';
import { damaged, nodeTransform, transformChunks, type ByteTransform } from './transform-chunks.js';

type Chunks = AsyncGenerator<Uint8Array, undefined>;

const NAME = 'zstd';

const ZSTD_MAGIC = 0xfd2fb528;
/** The lowest four bits may have any value. */
const SKIPPABLE_MAGIC = 0x184d2a50;

const BLOCK_HEADER_BYTES = 3;
const CHECKSUM_BYTES = 4;
/** Bytes of the size field of a skippable frame. */
const SIZE_BYTES = 4;
const BLOCK_TYPE_RLE = 1;

/** Sizes of the dictionary id and of the content size, by their flag values. */
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const;
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;

/** Whether a file with these first bytes is zstd-compressed. */
export function isZstd([a = 0, b = 0, c = 0, d = 0]: ArrayLike<number> & Iterable<number>): boolean {
  const magic = little([a, b, c, d]);
  return magic === ZSTD_MAGIC || isSkippable(magic);
}

/**
 * Yields the decompressed content.
 *
 * @throws RoceError `invalid-capture` if the data is damaged or truncated, or if the platform has no zstd
 */
export async function* zstdChunks(chunks: Chunks): Chunks {
  const frames = new FrameChunks(chunks);
  try {
    while (await frames.hasMore()) yield* frameContent(frames);
  } finally {
    // Not awaited, as in transform-chunks.ts.
    chunks.return(undefined).catch(() => undefined);
  }
}

async function* frameContent(frames: FrameChunks): Chunks {
  const transform = newDecompressor();
  const walk = new ZstdFrameWalk();
  try {
    yield* transformChunks({ name: NAME, transform, chunks: frames.frame(walk), isComplete: () => walk.ended });
  } catch (error) {
    throw frames.isCut ? cut(frames) : error;
  }
  // Node 22 reports no error for a truncated frame.
  if (frames.isCut) throw cut(frames);
}

/** Splits chunks at the ends of zstd frames. */
class FrameChunks {
  /** Whether the chunks ended within a frame. */
  isCut = false;
  passedBytes = 0;
  readonly #chunks: Chunks;
  #chunk = new Uint8Array(0);
  #at = 0;

  constructor(chunks: Chunks) {
    this.#chunks = chunks;
  }

  async hasMore(): Promise<boolean> {
    while (this.#at === this.#chunk.length) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      // A copy, since a source may reuse its buffer while the rest of the chunk waits for the next frame.
      this.#chunk = new Uint8Array(next.value);
      this.#at = 0;
    }
    return true;
  }

  /** The chunks of the next frame. */
  async *frame(walk: ZstdFrameWalk): Chunks {
    while (!walk.ended) {
      if (!(await this.hasMore())) {
        this.isCut = true;
        return;
      }
      const from = this.#at;
      this.#at = walk.advance(this.#chunk, from);
      this.passedBytes += this.#at - from;
      yield this.#chunk.subarray(from, this.#at);
    }
  }
}

function cut({ passedBytes }: FrameChunks): RoceError {
  return damaged(NAME, new Error('it ends within a frame'), passedBytes);
}

function newDecompressor(): ByteTransform {
  const transform = nodeTransform('createZstdDecompress');
  if (transform !== undefined) return transform;
  throw new RoceError('invalid-capture', {
    what: 'the file',
    problem: 'is in zstd, which browsers and this version of Node do not decompress',
    hint: 'Decompress it with zstd -d, or use Node 22.15, 23.8 or later',
    where: 'byte offset 0 of the capture',
  });
}

type Part = 'magic' | 'descriptor' | 'rest of the header' | 'block' | 'content' | 'checksum' | 'size';

/** Walks over one frame. */
export class ZstdFrameWalk {
  /** Whether the end of the frame was reached. */
  ended = false;
  #part: Part = 'magic';
  /** Missing bytes of the current part, and the value of those read so far. */
  #missingBytes = 4;
  #value: number[] = [];
  #isLastBlock = false;
  #hasChecksum = false;

  /** Skips the bytes of `chunk` from `at` up to the end of the frame; returns the position after the last one. */
  advance(chunk: Uint8Array, at: number): number {
    while (at < chunk.length && !this.ended) {
      const passed = Math.min(this.#missingBytes, chunk.length - at);
      if (this.#part !== 'content') this.#value.push(...chunk.subarray(at, at + passed));
      at += passed;
      this.#missingBytes -= passed;
      while (this.#missingBytes === 0 && !this.ended) this.#readPart(this.#value);
    }
    return at;
  }

  #readPart(value: readonly number[]): void {
    if (this.#part === 'magic') this.#readMagic(little(value));
    else if (this.#part === 'descriptor') this.#readDescriptor(value[0] ?? 0);
    else if (this.#part === 'rest of the header') this.#expect('block', BLOCK_HEADER_BYTES);
    else if (this.#part === 'block') this.#readBlock(little(value));
    else if (this.#part === 'size') this.#readSize(little(value));
    else if (this.#part === 'checksum') this.ended = true;
    else this.#endContent();
  }

  #readMagic(magic: number): void {
    if (isSkippable(magic)) this.#expect('size', SIZE_BYTES);
    else this.#expect('descriptor', 1);
  }

  #readDescriptor(descriptor: number): void {
    const isSingleSegment = (descriptor & 0x20) !== 0;
    const sizeFlag = descriptor >> 6;
    const contentSizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : CONTENT_SIZE_BYTES[sizeFlag] ?? 0;
    const dictionaryIdBytes = DICTIONARY_ID_BYTES[descriptor & 3] ?? 0;
    this.#hasChecksum = (descriptor & 4) !== 0;
    this.#expect('rest of the header', (isSingleSegment ? 0 : 1) + dictionaryIdBytes + contentSizeBytes);
  }

  #readBlock(header: number): void {
    this.#isLastBlock = (header & 1) !== 0;
    this.#expect('content', ((header >> 1) & 3) === BLOCK_TYPE_RLE ? 1 : header >> 3);
  }

  /** A skippable frame is treated as a last block without a checksum. */
  #readSize(sizeBytes: number): void {
    this.#isLastBlock = true;
    this.#expect('content', sizeBytes);
  }

  #endContent(): void {
    if (!this.#isLastBlock) this.#expect('block', BLOCK_HEADER_BYTES);
    else if (this.#hasChecksum) this.#expect('checksum', CHECKSUM_BYTES);
    else this.ended = true;
  }

  #expect(part: Part, lengthBytes: number): void {
    this.#part = part;
    this.#missingBytes = lengthBytes;
    this.#value = [];
  }
}

function isSkippable(magic: number): boolean {
  return (magic & ~0xf) >>> 0 === SKIPPABLE_MAGIC;
}

function little(bytes: readonly number[]): number {
  return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
}
