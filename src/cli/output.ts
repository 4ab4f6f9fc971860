/** The output streams of the command line: the process's, or a test's. */
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
