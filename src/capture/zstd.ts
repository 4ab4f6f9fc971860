/**
 * zstd, by the decompressor of Node, which is there from 22.15 and 23.8 on; browsers have none. Files may have several
 * frames, as those of pzstd do: each gets its own decompressor, as Node's ignores what follows the first.
 *
 * Source: RFC 8878; Node's documentation of `zlib.createZstdDecompress`.
 */
import { RoceError } from '../errors.js';
import { damaged, transformChunks, type ByteTransform } from './transform-chunks.js';
import { ZstdFrameWalk } from './zstd-frame-walk.js';

type Chunks = AsyncGenerator<Uint8Array, undefined>;

const NAME = 'zstd';

/**
 * The content of chunks in zstd.
 *
 * @throws RoceError `invalid-capture` when they are damaged or cut, or where the platform has no zstd
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
  // Node 22 ends without an error there.
  if (frames.isCut) throw cut(frames);
}

/** Chunks, divided at the ends of frames. */
class FrameChunks {
  /** The chunks ended within a frame. */
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
      // A copy, as a source may reuse its buffer while the rest of the chunk waits for the next frame.
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

/** Without an import of a module of Node, which bundles for browsers could not have. */
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
