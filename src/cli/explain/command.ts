/** The options of `roce-cc explain`, for commander. */
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import { parseFlow } from '../option-values.js';
import type { ExplainFlags } from './run-explain.js';

const EXAMPLES = `
Examples:
  roce-cc run incast-16 --json result.json
  roce-cc explain result.json
  roce-cc run incast-16 --json result.json --trace rates.jsonl
  roce-cc explain result.json --trace rates.jsonl --flow 3
`;

export function defineExplain(command: Command, { output, finish }: CommandContext): void {
  command
    .description(
      'Explains the result of a run: why ports paused or did not, why CNPs were sent or not, which flows were slow, ' +
        'why a rate changed.',
    )
    .argument('<result>', 'JSON that roce-cc run --json wrote; - for standard input')
    .option('--trace <file>', 'rate changes that roce-cc run --trace wrote: explains why a rate changed')
    .addOption(new Option('--flow <number>', 'with --trace: the flow to explain (default: the slowest one in the file)')
      .argParser(parseFlow))
    .option('--json', 'print JSON, and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: ExplainFlags) => {
      const { runExplain } = await import('./run-explain.js');
      finish(await runExplain(file, flags, output));
    });
}
