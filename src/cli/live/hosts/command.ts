/** The options of `roce-cc live hosts`, for commander. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext } from '../../command-table.js';
import { addAlgorithmOption } from '../../algorithms/load-algorithm.js';
import { PORT_WORDS, addPortOptions, parseSeconds } from '../port-options.js';
import type { HostAndPort, HostsFlags } from './run-hosts.js';

const COUNT_MAX = 2 ** 20;
const WINDOW_MAX = 2 ** 22;

export function defineHosts(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Emulates RC hosts of a scenario, each at a port: reaction points of their outgoing flows, ' +
      'notification points of their incoming flows. Ends when all flows are complete.')
    .argument('<host=port...>', `a host of the scenario, or several as h0,h1, and the port: ${PORT_WORDS}`, parseHost)
    .requiredOption('--scenario <file>', 'hosts, flows and algorithm: a file, or a shipped scenario')
    .option('--endless', 'flows continue until the command is stopped, whatever their size')
    .addOption(new Option('--window <packets>', 'maximum unacknowledged packets of a QP (default: 4194304)')
      .argParser((text) => parseCount(text, WINDOW_MAX)))
    .addOption(new Option('--ack-every <packets>', 'request an ACK every N packets (default: 1)')
      .argParser((text) => parseCount(text, COUNT_MAX)))
    .option('--pcap <file>', 'write what hosts send and receive into a pcapng file, an interface per host')
    .option('--json', 'print flows and counters as JSON at the end, and nothing else')
    .addOption(new Option('--seconds <time>', 'stop after this many seconds').argParser(parseSeconds));
  addAlgorithmOption(command);
  addPortOptions(command);
  command.action(async (hosts: readonly HostAndPort[], flags: HostsFlags) => {
    const { runHostsCommand } = await import('./run-hosts.js');
    finish(await runHostsCommand(hosts, flags, output));
  });
}

function parseHost(text: string, before: readonly HostAndPort[] = []): readonly HostAndPort[] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) {
    throw new InvalidArgumentError('Allowed: HOST=PORT, such as h0=veth1 or h0=udp:127.0.0.1:4791,127.0.0.1:4792.');
  }
  const port = text.slice(at + 1);
  return [...before, ...text.slice(0, at).split(',').map((host) => ({ host, port }))];
}

function parseCount(text: string, max: number): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw new InvalidArgumentError(`Allowed: a whole number from 1 to ${max}.`);
}
