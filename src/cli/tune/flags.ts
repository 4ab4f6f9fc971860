/** Options of `roce-cc tune`, as commander passes them. */
import type { AlgorithmFlag } from '../algorithms/algorithm-option.js';
import type { RunnerFlags } from '../sweep/runner-options.js';

export interface TuneFlags extends RunnerFlags, AlgorithmFlag {
  readonly json?: string;
  readonly askTell?: boolean;
}
