/** Passes batches to a reader while also writing them to a capture: a batch is passed on after all of it is written. */
import { viewFrame, type CaptureBatch, type CaptureFrame } from '../../capture/index.js';

export class FrameTap {
  /** Number of frames passed on. */
  frames = 0;
  #batch: CaptureBatch | undefined;
  #ended = false;
  /** Notifies the writer of a batch, or of the end. */
  #offer: (() => void) | undefined;
  /** Notifies the reader that the batch is written, or that the writer has ended. */
  #release: (() => void) | undefined;

  /** Yields each batch after it was written. */
  async *through(batches: AsyncIterable<CaptureBatch>): AsyncGenerator<CaptureBatch, undefined> {
    try {
      for await (const batch of batches) {
        await this.#write(batch);
        yield batch;
      }
    } finally {
      this.#ended = true;
      this.#offer?.();
    }
  }

  /** Yields the frames of all batches for the writer, each valid until the next one. */
  async *frameViews(): AsyncGenerator<CaptureFrame, undefined> {
    try {
      for (;;) {
        while (this.#batch === undefined && !this.#ended) {
          await new Promise<void>((resolve) => {
            this.#offer = resolve;
          });
        }
        const batch = this.#batch;
        if (batch === undefined) return;
        for (let index = 0; index < batch.count; index++) {
          this.frames++;
          yield viewFrame(batch, index);
        }
        this.#batch = undefined;
        this.#release?.();
      }
    } finally {
      // The writer failed and reports its error; the reader continues.
      this.#ended = true;
      this.#batch = undefined;
      this.#release?.();
    }
  }

  async #write(batch: CaptureBatch): Promise<void> {
    if (this.#ended || batch.count === 0) return;
    await new Promise<void>((resolve) => {
      this.#release = resolve;
      this.#batch = batch;
      this.#offer?.();
    });
  }
}
