/** The output of the command line: the process's streams, or a test's, exit codes, and failures to report. */
import { isSystemError } from './describe-error.js';
import { printable } from './printable.js';

export interface Output {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Environment variables. Default: none. */
  readonly env?: Environment;
}

export type Environment = Readonly<Partial<Record<string, string>>>;

export type OutputStream = NodeJS.WritableStream & {
  /** Whether it is a terminal. */
  readonly isTTY?: boolean;
  /** Width of the terminal. */
  readonly columns?: number;
};

/** Exit codes of the CLI. */
export const EXIT_OK = 0;
/** Cancelled by Ctrl-C after showing the results so far. As in shells: 128 plus the signal's number. */
export const EXIT_INTERRUPTED = 130;
/** Stopped by `--max-time` after showing the results so far. The same code as timeout(1). */
export const EXIT_TIME_UP = 124;
/** Bad input, or failed output; partial results may have been printed. */
export const EXIT_ERROR = 1;
/** The command line itself is wrong. */
export const EXIT_USAGE = 2;
/** `lint` found errors, or `settings --compare` found differences. */
export const EXIT_FINDINGS = 3;

/** Writes a whole text. @throws system errors, which name standard output. */
export async function writeOut(stream: OutputStream, text: string): Promise<void> {
  if (text === '') return;
  await new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => {
      if (error) reject(Object.assign(error, { path: 'standard output' }));
      else resolve();
    });
  });
}

/** Whether the error means that the reader has closed the pipe early, as head does, which is no failure. */
export function isReaderGone(error: unknown): boolean {
  return isSystemError(error, 'EPIPE');
}

/**
 * Writes a whole text, unless its reader has closed the pipe.
 *
 * @param onFailure called with any other error.
 * @returns whether it was written.
 */
export async function writeOutOr(stream: OutputStream, text: string,
  onFailure: (error: unknown) => void): Promise<boolean> {
  try {
    await writeOut(stream, text);
    return true;
  } catch (error) {
    if (!isReaderGone(error)) onFailure(error);
    return false;
  }
}

/**
 * Collects failures that do not stop a command, such as a file that cannot be written; reported on standard error when
 * it ends.
 */
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
