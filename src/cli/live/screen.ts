/** A few lines of a terminal that are drawn again and again in place; nothing where there is no terminal. */
import type { Output } from '../output.js';

export class Screen {
  readonly #output: Output;
  #lines = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Is anybody looking? */
  get isOn(): boolean {
    return this.#output.stderr.isTTY === true;
  }

  /** Draws the lines over those before. */
  draw(lines: readonly string[]): void {
    if (!this.isOn) return;
    this.#output.stderr.write(`${this.#back()}${lines.map((line) => `${line}\n`).join('')}`);
    this.#lines = lines.length;
  }

  /** Takes the lines away. */
  clear(): void {
    if (!this.isOn) return;
    this.#output.stderr.write(this.#back());
    this.#lines = 0;
  }

  /** Up to the first line, and all below erased. */
  #back(): string {
    return this.#lines === 0 ? '' : `\u001b[${this.#lines}A\u001b[0J`;
  }
}
