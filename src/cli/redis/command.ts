/** The options of `roce-cc worker`, for commander. */
import type { Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import { addRunnerOptions } from '../sweep/runner-options.js';
import type { WorkerFlags } from './run-worker.js';

const EXAMPLES = `
Any number of machines may do so. All need the same version of roce-cc as the sweep. Ctrl-C finishes the runs that are
in progress; if a worker ends in any other way, another one takes over its runs. docs/guides/sweeps.md#many-machines.

Example:
  roce-cc worker --redis rediss://user:password@host:6380
`;

export function defineWorker(command: Command, { output, version, finish }: CommandContext): void {
  command
    .description('Runs jobs of sweeps from a queue in Redis, until it is stopped.')
    .requiredOption('--redis <url>',
      'URL of the Redis server with the queue, such as redis://host:6379; rediss:// for TLS');
  addRunnerOptions(command).addHelpText('after', EXAMPLES).action(async (flags: WorkerFlags) => {
    const { runWorkerCommand } = await import('./run-worker.js');
    finish(await runWorkerCommand(flags, output, version));
  });
}
