/**
 * Fills a window from a sequence of chunks. If the source fails, the error is kept until all received bytes are read,
 * so no frame before it is lost.
 */
import { ByteWindow } from './byte-window.js';

const NO_BYTES = new Uint8Array(0);

export class Inlet {
  readonly window: ByteWindow;
  /** Whether the window has received its last bytes. */
  ended = false;
  /** The source's error, if it failed. */
  failure: { readonly error: unknown } | undefined;

  readonly #chunks: AsyncGenerator<Uint8Array, undefined>;
  readonly #fillBytes: number;
  #chunk: Uint8Array = NO_BYTES;
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
