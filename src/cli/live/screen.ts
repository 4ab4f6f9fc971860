/** Redraws a few lines of a terminal in place; does nothing if standard error is not a terminal. */
import type { Output } from '../output.js';

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
