/**
 * Decompresses zstd with Node's decompressor, available from 22.15 and 23.8 on; browsers have none. Files may have
 * several frames, for example from pzstd: each frame gets a new decompressor, since Node's ignores input after the
 * first frame.
 *
 * Source: RFC 8878; Node's documentation of `zlib.createZstdDecompress`.
 */
import { RoceError } from '../errors.js';
import { damaged, transformChunks, type ByteTransform } from './transform-chunks.js';
import { ZstdFrameWalk } from './zstd-frame-walk.js';

type Chunks = AsyncGenerator<Uint8Array, undefined>;

const NAME = 'zstd';

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

interface NodeModules {
  'node:zlib': { readonly createZstdDecompress?: () => unknown };
  'node:stream': { readonly Duplex: { toWeb(stream: unknown): ByteTransform } };
}

interface NodeProcess {
  getBuiltinModule?<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined;
}

/** Gets the decompressor without importing a Node module, which browser bundles cannot contain. */
function newDecompressor(): ByteTransform {
  const { process } = globalThis as { process?: NodeProcess };
  const stream = process?.getBuiltinModule?.('node:zlib')?.createZstdDecompress?.();
  const transform = stream === undefined ? undefined : process?.getBuiltinModule?.('node:stream')?.Duplex.toWeb(stream);
  if (transform !== undefined) return transform;
  throw new RoceError('invalid-capture', {
    what: 'the file',
    problem: 'is in zstd, which browsers and this version of Node do not decompress',
    hint: 'Decompress it with zstd -d, or use Node 22.15, 23.8 or later',
    where: 'byte offset 0 of the capture',
  });
}
