/** The options of `roce-cc list`, for commander. */
import { Argument, type Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import type { ListFlags, ListName } from './run-list.js';

const LISTS: readonly ListName[] = ['scenarios', 'sweeps', 'tunings', 'presets', 'algorithms'];

const EXAMPLES = `
Examples:
  roce-cc list scenarios
  roce-cc run incast-16
`;

export function defineList(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Lists the shipped scenarios, sweeps, tunings, presets of algorithms, and algorithm files.')
    .addArgument(new Argument('[what]', 'the list to show (default: all)').choices(LISTS))
    .option('--json', 'print JSON, and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (what: ListName | undefined, flags: ListFlags) => {
      const { runList } = await import('./run-list.js');
      finish(await runList(what === undefined ? LISTS : [what], flags, output));
    });
}
