/** Messages about a custom algorithm, whose code a reader writes in the lab. */

/** A parameter that the code declares. */
export interface DeclaredParameter {
  readonly name: string;
  /** As people write it; empty: none is declared. */
  readonly title: string;
  /** As declared: `b/s`, `ps`, `bytes`; empty: none. */
  readonly unit: string;
  readonly description: string;
  /** Words to choose from; empty: a number or a flag. */
  readonly choices: readonly string[];
  /** True or false. */
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

/** Place of an error in the code; each is known for some errors only. */
export interface CodeFault {
  /** Line on which it was thrown, from 1. */
  readonly line?: number;
  /** The handler after whose call the product found a wrong value. */
  readonly handler?: string;
}

/** Work in progress, by which the page tells a worker that runs from one in an endless loop. */
export type BeatStage = 'code' | 'scenario' | 'run' | 'result';

/** What the page asks of the sandbox; `start` brings the port through which page and worker talk. */
export type ToSandbox = { readonly type: 'script'; readonly script: string } | {
  readonly type: 'start' | 'end';
  readonly id: number;
};

/** `failed`: an error that nothing in the worker has caught. */
export type FromSandbox = { readonly type: 'ready' } | {
  readonly type: 'failed';
  readonly id: number;
  readonly message: string;
};
