/** Options of `roce-cc sweep`, as commander passes them. */
import type { AlgorithmFlag } from '../algorithms/algorithm-option.js';
import type { RunnerFlags } from './runner-options.js';

export interface SweepFlags extends RunnerFlags, AlgorithmFlag {
  readonly csv?: string;
  readonly jsonl?: string;
  readonly summary?: string;
  readonly report?: string;
  readonly figures?: string;
  readonly dryRun?: boolean;
  /** Metrics of table, rows and figures; overrides those in the file. */
  readonly metrics?: readonly string[];
  /** URL of a Redis server that replaces worker threads. */
  readonly redis?: string;
  /** Name of a sweep stored in Redis; true: the only one. */
  readonly attach?: string | true;
}
