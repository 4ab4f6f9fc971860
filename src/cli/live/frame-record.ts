/** Frames to be written to a file: a limited number wait and further ones are counted, since a role can't wait for a disk. */
import type { FrameToWrite } from '../../capture/index.js';

const WAITING_MAX = 65_536;

export class FrameRecord {
  /** Frames beyond the limit. */
  dropped = 0;
  #waiting: FrameToWrite[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  add(frame: FrameToWrite): void {
    if (this.#waiting.length >= WAITING_MAX) this.dropped += 1;
    else this.#waiting.push(frame);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** All frames as they arrive, until the end. */
  async *frames(): AsyncGenerator<FrameToWrite, undefined> {
    for (;;) {
      const frames = this.#waiting;
      this.#waiting = [];
      yield* frames;
      if (this.#waiting.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
