/** The options of `roce-cc lint`, for commander. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { NETWORK_PROFILES } from '../../qos/network-profiles.js';
import { gbps } from '../../units.js';
import type { CommandContext } from '../command-table.js';
import { parseRate, partOption } from '../option-values.js';
import type { LintFlags } from './lint-input.js';

const EXAMPLES = `
What is linted: a path as JSON ({"hops": [host, switches, host]}, docs/guides/operators.md), the
config_db.json of a SONiC switch, or settings of a host's adapter: NVIDIA's (a folder ecn with
roce_rp and roce_np, cc_params, the output of mlnx_qos, an mlxconfig query or its set lines) or
Intel's (irdma in configfs). What a file does not state is assumed as recommended, and listed. A single switch or host is linted against hosts with recommended settings.

Exit codes: 0 nothing worse than a warning, 3 errors found, 1 bad input, 2 bad command line.

Examples:
  roce-cc lint path.json
  roce-cc lint config_db.json --data-dscp 24 --cnp-dscp 48
  roce-cc lint /sys/class/net/eth2/ecn --line-rate 200G
  mlnx_qos -i eth2 | roce-cc lint -
  mlxconfig -d 4b:00.0 query | roce-cc lint - --port 2
  roce-cc plan --path 2 --json path.json && roce-cc lint path.json
`;

const DSCP_MAX = 63;
const PRIORITY_MAX = 7;

export function defineLint(command: Command, { output, finish }: CommandContext): void {
  command
    .description(
      'Compares settings of hosts and switches with each other and with what RoCE needs: trust, maps, buffers, PFC, ECN, CNPs.',
    )
    .argument('<path>', "JSON of a path, config_db.json, or an adapter's settings; - for standard input")
    .addOption(new Option('--profile <name>', 'intended kind of network (default: that of the path, or lossless)')
      .choices(Object.keys(NETWORK_PROFILES)))
    .addOption(
      new Option('--line-rate <rate>', 'rate of ports whose rate no file states').argParser(parseRate).default(
        gbps(100),
        '100G',
      ),
    )
    .addOption(partOption('--device <n>', 'mlxconfig: the device, as numbered in its output (default: all)'))
    .addOption(partOption('--port <n>', 'mlxconfig: the port (default: 1, and the priority masks of the others)'))
    .addOption(numberOption('--data-dscp <dscp>', 'DSCP of RoCE data (default: 26)', DSCP_MAX))
    .addOption(numberOption('--cnp-dscp <dscp>', 'DSCP of CNPs (default: 48)', DSCP_MAX))
    .addOption(numberOption('--data-priority <n>', 'priority, group and queue of RoCE data (default: 3)', PRIORITY_MAX))
    .addOption(numberOption('--cnp-priority <n>', 'priority, group and queue of CNPs (default: 6)', PRIORITY_MAX))
    .option('--json', 'print JSON, and nothing else')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: LintFlags) => {
      const { runLint } = await import('./run-lint.js');
      finish(await runLint(file, flags, output));
    });
}

function numberOption(flags: string, meaning: string, max: number): Option {
  return new Option(flags, meaning).argParser((text) => {
    const number = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
    if (number <= max) return number;
    throw new InvalidArgumentError(`Allowed: a whole number from 0 to ${max}.`);
  });
}
