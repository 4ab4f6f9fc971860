/** The options of `roce-cc plan` and `roce-cc headroom`, for commander. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CABLE_MAX_M, HEADROOM_ALLOWANCES } from '../../analysis/headroom.js';
import { NETWORK_PROFILES } from '../../qos/network-profiles.js';
import { gbps, us } from '../../units.js';
import type { CommandContext } from '../command-table.js';
import { parseCount, parseDuration, parseRate, parseSize } from '../option-values.js';
import type { HeadroomFlags, PlanFlags } from './plan-numbers.js';

const HEADROOM_EXAMPLES = `
Term by term (IEEE 802.1Q, annex O): frames that both ends have begun, the PFC frame, the cable,
the interfaces of both ends (the limits of IEEE 802.3 by speed), the response of the peer (802.1Q,
36.1.3.3), and with --cell whole cells filled by the worst packets. These are limits: a data sheet
may state less. roce-cc plan and lint compute the same. With --kmax and --xoff it also states
whether ECN can act before PFC does.

Examples:
  roce-cc headroom --rate 100G --cable 300
  roce-cc headroom --rate 400G --delay 2us --mtu 9216
  roce-cc headroom --rate 400G --cable 5 --cell 254 --interface-delay 600ns
  roce-cc headroom --rate 100G --delay 1us --kmax 1.6MB --xoff 2MB --control-loop 22us
`;

const PLAN_EXAMPLES = `
The settings of every port, by the vendors' names, and the buffer that an incast takes until
congestion control has converged. With --path a path of this many switches is written
as JSON for roce-cc lint, to be changed to what a network really has.

Examples:
  roce-cc plan --rate 400G --delay 600ns
  roce-cc plan --profile lossy-1
  roce-cc plan --flows 256 --ports 16
  roce-cc plan --path 2 --json path.json
`;

const SWITCHES_MAX = 64;

export function defineHeadroom(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Computes the headroom of a lossless priority group for data that arrives after the pause is sent.');
  for (const option of linkOptions()) command.addOption(option);
  command
    .addOption(new Option('--kmax <size>', 'queue from which all packets are marked').argParser(parseSize))
    .addOption(new Option('--xoff <size>', 'fill level at which the pause is sent').argParser(parseSize))
    .addOption(controlLoopOption())
    .option('--json', 'print JSON, and nothing else')
    .addHelpText('after', HEADROOM_EXAMPLES);
  command.action(async (flags: HeadroomFlags) => {
    if ((flags.kmax === undefined) !== (flags.xoff === undefined)) {
      const [one, other] = flags.kmax === undefined ? ['--xoff', '--kmax'] : ['--kmax', '--xoff'];
      command.error(`error: option '${one}' has no effect without '${other}'`);
    }
    const { runHeadroom } = await import('./run-plan.js');
    finish(await runHeadroom(flags, output));
  });
}

export function definePlan(command: Command, { output, finish }: CommandContext): void {
  command
    .description(
      'Computes ECN thresholds, buffers and headroom for a rate and a delay, and the convergence of an incast.',
    );
  for (const option of linkOptions()) command.addOption(option);
  command
    .addOption(controlLoopOption())
    .addOption(
      new Option('--profile <name>', 'kind of network').choices(Object.keys(NETWORK_PROFILES)).default('lossless'),
    )
    .addOption(new Option('--flows <n>', 'flows of an incast').argParser(parseCount).default(1024, '1024'))
    .addOption(new Option('--ports <n>', 'ports that they come from').argParser(parseCount).default(16, '16'))
    .addOption(
      new Option('--path <switches>', 'write a path for roce-cc lint; needs --json').argParser((text) =>
        parseUpTo(text, SWITCHES_MAX)
      ),
    )
    .option('--json [file]', 'print JSON, and nothing else; or write it into a file')
    .addHelpText('after', PLAN_EXAMPLES);
  command.action(async (flags: PlanFlags) => {
    if (flags.path !== undefined && flags.json === undefined) {
      command.error("error: option '--path' has no effect without '--json'");
    }
    const { runPlan } = await import('./run-plan.js');
    finish(await runPlan(flags, output));
  });
}

/** Options for a link and its ports, shared by both commands. */
function linkOptions(): Option[] {
  return [
    new Option('--rate <rate>', 'rate of the link, with its unit').argParser(parseRate).default(gbps(100), '100G'),
    new Option('--delay <time>', 'one-way delay of the link (default: 1us)').argParser(parseDuration).conflicts(
      'cable',
    ),
    new Option('--cable <metres>', 'length of the link instead of --delay: 5 ns per metre').argParser(parseCable),
    new Option('--mtu <bytes>', 'the longest frame, with headers and FCS').argParser(parseCount).default(
      HEADROOM_ALLOWANCES.mtuBytes,
      String(HEADROOM_ALLOWANCES.mtuBytes),
    ),
    new Option('--interface-delay <time>', 'delay of one interface, both directions (default: the limit of IEEE 802.3)')
      .argParser(parseDuration),
    new Option('--response-delay <time>', 'response time of the peer to a pause (default: 614.4ns)').argParser(
      parseDuration,
    ),
    new Option('--cell <bytes>', "cell size of the switch's buffer (default: not counted)").argParser(parseCount),
  ];
}

/** Parses metres: `300`, or `300m` as in SONiC's CABLE_LENGTH. */
function parseCable(text: string): number {
  return parseUpTo(text.replace(/m$/, ''), CABLE_MAX_M);
}

function controlLoopOption(): Option {
  return new Option('--control-loop <time>', 'time from a mark to the first packet at the lower rate')
    .argParser(parseDuration).default(us(22), '22us');
}

function parseUpTo(text: string, max: number): number {
  const number = parseCount(text);
  if (number <= max) return number;
  throw new InvalidArgumentError(`Allowed: a whole number from 1 to ${max}.`);
}
