/** The options of `roce-cc worker`, for commander. */
import { Command } from 'commander';
import { addRunnerOptions, type RunnerFlags } from '../sweep/runner-options.js';

const EXAMPLES = `
Any number of machines may do so. All need the same version of roce-cc as the sweep. Ctrl-C finishes the runs that are
under way; whatever else ends a worker, another one takes its runs over. docs/sweeps.md#many-machines.

Example:
  roce-cc worker --redis rediss://user:password@host:6380
`;

/** All options of the command. */
export interface WorkerFlags extends RunnerFlags {
  readonly redis: string;
}

/** Runs the command. */
export type WorkerAction = (flags: WorkerFlags) => Promise<void>;

export function workerCommand(action: WorkerAction): Command {
  const command = new Command('worker')
    .summary('do runs of sweeps that others start, by a Redis')
    .description('Takes runs of sweeps from a queue in Redis, until it is ended.')
    .requiredOption('--redis <url>', 'where the queue is, such as redis://host:6379; rediss:// for TLS');
  return addRunnerOptions(command).addHelpText('after', EXAMPLES).action(action);
}
