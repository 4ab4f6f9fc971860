/** The session of a live command in a terminal: lines redrawn in place, and the signals that stop it. */
import type { Output } from '../output.js';

/** Redraws a few lines in place; does nothing if standard error is not a terminal. */
export class Screen {
  readonly #output: Output;
  #lines = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Whether standard error is a terminal. */
  get isOn(): boolean {
    return this.#output.stderr.isTTY === true;
  }

  /** Replaces the previous lines. */
  draw(lines: readonly string[]): void {
    if (!this.isOn) return;
    this.#output.stderr.write(`${this.#back()}${lines.map((line) => `${line}\n`).join('')}`);
    this.#lines = lines.length;
  }

  /** Erases the lines. */
  clear(): void {
    if (!this.isOn) return;
    this.#output.stderr.write(this.#back());
    this.#lines = 0;
  }

  /** Moves to the first line, and erases everything below. */
  #back(): string {
    return this.#lines === 0 ? '' : `\u001b[${this.#lines}A\u001b[0J`;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const MS_PER_SECOND = 1000;

/** The signal that live commands watch; `dispose` removes its listeners and timer. */
export interface Stop {
  readonly signal: AbortSignal;
  dispose(): void;
}

/**
 * Stops on SIGINT or SIGTERM, or after a time. A second signal ends the process at once.
 *
 * @param seconds time until it stops automatically; undefined: never.
 */
export function stopOn(seconds: number | undefined): Stop {
  const abort = new AbortController();
  const end = (): void => {
    abort.abort();
  };
  for (const name of SIGNALS) process.once(name, end);
  const timer = seconds === undefined ? undefined : setTimeout(end, seconds * MS_PER_SECOND);
  return {
    signal: abort.signal,
    dispose() {
      clearTimeout(timer);
      for (const name of SIGNALS) process.removeListener(name, end);
    },
  };
}
