/** Options of `roce-cc tune`, as commander passes them. */
import type { RunnerFlags } from '../sweep/runner-options.js';

export interface TuneFlags extends RunnerFlags {
  readonly json?: string;
  readonly askTell?: boolean;
}
