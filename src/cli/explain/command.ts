/** The options of `roce-cc explain`, for commander. */
import { Command } from 'commander';
import type { ExplainFlags } from './run-explain.js';

const EXAMPLES = `
Examples:
  roce-cc run incast-16 --json result.json
  roce-cc explain result.json
`;

export type ExplainAction = (file: string, flags: ExplainFlags) => Promise<void>;

export function explainCommand(action: ExplainAction): Command {
  return new Command('explain')
    .summary('why a simulation came out as it did')
    .description(
      'Says in words why a run came out as it did: why ports paused or did not, why CNPs were sent or not, which flows were slow.',
    )
    .argument('<result>', 'JSON that roce-cc run --json wrote; - for standard input')
    .option('--json', 'print JSON, and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(action);
}
