/** Writes lines to standard output as they are produced; if that fails, the rest goes to a spare file. */
import { keepRest, type Warn, type KeptFile } from './kept-file.js';
import type { OutputStream } from './output.js';
import { isReaderGone, writeOut } from './write-out.js';

export class LineOutput {
  /** Whether the reader of standard output is gone. */
  isReaderGone = false;
  readonly #stdout: OutputStream;
  readonly #spareName: string;
  readonly #warn: Warn;
  #spare: KeptFile | undefined;

  /** @param spareName name of the spare file, which `warn` reports if it is used. */
  constructor(stdout: OutputStream, spareName: string, warn: Warn) {
    this.#stdout = stdout;
    this.#spareName = spareName;
    this.#warn = warn;
  }

  /** Writes whole lines, and waits until they are written. */
  async write(text: string): Promise<void> {
    if (this.#spare === undefined && !this.isReaderGone) {
      try {
        await writeOut(this.#stdout, text);
        return;
      } catch (error) {
        this.isReaderGone = isReaderGone(error);
        if (!this.isReaderGone) this.#spare = keepRest(error, this.#spareName, this.#warn);
      }
    }
    this.#spare?.write(text);
  }

  finish(): void {
    this.#spare?.finish();
  }
}
