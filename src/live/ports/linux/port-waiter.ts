/** Waits for several ports with one call of poll(2): the thread pool is too small for one call per port. */
import { RoceError } from '../../../errors.js';
import { requirePort, requireTimeout } from '../checks.js';
import type { FramePort, PollTarget } from '../frame-port.js';
import { loadLibc } from './libc.js';
import { Poller } from './poller.js';

/** Waits for several ports at once. */
export interface PortWaiter {
  /** Resolves when any port may have frames, `timeoutMs` has passed, or `wake` was called. Only one wait at a time. */
  wait(timeoutMs: number): Promise<void>;
  /** Ends the current wait, or the next one. */
  wake(): void;
  /** Frees the waiter's resources; the ports stay open. */
  close(): void;
}

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
