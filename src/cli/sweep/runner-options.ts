/** Options shared by all commands that run many scenarios: workers, memory, time, cache. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { parseCount, parseDuration, parseSize } from '../option-values.js';

export interface RunnerFlags {
  readonly workers?: number;
  /** Memory of all workers together, bytes. */
  readonly maxMemory?: number;
  /** Time limit of a run, picoseconds. */
  readonly timeLimit?: number;
  /** Folder of the cache; true: the default folder; false: no cache. */
  readonly cache: string | boolean;
  /** Size limit of the cache, bytes. */
  readonly cacheSize: number;
  readonly quiet?: boolean;
}

const DEFAULT_CACHE_BYTES = 1e9;
const WORKERS_MAX = 1024;

export function addRunnerOptions(command: Command): Command {
  return command
    .addOption(new Option('--workers <count>', 'worker threads (default: one for each core)').argParser(parseWorkers))
    .addOption(
      new Option('--max-memory <size>', 'memory of all workers together, such as 4GB (default: 80 % of the machine)')
        .argParser(parseSize),
    )
    .addOption(new Option('--time-limit <time>', 'time limit of each run, such as 90s').argParser(parseDuration))
    .addOption(
      new Option('--cache <folder>', 'folder of the cache of runs').default(true,
        'roce-cc in $XDG_CACHE_HOME or ~/.cache'),
    )
    .option('--no-cache', 'do not use the cache')
    .addOption(
      new Option('--cache-size <size>', 'maximum size of the cache; the least recently used entries are removed')
        .argParser(parseSize)
        .default(DEFAULT_CACHE_BYTES, '1GB'),
    )
    .option('-q, --quiet', 'print only errors');
}

function parseWorkers(text: string): number {
  const count = parseCount(text);
  if (count <= WORKERS_MAX) return count;
  throw new InvalidArgumentError(`Allowed: a whole number from 1 to ${WORKERS_MAX}.`);
}
