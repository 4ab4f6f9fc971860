/** The options of `roce-cc explain`, for commander. */
import type { Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import type { ExplainFlags } from './run-explain.js';

const EXAMPLES = `
Examples:
  roce-cc run incast-16 --json result.json
  roce-cc explain result.json
`;

export function defineExplain(command: Command, { output, finish }: CommandContext): void {
  command
    .description(
      'Explains the result of a run: why ports paused or did not, why CNPs were sent or not, which flows were slow.',
    )
    .argument('<result>', 'JSON that roce-cc run --json wrote; - for standard input')
    .option('--json', 'print JSON, and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: ExplainFlags) => {
      const { runExplain } = await import('./run-explain.js');
      finish(await runExplain(file, flags, output));
    });
}
