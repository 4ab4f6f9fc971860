/** The CLI's output streams: those of the process, or of a test. */
export interface Output {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Variables of the environment. Default: none is set. */
  readonly env?: Environment;
}

export type Environment = Readonly<Partial<Record<string, string>>>;

export type OutputStream = NodeJS.WritableStream & {
  /** True on a terminal. */
  readonly isTTY?: boolean;
  /** Width of the terminal. */
  readonly columns?: number;
};

/** Exit codes of the CLI. */
export const EXIT_OK = 0;
/** Cancelled by Ctrl-C, after the results so far were shown. As in shells: 128 plus the number of the signal. */
export const EXIT_INTERRUPTED = 130;
/** Stopped by `--max-time`, after the results so far were shown: the code of timeout(1). */
export const EXIT_TIME_UP = 124;
/** Bad input; partial results were printed nevertheless. */
export const EXIT_ERROR = 1;
/** The command line itself is wrong. */
export const EXIT_USAGE = 2;
/** `lint` found errors, or `settings --compare` found differences. */
export const EXIT_FINDINGS = 3;
