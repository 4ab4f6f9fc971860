/** The options of `roce-cc plan` and `roce-cc headroom`, for commander. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { NETWORK_PROFILES } from '../../qos/network-profiles.js';
import { gbps, us } from '../../units.js';
import type { CommandContext } from '../command-table.js';
import { parseCount, parseDuration, parseRate, parseSize } from '../option-values.js';
import type { HeadroomFlags, PlanFlags } from './flags.js';

const HEADROOM_EXAMPLES = `
Each term is printed: the frame that the pause waits behind, the pause frame, the delays of the
interface and of the cable, the response of the peer, and the frame that the peer has begun
(IEEE 802.1Q, annex O; the bounds of IEEE 802.3, 31B.3.7). With --cell also what small packets
waste of a switch's memory. With --kmax and --xoff it also states whether ECN can act before PFC does.

Examples:
  roce-cc headroom --rate 100G --cable 300
  roce-cc headroom --rate 400G --delay 2us --mtu 4200 --cell 254
  roce-cc headroom --rate 400G --cable 5 --interface-delay 300ns --response-delay 600ns
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

const METRES_MAX = 200_000;
const SWITCHES_MAX = 64;

export function defineHeadroom(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Computes the headroom of a lossless priority group, for what arrives after the pause was sent.')
    .addOption(rateOption())
    .addOption(
      new Option('--delay <time>', 'one-way delay of the link (default: 1us)').argParser(parseDuration).conflicts(
        'cable',
      ),
    )
    .addOption(
      new Option('--cable <metres>', 'its length instead: 5 ns per metre').argParser((text) =>
        parseUpTo(text, METRES_MAX)
      ),
    )
    .addOption(new Option('--kmax <size>', 'queue from which all packets are marked').argParser(parseSize))
    .addOption(new Option('--xoff <size>', 'fill level at which the pause is sent').argParser(parseSize))
    .addOption(controlLoopOption())
    .option('--json', 'print JSON, and nothing else')
    .addHelpText('after', HEADROOM_EXAMPLES);
  addPortOptions(command);
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
    .description('Computes ECN thresholds, buffers and headroom for a rate and a delay, and what an incast needs.')
    .addOption(rateOption())
    .addOption(new Option('--delay <time>', 'one-way delay of links').argParser(parseDuration).default(us(1), '1us'))
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
  addPortOptions(command);
  command.action(async (flags: PlanFlags) => {
    if (flags.path !== undefined && flags.json === undefined) {
      command.error("error: option '--path' has no effect without '--json'");
    }
    const { runPlan } = await import('./run-plan.js');
    finish(await runPlan(flags, output));
  });
}

/** What a headroom depends on besides rate and delay. */
function addPortOptions(command: Command): void {
  command
    .addOption(new Option('--mtu <bytes>', 'the longest frame').argParser(parseCount).default(9216, '9216'))
    .addOption(
      new Option('--interface-delay <time>', 'of the port itself, both directions (default: the bound of IEEE 802.3)')
        .argParser(parseDuration),
    )
    .addOption(
      new Option('--response-delay <time>', 'of the peer to a pause (default: the bound of IEEE 802.3, 31B.3.7)')
        .argParser(parseDuration),
    )
    .addOption(
      new Option('--cell <bytes>', "cell of the switch's memory; 0: packets occupy their bytes").argParser((text) =>
        text === '0' ? 0 : parseCount(text)
      ).default(0, '0'),
    )
    .addOption(
      new Option('--small-packets <percent>', 'of 64 bytes, with --cell').argParser(parsePercent).default(100, '100'),
    );
}

function parsePercent(text: string): number {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  if (number <= 100) return number;
  throw new InvalidArgumentError('Allowed: a whole number from 0 to 100.');
}

function rateOption(): Option {
  return new Option('--rate <rate>', 'rate of the link, with its unit').argParser(parseRate).default(gbps(100), '100G');
}

function controlLoopOption(): Option {
  return new Option('--control-loop <time>', 'from a mark to the first packet at the lower rate')
    .argParser(parseDuration).default(us(22), '22us');
}

function parseUpTo(text: string, max: number): number {
  const number = parseCount(text);
  if (number <= max) return number;
  throw new InvalidArgumentError(`Allowed: a whole number from 1 to ${max}.`);
}
