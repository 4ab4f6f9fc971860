/** Messages about a custom algorithm, which the user writes in the lab. */

/** A parameter that the code declares. */
export interface DeclaredParameter {
  readonly name: string;
  /** Readable name; empty if not declared. */
  readonly title: string;
  /** Declared unit: `b/s`, `ps`, `bytes`; empty if there is none. */
  readonly unit: string;
  readonly description: string;
  /** Words to choose from; empty for a number or flag. */
  readonly choices: readonly string[];
  /** Whether it is a boolean. */
  readonly isFlag: boolean;
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
}

export interface DeclaredAlgorithm {
  readonly name: string;
  readonly title: string;
  readonly parameters: readonly DeclaredParameter[];
}

/** Location of an error in the code. Each field is known for some errors only. */
export interface CodeFault {
  /** Line on which it was thrown, from 1. */
  readonly line?: number;
  /** The handler after whose call an invalid value was found. */
  readonly handler?: string;
}

/** Stage of a worker's progress, by which the page detects endless loops. */
export type BeatStage = 'code' | 'scenario' | 'run' | 'result';

/** Messages from the page to the sandbox. `start` passes the port over which page and worker communicate. */
export type ToSandbox = { readonly type: 'script'; readonly script: string } | {
  readonly type: 'start' | 'end';
  readonly id: number;
};

/** Messages from the sandbox. `failed`: an error that the worker did not catch. */
export type FromSandbox = { readonly type: 'ready' } | {
  readonly type: 'failed';
  readonly id: number;
  readonly message: string;
};
