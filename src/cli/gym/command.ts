/** The options of `roce-cc gym`, for commander. */
import { Option, type Command, InvalidArgumentError } from 'commander';
import { AGENT_KINDS } from '../../gym/agent.js';
import { INTERVAL_US, REWARDS } from '../../gym/options.js';
import { parseAlgorithm } from '../algorithms/load-algorithm.js';
import type { CommandContext } from '../command-table.js';
import { parseCount } from '../option-values.js';
import { collectSetValue } from '../run/scenario-options.js';
import type { GymFlags } from './run-gym.js';

const EXAMPLES = `
The first line on standard output describes agents and spaces. Then each line on standard input gets one line:
  {"reset":{"seed":1}}
  {"step":{"actions":{"qp0":{"rateShare":0.5}}}}
  {"close":{}}
Errors get {"error":{"code":…,"message":…}}. examples/gym/roce_gym.py is a client in Python;
docs/guides/gym.md has all observations and actions.

Examples:
  roce-cc gym incast-16 --agents qps --interval-us 10
  roce-cc gym incast-16 --agents switches --reward power --steps 500
`;

export function defineGym(command: Command, { output, version, finish }: CommandContext): void {
  command
    .description(
      'Serves a scenario as an environment for reinforcement learning: lines of JSON on standard input and output.',
    )
    .argument('<scenario>', 'a JSON file, or the name of a shipped scenario')
    .addOption(new Option('--agents <kind>', 'what observes and acts').choices(AGENT_KINDS).default('qps'))
    .addOption(new Option('--interval-us <time>', 'simulated time of a step, microseconds').argParser(parseIntervalUs)
      .default(10))
    .addOption(
      new Option('--reward <name>', 'definition of the reward').choices(Object.keys(REWARDS)).default('throughput'),
    )
    .addOption(new Option('--steps <number>', 'steps of an episode (default: until the scenario ends)')
      .argParser(parseCount))
    .addOption(
      new Option('--algorithm <preset or file>',
        "instead of the scenario's algorithms: a preset, or a custom algorithm (.js, .ts, .wasm)")
        .argParser(parseAlgorithm),
    )
    .addOption(
      new Option('-s, --set <path=value>', 'change a value of the scenario; may be repeated').argParser(collectSetValue)
        .default([], 'none'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (scenario: string, flags: GymFlags) => {
      const { runGym } = await import('./run-gym.js');
      finish(await runGym(scenario, flags, { input: process.stdin, output, version }));
    });
}

/** Parses the length of a step in microseconds: `10`, `0.5`. */
function parseIntervalUs(text: string): number {
  const intervalUs = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (INTERVAL_US.accepts(intervalUs)) return intervalUs;
  throw new InvalidArgumentError('Allowed: microseconds from 0.001 to 1000000.');
}
