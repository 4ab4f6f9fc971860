/** Messages between the page and the worker that reads workload files. Nothing leaves the browser. */
import type { GraphsByFile, Rejection } from './run-protocol.js';

export type ToWorkloadWorker = { readonly type: 'open'; readonly id: number; readonly file: File } | {
  readonly type: 'graphs';
  readonly id: number;
  /** Text of a scenario. */
  readonly text: string;
  readonly files: readonly File[];
};

export type FromWorkloadWorker = { readonly type: 'scenario'; readonly id: number; readonly text: string } | {
  readonly type: 'graphs';
  readonly id: number;
  readonly graphs: GraphsByFile;
} | { readonly type: 'failed'; readonly id: number; readonly rejection: Rejection };
