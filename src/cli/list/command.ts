/** The options of `roce-cc list`, for commander. */
import { Argument, type Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import { LISTS, type ListFlags, type ListName } from './lists.js';

const EXAMPLES = `
Examples:
  roce-cc list scenarios
  roce-cc run incast-16
`;

export function defineList(command: Command, { output, finish }: CommandContext): void {
  command
    .description(
      'Lists what the package brings: scenarios, sweeps and tunings by their names, presets of algorithms, and algorithms as files.',
    )
    .addArgument(new Argument('[what]', 'one of them; default: all').choices(LISTS))
    .option('--json', 'print JSON, and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (what: ListName | undefined, flags: ListFlags) => {
      const { runList } = await import('./run-list.js');
      finish(await runList(what === undefined ? LISTS : [what], flags, output));
    });
}
