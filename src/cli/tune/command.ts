/** The options of `roce-cc tune`, for commander. */
import type { Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import { addAlgorithmOption } from '../algorithms/algorithm-option.js';
import { addRunnerOptions } from '../sweep/runner-options.js';
import type { TuneFlags } from './flags.js';

const EXAMPLES = `
A tuning is a JSON file: a scenario, parameters with their ranges, what shall be small, cases to try candidates on,
cases that are held out, and sets to beat. docs/guides/tuning.md explains it. The same file gives the same set, whatever
the number of workers; interrupted, the same command continues.

Examples:
  roce-cc tune mine.json --json found.json
  my-optimiser | roce-cc tune mine.json --ask-tell
`;

export function defineTune(command: Command, { output, version, finish }: CommandContext): void {
  command
    .description('Finds parameters within ranges that make a metric small, by CMA-ES, and compares them with others.')
    .argument('<file>', 'a tuning, as JSON, or the name of a shipped one')
    .option('--json <file>', 'write what was found; - for standard output, and nothing else there')
    .option('--ask-tell', 'answer an outside optimiser: lines of JSON on standard input and output');
  addRunnerOptions(addAlgorithmOption(command)).addHelpText('after', EXAMPLES).action(
    async (file: string, flags: TuneFlags) => {
      const { runTuneCommand } = await import('./run-tune.js');
      finish(await runTuneCommand(file, flags, output, version));
    },
  );
}
