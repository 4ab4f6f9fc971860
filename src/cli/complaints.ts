/** What went wrong beside the work, for standard error: a line each, when all is done. */
import { EXIT_ERROR, EXIT_OK, type Output } from './output.js';
import { printable } from './printable.js';

export class Complaints {
  readonly #complaints: string[] = [];

  readonly add = (complaint: string): void => {
    this.#complaints.push(complaint);
  };

  /** Writes them; returns the exit code. */
  report({ stderr }: Output): number {
    for (const complaint of this.#complaints) stderr.write(`roce-cc: ${printable(complaint)}\n`);
    return this.#complaints.length === 0 ? EXIT_OK : EXIT_ERROR;
  }
}
