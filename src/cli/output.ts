/** Where the CLI writes: the process's streams, or a test's. */
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
/** Cancelled by Ctrl-C; what was there was shown. As shells have it: 128 and the number of the signal. */
export const EXIT_INTERRUPTED = 130;
/** Bad input; what could be found out was printed nevertheless. */
export const EXIT_ERROR = 1;
/** The command line itself is wrong. */
export const EXIT_USAGE = 2;
/** `lint` found errors in what it was given, `settings --compare` differences. */
export const EXIT_FINDINGS = 3;
