/** A few lines of a terminal that are redrawn in place; does nothing without a terminal. */
import type { Output } from '../output.js';

export class Screen {
  readonly #output: Output;
  #lines = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Whether there is a terminal. */
  get isOn(): boolean {
    return this.#output.stderr.isTTY === true;
  }

  /** Draws the lines over the previous ones. */
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
