/**
 * Gzip decompression, by the platform's DecompressionStream.
 *
 * Under Node, files of several consecutive gzip members are read completely; browsers' streams reject anything after the
 * first member, which results in `invalid-capture`, after the part of that member that was fetched by then.
 *
 * A stream that fails drops all output that was not fetched yet. The usual damage is a truncated file (a capture program
 * killed, a download interrupted), which is detected only when the input is closed. So the input is closed late: when all
 * of it is written and a read has waited for `RESOLVE_TURNS` iterations of the event loop without a result. Iterations, not
 * time: a write is done only when its output is in a buffer, and each iteration moves it on, however slow the machine is.
 * Damage in the middle of a file may lose the frames of the last few pieces before it, in a short file all of them.
 */
import { RoceError } from '../errors.js';

const GZIP_MAGIC_0 = 0x1f;
const GZIP_MAGIC_1 = 0x8b;
const GZIP_MAGIC_BYTES = 2;
/** Input is written in pieces of at most this many bytes, which bounds the copy that each write needs. */
const PIECE_BYTES = 65536;
/** Iterations of the event loop that a read must wait before all output counts as fetched. Once per file. */
const RESOLVE_TURNS = 10;

/** Yields the chunks unchanged, or decompressed if the first two bytes are gzip's. */
export async function* gunzipIfNeeded(
  chunks: AsyncGenerator<Uint8Array, undefined>,
): AsyncGenerator<Uint8Array, undefined> {
  let head = new Uint8Array(0);
  while (head.length < GZIP_MAGIC_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = joined(head, next.value);
  }
  if (head[0] === GZIP_MAGIC_0 && head[1] === GZIP_MAGIC_1) yield* gunzip(head, chunks);
  else yield* passOn(head, chunks);
}

async function* passOn(head: Uint8Array,
  rest: AsyncGenerator<Uint8Array, undefined>): AsyncGenerator<Uint8Array, undefined> {
  try {
    yield head;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

async function* gunzip(head: Uint8Array,
  rest: AsyncGenerator<Uint8Array, undefined>): AsyncGenerator<Uint8Array, undefined> {
  const { readable, writable } = new DecompressionStream('gzip');
  const reader = readable.getReader();
  const feed = new GzipFeed(rest, writable.getWriter());
  void feed.run(head);
  try {
    for (;;) {
      feed.readBegins();
      const next = await reader.read();
      feed.readEnds();
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw feed.sourceFailure === undefined ? damagedGzip(error, feed.writtenBytes) : feed.sourceFailure.error;
  } finally {
    reader.cancel().catch(() => undefined);
    // Not awaited: the feed may be waiting for a chunk of a live source, and return() would queue behind that.
    rest.return(undefined).catch(() => undefined);
  }
}

/** Writes the source's chunks into the stream, and closes it once its output is fetched. */
class GzipFeed {
  /** Compressed bytes written so far. */
  writtenBytes = 0;
  /** Set when the source itself failed. */
  sourceFailure: { readonly error: unknown } | undefined;

  readonly #chunks: AsyncGenerator<Uint8Array, undefined>;
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  #inputEnded = false;
  #closed = false;
  #reading = false;
  #reads = 0;

  constructor(chunks: AsyncGenerator<Uint8Array, undefined>, writer: WritableStreamDefaultWriter<BufferSource>) {
    this.#chunks = chunks;
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
  async run(head: Uint8Array): Promise<void> {
    try {
      let chunk: Uint8Array | undefined = head;
      while (chunk !== undefined) {
        await this.#write(chunk);
        chunk = await this.#nextChunk();
      }
      this.#inputEnded = true;
      this.#closeWhenSettled();
    } catch (error) {
      await this.#writer.abort(error).catch(() => undefined);
    }
  }

  async #nextChunk(): Promise<Uint8Array | undefined> {
    try {
      const next = await this.#chunks.next();
      return next.value;
    } catch (error) {
      this.sourceFailure = { error };
      throw error;
    }
  }

  /** Copies, since the stream may read the piece after the source has refilled its buffer. */
  async #write(chunk: Uint8Array): Promise<void> {
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const piece = new Uint8Array(chunk.subarray(from, from + PIECE_BYTES));
      this.writtenBytes += piece.length;
      await this.#writer.write(piece);
    }
  }

  #closeWhenSettled(reads = this.#reads, turns = RESOLVE_TURNS): void {
    setTimeout(() => {
      if (this.#closed || !this.#reading || this.#reads !== reads) return;
      if (turns > 1) {
        this.#closeWhenSettled(reads, turns - 1);
        return;
      }
      this.#closed = true;
      this.#writer.close().catch(() => undefined);
    }, 0);
  }
}

function damagedGzip(error: unknown, writtenBytes: number): RoceError {
  const where = `gzip stream, within its first ${writtenBytes} bytes`;
  return new RoceError('invalid-capture', { what: 'the gzip stream', problem: 'is damaged', cause: error, where });
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  // A buffer that was transferred has no bytes to copy.
  if (first.length > 0) both.set(first);
  if (second.length > 0) both.set(second, first.length);
  return both;
}
