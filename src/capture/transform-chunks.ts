/**
 * Decompresses chunks with a transform of the platform.
 *
 * A stream that fails drops all output that was not yet read. The usual damage is a truncated file (a killed capture
 * program, an interrupted download), which is detected only when the input is closed. So the input is closed late:
 * after all of it is written, and a read has waited for `RESOLVE_ITERATIONS` iterations of the event loop without a result.
 * Iterations rather than time: a write completes only when its output is in a buffer, and each iteration makes progress
 * on it, however slow the machine is. Node's own `DecompressionStream` completes small writes before zlib's thread has
 * begun them, so Node's decompressors are used directly (`nodeTransform`).
 *
 * Damage in the middle of a file may lose the frames of the last few pieces before it; in a short file, all of them.
 */
import { RoceError } from '../errors.js';

/** Maximum size of the pieces in which input is written; it bounds the copy made for each write. */
const PIECE_BYTES = 65536;
/** Iterations of the event loop that a read must wait before all output counts as read. Happens once per stream. */
const RESOLVE_ITERATIONS = 10;

/** A transform from bytes to bytes. */
export interface ByteTransform {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<BufferSource>;
}

interface NodeDecompressor {
  write(piece: BufferSource, onDone: (error?: Error | null) => void): boolean;
  end(onDone: (error?: Error | null) => void): void;
  destroy(error?: Error): void;
}

interface NodeModules {
  'node:zlib': Partial<Readonly<Record<NodeDecompression, () => NodeDecompressor>>>;
  'node:stream': {
    readonly Readable: {
      toWeb(stream: NodeDecompressor,
        options: { readonly strategy: QueuingStrategy<Uint8Array> }): ReadableStream<Uint8Array>;
    };
  };
}

interface NodeProcess {
  getBuiltinModule?<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined;
}

type NodeDecompression = 'createGunzip' | 'createZstdDecompress';

/**
 * Node's decompressor as a transform whose writes complete when their output is in a buffer; undefined in browsers, and where
 * Node does not have it. No Node module is imported, as browser bundles cannot contain one.
 */
export function nodeTransform(factory: NodeDecompression): ByteTransform | undefined {
  const { process } = globalThis as { process?: NodeProcess };
  const stream = process?.getBuiltinModule?.('node:zlib')?.[factory]?.();
  const readable = process?.getBuiltinModule?.('node:stream')?.Readable;
  if (stream === undefined || readable === undefined) return undefined;
  const whenDone = (begin: (onDone: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      begin((error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  return {
    readable: readable.toWeb(stream, { strategy: new ByteLengthQueuingStrategy({ highWaterMark: PIECE_BYTES }) }),
    writable: new WritableStream({
      write: (piece) =>
        whenDone((onDone) => {
          stream.write(piece, onDone);
        }),
      close: () =>
        whenDone((onDone) => {
          stream.end(onDone);
        }),
      abort: (reason: Error) => {
        stream.destroy(reason);
      },
    }),
  };
}

/** A compressed stream. */
export interface CompressedStream {
  /** Name of the compression, for errors. */
  readonly name: string;
  readonly transform: ByteTransform;
  readonly chunks: AsyncGenerator<Uint8Array, undefined>;
  /** Whether the ended chunks are known to be complete, so that the input may be closed immediately. */
  readonly isComplete: () => boolean;
}

/**
 * Yields the decompressed content; leaving the loop early closes the source.
 *
 * @throws RoceError `invalid-capture` if it is damaged; errors of the source pass through
 */
export async function* transformChunks(stream: CompressedStream): AsyncGenerator<Uint8Array, undefined> {
  const { transform: { readable, writable }, chunks, name } = stream;
  const reader = readable.getReader();
  const feed = new Feed(stream, writable.getWriter());
  void feed.run();
  try {
    for (;;) {
      feed.readBegins();
      const next = await reader.read();
      feed.readEnds();
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw feed.sourceFailure === undefined ? damaged(name, error, feed.writtenBytes) : feed.sourceFailure.error;
  } finally {
    reader.cancel().catch(() => undefined);
    // Not awaited: the feed may be waiting for a chunk of a live source, and return() would have to wait for that
    // chunk.
    chunks.return(undefined).catch(() => undefined);
  }
}

/** The error for a damaged stream. From Node 22 on, web streams wrap zlib's error in one without a message. */
export function damaged(name: string, error: unknown, writtenBytes: number): RoceError {
  const cause = error instanceof Error && error.message === '' ? error.cause ?? error : error;
  const where = `${name} stream, within its first ${writtenBytes} bytes`;
  return new RoceError('invalid-capture', { what: `the ${name} stream`, problem: 'is damaged', cause, where });
}

/** Writes the source's chunks into the stream, and closes it once its output is read. */
class Feed {
  /** Compressed bytes written so far. */
  writtenBytes = 0;
  /** Set when the source itself failed. */
  sourceFailure: { readonly error: unknown } | undefined;

  readonly #stream: CompressedStream;
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  #inputEnded = false;
  #closed = false;
  #reading = false;
  #reads = 0;

  constructor(stream: CompressedStream, writer: WritableStreamDefaultWriter<BufferSource>) {
    this.#stream = stream;
    this.#writer = writer;
  }

  readBegins(): void {
    this.#reading = true;
    this.#reads += 1;
    if (this.#inputEnded) this.#closeWhenSettled();
  }

  readEnds(): void {
    this.#reading = false;
  }

  /** Never rejects: errors reach the reader through the stream. */
  async run(): Promise<void> {
    try {
      for (;;) {
        const chunk = await this.#nextChunk();
        if (chunk === undefined) break;
        await this.#write(chunk);
      }
      this.#inputEnded = true;
      if (this.#stream.isComplete()) this.#close();
      else this.#closeWhenSettled();
    } catch (error) {
      await this.#writer.abort(error).catch(() => undefined);
    }
  }

  async #nextChunk(): Promise<Uint8Array | undefined> {
    try {
      const next = await this.#stream.chunks.next();
      return next.value;
    } catch (error) {
      this.sourceFailure = { error };
      throw error;
    }
  }

  /** Copies the piece, since the stream may read it after the source has reused its buffer. */
  async #write(chunk: Uint8Array): Promise<void> {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = new Uint8Array(chunk.subarray(from, from + PIECE_BYTES));
      this.writtenBytes += piece.length;
      await this.#writer.write(piece);
    }
  }

  #closeWhenSettled(reads = this.#reads, iterations = RESOLVE_ITERATIONS): void {
    setTimeout(() => {
      if (this.#closed || !this.#reading || this.#reads !== reads) return;
      if (iterations > 1) {
        this.#closeWhenSettled(reads, iterations - 1);
        return;
      }
      this.#close();
    }, 0);
  }

  #close(): void {
    this.#closed = true;
    this.#writer.close().catch(() => undefined);
  }
}
