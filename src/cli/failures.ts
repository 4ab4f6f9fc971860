/**
 * Collects failures that do not stop a command, such as a file that cannot be written; reported on standard error when
 * it ends.
 */
import { EXIT_ERROR, EXIT_OK, type Output } from './output.js';
import { printable } from './printable.js';

export class Failures {
  readonly #failures: string[] = [];

  readonly add = (failure: string): void => {
    this.#failures.push(failure);
  };

  /** Writes one line for each failure; returns the exit code. */
  report({ stderr }: Output): number {
    for (const failure of this.#failures) stderr.write(`roce-cc: ${printable(failure)}\n`);
    return this.#failures.length === 0 ? EXIT_OK : EXIT_ERROR;
  }
}
