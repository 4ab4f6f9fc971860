/**
 * Queues frames to be written to a file. The queue is limited and frames beyond it are only counted, since live traffic
 * can't wait for a disk.
 */
import type { FrameToWrite } from '../../capture/index.js';

const WAITING_MAX = 65_536;

export class FrameRecord {
  /** Number of frames that did not fit into the queue. */
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

  /** Yields frames as they arrive, until `end` is called. */
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
