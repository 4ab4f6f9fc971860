/** The options of `roce-cc sweep`, for commander. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { parseCount, parseDuration, parseSize } from '../option-values.js';

const EXAMPLES = `
A sweep is a JSON file: a scenario to start from, axes of values at its paths, seeds, metrics. docs/sweeps.md
explains it. Runs that were done before are taken from the cache: after Ctrl-C, or whatever else ended it, the
same command continues. A single run is repeated by roce-cc run FILE#SCENARIO, with column scenario of its row.

Examples:
  roce-cc sweep mine.json --csv rows.csv --report sweep.html
  roce-cc sweep mine.json --jsonl - --workers 4 | jq .metrics
  roce-cc run mine.json#0123456789abcdef --report one-run.html
`;

/** All options of the command. */
export interface SweepFlags {
  readonly csv?: string;
  readonly jsonl?: string;
  readonly summary?: string;
  readonly report?: string;
  readonly figures?: string;
  readonly workers?: number;
  /** Bytes, of all workers together. */
  readonly maxMemory?: number;
  /** Picoseconds. */
  readonly timeLimit?: number;
  /** A folder; false = none; true = the usual one. */
  readonly cache: string | boolean;
  /** Bytes. */
  readonly cacheSize: number;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
}

/** Runs the command. */
export type SweepAction = (file: string, flags: SweepFlags) => Promise<void>;

const DEFAULT_CACHE_BYTES = 1e9;
const WORKERS_MAX = 1024;

export function sweepCommand(action: SweepAction): Command {
  return new Command('sweep')
    .summary('run a scenario many times with other values, on all cores')
    .description(
      'Runs a scenario with all combinations of the values that a sweep file lists, and shows what came out.',
    )
    .argument('<file>', 'a sweep, as JSON; - for standard input')
    .option('--csv <file>', 'write a row for each run while they are done; - for standard output')
    .option('--jsonl <file>', 'the same as lines of JSON, with slowdown by flow size; - for standard output')
    .option('--summary <file>', 'write a row for each point: mean over seeds and 95 % confidence, as CSV')
    .option('-r, --report <file>', 'write a report with figures, one HTML file')
    .option('--figures <folder>', 'write the figures, as SVG and CSV each')
    .addOption(new Option('--workers <count>', 'worker threads (default: one for each core)').argParser(parseWorkers))
    .addOption(new Option('--max-memory <size>', 'of all workers together, such as 4GB (default: 80 % of the machine)')
      .argParser(parseSize))
    .addOption(new Option('--time-limit <time>', 'end a run that takes longer, such as 90s').argParser(parseDuration))
    .option('--cache <folder>', 'where runs are kept (default: roce-cc in $XDG_CACHE_HOME or ~/.cache)', true)
    .option('--no-cache', 'neither take runs from there nor keep them')
    .addOption(
      new Option('--cache-size <size>', 'what the cache may take; the least used entries go').argParser(parseSize)
        .default(DEFAULT_CACHE_BYTES, '1GB'),
    )
    .option('--dry-run', 'say which runs there would be, and run none')
    .option('-q, --quiet', 'show nothing but errors')
    .addHelpText('after', EXAMPLES)
    .action(action);
}

function parseWorkers(text: string): number {
  const count = parseCount(text);
  if (count <= WORKERS_MAX) return count;
  throw new InvalidArgumentError(`Allowed: a whole number from 1 to ${WORKERS_MAX}.`);
}
