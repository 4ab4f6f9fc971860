/**
 * Waits for descriptors by poll(2) on a koffi thread, so that an idle process uses no CPU time. Several ports share one
 * call: the thread pool is too small for one call per port.
 */
import { RoceError } from '../../../errors.js';
import { requirePort, requireTimeout } from '../checks.js';
import type { FramePort, PollTarget } from '../frame-port.js';
import { loadLibc, type Libc, systemError, NativeMemory } from './libc.js';

/** Waits for several ports at once. */
export interface PortWaiter {
  /** Resolves when any port may have frames, `timeoutMs` has passed, or `wake` was called. Only one wait at a time. */
  wait(timeoutMs: number): Promise<void>;
  /** Ends the current wait, or the next one. */
  wake(): void;
  /** Frees the waiter's resources; the ports stay open. */
  close(): void;
}

/** Size of struct pollfd: fd, events, revents. */
const ENTRY_BYTES = 8;
const ENTRY_WORDS = ENTRY_BYTES >> 2;
const POLLIN = 1;
export const POLLERR = 8;
const REVENTS_SHIFT = 16;
/** Maximum duration of a wait, so that changes without an event are noticed, such as an interface that has returned. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Creates a waiter for ports, whether or not they have descriptors.
 *
 * @throws RoceError `invalid-argument` if it is not a list of ports; `unsupported` if a port needs koffi and it is
 * missing.
 * @example
 * const waiter = await openPortWaiter([left, right]);
 * await waiter.wait(100);
 */
export async function openPortWaiter(ports: readonly FramePort[]): Promise<PortWaiter> {
  const given: unknown = ports;
  if (!Array.isArray(given)) {
    throw new RoceError('invalid-argument', { got: ports, allowed: 'a list of ports', where: 'ports' });
  }
  for (const [index, port] of ports.entries()) requirePort(port, `ports[${index}]`);
  const targets = ports.map(({ poll }) => poll).filter((poll): poll is PollTarget => poll !== undefined);
  const others = ports.filter(({ poll }) => poll === undefined);
  const poller = targets.length === 0 ? undefined : new Poller(await loadLibc('a wait for ports'), targets);
  return new Waiter(poller, others);
}

class Waiter implements PortWaiter {
  readonly #poller: Poller | undefined;
  readonly #others: readonly FramePort[];
  #wake: (() => void) | undefined;
  #woken = false;

  constructor(poller: Poller | undefined, others: readonly FramePort[]) {
    this.#poller = poller;
    this.#others = others;
  }

  async wait(timeoutMs: number): Promise<void> {
    requireTimeout(timeoutMs);
    if (this.#poller !== undefined && this.#others.length === 0) return this.#poller.wait(timeoutMs);
    const waits = this.#others.map((port) => port.wait(timeoutMs));
    if (this.#poller !== undefined) waits.push(this.#poller.wait(timeoutMs));
    const woken = new Promise<void>((resolve) => {
      if (this.#woken) resolve();
      this.#wake = resolve;
    });
    await Promise.race([...waits, woken]);
    this.#woken = false;
  }

  wake(): void {
    this.#poller?.wake();
    this.#woken = true;
    this.#wake?.();
  }

  close(): void {
    this.#poller?.close();
    this.wake();
  }
}

/** Waits for a list of descriptors. An additional eventfd can end a wait immediately. */
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
