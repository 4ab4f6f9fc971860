/** Options of `roce-cc worker`, as commander gives them. */
import type { RunnerFlags } from '../sweep/runner-options.js';

export interface WorkerFlags extends RunnerFlags {
  readonly redis: string;
}
