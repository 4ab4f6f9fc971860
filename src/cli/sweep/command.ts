/** The options of `roce-cc sweep`, for commander. */
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import type { SweepFlags } from './load-sweep.js';
import { addAlgorithmOption } from '../algorithms/load-algorithm.js';
import { parseList } from '../option-values.js';
import { addRunnerOptions } from './runner-options.js';

const EXAMPLES = `
A sweep is a JSON file: a scenario to start from, axes of values at its paths, seeds, metrics. docs/guides/sweeps.md
explains it. Runs that are already done are taken from the cache: after Ctrl-C or a crash, the
same command continues. To repeat a single run: roce-cc run FILE#SCENARIO, with SCENARIO from its row.

Examples:
  roce-cc sweep mine.json --csv rows.csv --report sweep.html
  roce-cc sweep mine.json --metrics goodputBps,completionPs.p99,pauses
  roce-cc sweep mine.json --jsonl - --workers 4 | jq .metrics
  roce-cc sweep --attach --redis redis://host:6379 --csv rows.csv
  roce-cc run mine.json#0123456789abcdef --report one-run.html
`;

export function defineSweep(command: Command, { output, version, finish }: CommandContext): void {
  command
    .description('Runs a scenario with all combinations of the values in a sweep file, and shows the results.')
    .argument('[file]', 'a sweep, as JSON, or the name of a shipped one; - for standard input')
    .addOption(
      new Option('--metrics <list>', 'metrics of table, rows and figures, such as goodputBps,maxQueueBytes,pauses')
        .argParser(parseList),
    )
    .option('--csv <file>', 'write a row for each run as it finishes; - for standard output')
    .option('--jsonl <file>', 'write rows as lines of JSON, with slowdown by flow size; - for standard output')
    .option('--summary <file>', 'write a row for each point: mean over seeds and 95 % confidence, as CSV')
    .option('-r, --report <file>', 'write a report with figures, one HTML file')
    .option('--figures <folder>', 'write each figure as SVG and CSV')
    .option('--redis <url>', 'let roce-cc worker on other machines do the runs, through Redis')
    .option('--attach [name]', 'continue a sweep begun with --redis, instead of a file')
    .option('--dry-run', 'only show which runs there would be');
  addRunnerOptions(addAlgorithmOption(command)).addHelpText('after', EXAMPLES).action(
    async (file: string | undefined, flags: SweepFlags) => {
      if (flags.attach !== undefined && flags.redis === undefined)
        command.error("error: option '--attach' has no effect without '--redis'");
      if ((file === undefined) === (flags.attach === undefined))
        command.error('error: either a sweep file or --attach [name] is required');
      const { runSweepCommand } = await import('./run-sweep.js');
      finish(await runSweepCommand(file, flags, output, version));
    },
  );
}
