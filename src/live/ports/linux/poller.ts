/**
 * Waits for descriptors by poll(2) on a koffi thread, so that an idle process uses no CPU time. An additional eventfd
 * can end a wait immediately.
 */
import type { PollTarget } from '../frame-port.js';
import type { Libc } from './libc.js';
import { NativeMemory } from './native-memory.js';
import { systemError } from './system-error.js';

/** Size of struct pollfd: fd, events, revents. */
const ENTRY_BYTES = 8;
const ENTRY_WORDS = ENTRY_BYTES >> 2;
export const POLLIN = 1;
export const POLLERR = 8;
const REVENTS_SHIFT = 16;
/** Maximum duration of a wait, so that changes without an event are noticed, such as an interface that has returned. */
const LONGEST_WAIT_MS = 60_000;

export class Poller {
  readonly #libc: Libc;
  readonly #targets: readonly PollTarget[];
  readonly #memory: NativeMemory;
  readonly #entries: Int32Array;
  readonly #wakeFd: number;
  readonly #counter = new Uint8Array(8);
  #pending: Promise<void> | undefined;
  #closed = false;

  constructor(libc: Libc, targets: readonly PollTarget[]) {
    this.#libc = libc;
    this.#targets = targets;
    this.#memory = NativeMemory.anonymous(libc, (targets.length + 1) * ENTRY_BYTES, 'poll');
    this.#entries = new Int32Array(this.#memory.bytes.buffer);
    this.#wakeFd = libc.eventfd();
    if (this.#wakeFd < 0) throw systemError('eventfd', libc.errno(), 'poll');
  }

  /**
   * Resolves when a descriptor is ready, `timeoutMs` has passed, or `wake` was called. Only one poll runs at a time.
   */
  wait(timeoutMs: number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#pending ??= this.#poll(timeoutMs).finally(() => {
      this.#pending = undefined;
      if (this.#closed) this.#free();
    });
    return this.#pending;
  }

  /** Ends the current wait, or the next one. */
  wake(): void {
    if (this.#closed) return;
    this.#counter[0] = 1;
    this.#libc.write(this.#wakeFd, this.#counter, this.#counter.length);
  }

  /** Ends the wait, and then frees its resources. */
  close(): void {
    if (this.#closed) return;
    this.wake();
    this.#closed = true;
    if (this.#pending === undefined) this.#free();
  }

  async #poll(timeoutMs: number): Promise<void> {
    const entries = this.#entries;
    const wakeAt = this.#targets.length * ENTRY_WORDS;
    for (const [index, { fd }] of this.#targets.entries()) {
      entries[index * ENTRY_WORDS] = fd;
      entries[index * ENTRY_WORDS + 1] = POLLIN;
    }
    entries[wakeAt] = this.#wakeFd;
    entries[wakeAt + 1] = POLLIN;
    const waitMs = Math.max(0, Math.min(LONGEST_WAIT_MS, Math.ceil(timeoutMs)));
    const ready = await this.#libc.pollAsync(this.#memory.pointer, this.#targets.length + 1, waitMs);
    if (this.#closed) return;
    if (entries[wakeAt + 1] >>> REVENTS_SHIFT !== 0 && ready > 0) {
      this.#libc.read(this.#wakeFd, this.#counter, this.#counter.length);
    }
    for (const [index, target] of this.#targets.entries()) {
      target.polled(ready > 0 ? entries[index * ENTRY_WORDS + 1] >>> REVENTS_SHIFT : 0);
    }
  }

  #free(): void {
    this.#libc.close(this.#wakeFd);
    this.#memory.free();
  }
}
