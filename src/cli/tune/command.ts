/** The options of `roce-cc tune`, for commander. */
import { Command } from 'commander';
import { addRunnerOptions, type RunnerFlags } from '../sweep/runner-options.js';

const EXAMPLES = `
A tuning is a JSON file: a scenario, parameters with their ranges, what shall be small, cases to try candidates on,
cases that are held out, and sets to beat. docs/tuning.md explains it. The same file gives the same set, whatever
the number of workers; interrupted, the same command continues.

Examples:
  roce-cc tune mine.json --json found.json
  my-optimiser | roce-cc tune mine.json --ask-tell
`;

/** All options of the command. */
export interface TuneFlags extends RunnerFlags {
  readonly json?: string;
  readonly askTell?: boolean;
}

/** Runs the command. */
export type TuneAction = (file: string, flags: TuneFlags) => Promise<void>;

export function tuneCommand(action: TuneAction): Command {
  const command = new Command('tune')
    .summary('find parameters that make a metric small')
    .description(
      'Finds parameters within ranges that make a metric small, by CMA-ES, and says how they do beside others.',
    )
    .argument('<file>', 'a tuning, as JSON')
    .option('--json <file>', 'write what was found; - for standard output, and nothing else there')
    .option('--ask-tell', 'answer an outside optimiser: lines of JSON on standard input and output');
  return addRunnerOptions(command).addHelpText('after', EXAMPLES).action(action);
}
