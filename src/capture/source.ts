/**
 * Sources of bytes: one array, an async iterable of chunks, or a web stream of chunks, decompressed if their first bytes
 * say so: gzip everywhere, zstd where the platform has it.
 *
 * Node reads files of several gzip members completely. Browsers' streams reject any bytes after the first member: the
 * error `invalid-capture` follows the part of the member decompressed so far.
 *
 * Source: RFC 1952, section 2.3.1 (magic of gzip).
 */
import { RoceError } from '../errors.js';
import { nodeTransform, transformChunks } from './transform-chunks.js';
import { isZstd, zstdChunks } from './zstd.js';

type Chunks = AsyncGenerator<Uint8Array, undefined>;

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
export async function* sourceChunks(source: CaptureSource, onProgress: ProgressListener | undefined): Chunks {
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

interface Compression {
  readonly name: string;
  /** Whether a file that begins with these bytes uses this compression. */
  readonly begins: (head: Uint8Array) => boolean;
  readonly decompress: (chunks: Chunks) => Chunks;
}

/** Number of bytes that distinguish all compressions. */
const MAGIC_BYTES = 4;

const COMPRESSIONS: readonly Compression[] = [
  { name: 'gzip', begins: ([a, b]) => a === 0x1f && b === 0x8b, decompress: gunzip },
  { name: 'zstd', begins: isZstd, decompress: zstdChunks },
];

/** Name of the compression of a file that begins with these bytes; undefined if it is not compressed. */
export function compressionOf(head: Uint8Array): string | undefined {
  return COMPRESSIONS.find(({ begins }) => begins(head))?.name;
}

/** The chunks of a source, decompressed if they are compressed. */
export class DecompressedChunks {
  /** Name of the compression, once the first bytes have arrived. */
  compression: string | undefined;
  readonly chunks: Chunks;

  constructor(source: Chunks) {
    this.chunks = this.#read(source);
  }

  async *#read(source: Chunks): Chunks {
    let head = new Uint8Array(0);
    while (head.length < MAGIC_BYTES) {
      const next = await source.next();
      if (next.done === true) break;
      head = joined(head, next.value);
    }
    const compression = COMPRESSIONS.find(({ begins }) => begins(head));
    this.compression = compression?.name;
    const whole = passOn(head, source);
    yield* compression === undefined ? whole : compression.decompress(whole);
  }
}

function gunzip(chunks: Chunks): Chunks {
  const transform = nodeTransform('createGunzip') ?? new DecompressionStream('gzip');
  return transformChunks({ name: 'gzip', transform, chunks, isComplete: () => false });
}

async function* passOn(head: Uint8Array, rest: Chunks): Chunks {
  try {
    yield head;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  // A transferred buffer has no bytes to copy.
  if (first.length > 0) both.set(first);
  if (second.length > 0) both.set(second, first.length);
  return both;
}
