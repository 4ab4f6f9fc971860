/** The options of `roce-cc tune`, for commander. */
import type { Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import { addAlgorithmOption } from '../algorithms/load-algorithm.js';
import { addRunnerOptions } from '../sweep/runner-options.js';
import type { TuneFlags } from './run-tune.js';

const EXAMPLES = `
A tuning is a JSON file: a scenario, parameters with ranges, a metric to minimise, cases to try candidates on,
held-out cases, and sets to beat. docs/guides/tuning.md explains it. The same file gives the same result, whatever
the number of workers. After an interruption, the same command continues.

Examples:
  roce-cc tune mine.json --json found.json
  my-optimiser | roce-cc tune mine.json --ask-tell
`;

export function defineTune(command: Command, { output, version, finish }: CommandContext): void {
  command
    .description(
      'Searches ranges of parameters for a minimum of a metric, by CMA-ES, and compares the result with other sets.',
    )
    .argument('<file>', 'a tuning, as JSON, or the name of a shipped one')
    .option('--json <file>', 'write the result; - for standard output, which then has nothing else')
    .option('--ask-tell', 'serve an external optimiser: lines of JSON on standard input and output');
  addRunnerOptions(addAlgorithmOption(command)).addHelpText('after', EXAMPLES).action(
    async (file: string, flags: TuneFlags) => {
      const { runTuneCommand } = await import('./run-tune.js');
      finish(await runTuneCommand(file, flags, output, version));
    },
  );
}
