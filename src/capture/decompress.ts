/**
 * Decompresses a capture, recognised by its first bytes: gzip everywhere, zstd where the platform has it.
 *
 * Node reads files of several gzip members completely. Browsers' streams reject any bytes after the first member: the
 * error `invalid-capture` follows the part of the member decompressed so far.
 *
 * Source: RFC 1952, section 2.3.1 (magic of gzip).
 */
import { transformChunks } from './transform-chunks.js';
import { zstdChunks } from './zstd.js';
import { isZstd } from './zstd-frame-walk.js';

type Chunks = AsyncGenerator<Uint8Array, undefined>;

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
  const transform = new DecompressionStream('gzip');
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
