/** The options of the roles of `roce-cc live`, for commander: one function each. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-table.js';
import { addCoalescingOptions, parseCount, parseRate } from '../option-values.js';
import { addNotificationOptions, addParserOptions, addReactionOptions,
  checkTogether } from '../replay/engine-options.js';
import type { WatchFlags } from './run-watch.js';
import type { NotificationPointFlags } from './run-notification-point.js';
import type { SwitchFlags } from './run-switch.js';
import { addAlgorithmOption } from '../algorithms/load-algorithm.js';
import type { HostAndPort, HostsFlags } from './run-hosts.js';
import type { EdgeFlags } from './run-edge.js';
import type { DemoFlags } from './run-demo.js';

/** Forms of a port's name, for help texts. */
const PORT_WORDS = 'an interface, tap:NAME, or udp:ADDRESS[:PORT][,PEER:PORT]';

const PORT_MAX = 65_535;
const SECONDS_MAX = 2 ** 31 / 1000 - 1;
const BLOCK_TIMEOUT_MAX_MS = 10_000;
const COUNT_MAX = 2 ** 20;
const WINDOW_MAX = 2 ** 22;

export function defineWatch(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Runs the engine on frames as they arrive, shows live rates, and reports at the end.')
    .argument('<source>', `${PORT_WORDS}; - for a capture stream on standard input`)
    .option('-f, --flows <file>', 'the connections, CSV as for replay')
    .option('--json', 'print the report as JSON at the end, and nothing else')
    .option('--pcap <file>', 'write all frames into a pcapng file; .gz compresses')
    .addOption(
      new Option('--metrics <port>', 'serve metrics for Prometheus at 127.0.0.1:PORT/metrics').argParser(parsePort),
    )
    .addOption(new Option('--seconds <time>', 'stop after this many seconds').argParser(parseSeconds))
    .addOption(new Option('--frames <count>', 'stop after this many frames').argParser(parseCount));
  addPortOptions(command);
  addReactionOptions(command);
  addNotificationOptions(command);
  addParserOptions(command);
  command.action(async (source: string, flags: WatchFlags) => {
    checkTogether(command, flags);
    const { runWatch } = await import('./run-watch.js');
    finish(await runWatch(source, flags, output));
  });
}

export function defineNotificationPoint(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Responds to CE-marked data of listed connections with CNPs, from the port at which the data arrived.')
    .argument('<port>', PORT_WORDS)
    .requiredOption('-f, --flows <file>', 'the connections, CSV as for replay; this host emulates their receivers')
    .option('--json', 'print the counters as JSON at the end, and nothing else');
  addCoalescingOptions(command)
    .addOption(
      new Option('--icrc <what>', 'check ICRCs of data and ignore data with a wrong one (default: check)').choices([
        'ignore',
        'check',
      ]),
    )
    .addOption(new Option('--seconds <time>', 'stop after this many seconds').argParser(parseSeconds));
  addPortOptions(command);
  command.action(async (source: string, flags: NotificationPointFlags) => {
    const { runNotificationPoint } = await import('./run-notification-point.js');
    finish(await runNotificationPoint(source, flags, output));
  });
}

export function defineSwitch(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Emulates one switch of a scenario between ports: one for each of its links, in the same order.')
    .argument('<port...>', `${PORT_WORDS}; one for each link of the switch`)
    .requiredOption('--scenario <file>', 'the scenario with its settings: a file, or a shipped scenario')
    .option('--node <name>', 'name of the switch, if the scenario has several')
    .addOption(
      new Option('--address <host=ip...>', 'the address of a host of the scenario; others are found by MAC address')
        .argParser(parseAddress),
    )
    .option('--record <file>', 'write arriving frames to a pcapng file, for replays')
    .option('--json', 'print the counters as JSON at the end, and nothing else')
    .addOption(new Option('--seconds <time>', 'stop after this many seconds').argParser(parseSeconds));
  addPortOptions(command);
  command.action(async (ports: readonly string[], flags: SwitchFlags) => {
    const { runSwitchCommand } = await import('./run-switch.js');
    finish(await runSwitchCommand(ports, flags, output));
  });
}

function parseAddress(text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Allowed: HOST=ADDRESS, such as h0=10.0.0.1.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

export function defineHosts(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Emulates RC hosts of a scenario, each at a port: reaction points of their outgoing flows, ' +
      'notification points of their incoming flows. Ends when all flows are complete.')
    .argument('<host=port...>', `a host of the scenario, or several as h0,h1, and the port: ${PORT_WORDS}`, parseHost)
    .requiredOption('--scenario <file>', 'hosts, flows and algorithm: a file, or a shipped scenario')
    .option('--endless', 'flows continue until the command is stopped, whatever their size')
    .addOption(new Option('--window <packets>', 'maximum unacknowledged packets of a QP (default: 4194304)')
      .argParser((text) => parseCountUpTo(text, WINDOW_MAX)))
    .addOption(new Option('--ack-every <packets>', 'request an ACK every N packets (default: 1)')
      .argParser((text) => parseCountUpTo(text, COUNT_MAX)))
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

function parseCountUpTo(text: string, max: number): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw new InvalidArgumentError(`Allowed: a whole number from 1 to ${max}.`);
}

export function defineEdge(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Emulates a provider edge of a WAN: packets from inside enter the tunnel of their service, packets ' +
      'from outside leave it, and Fast CNPs from routers of the WAN are forwarded to the senders inside.')
    .argument('<inside>', `the data centre's side: ${PORT_WORDS}`)
    .argument('<outside>', `the WAN's side: ${PORT_WORDS}`)
    .requiredOption('--scenario <file>', 'a scenario with topology.wan.edges: a file, or a shipped scenario')
    .requiredOption('--node <name>', 'name of the edge, such as pe0')
    .option('--json', 'print the counters as JSON at the end, and nothing else')
    .addOption(new Option('--seconds <time>', 'stop after this many seconds').argParser(parseSeconds));
  addPortOptions(command);
  command.action(async (inside: string, outside: string, flags: EdgeFlags) => {
    const { runEdgeCommand } = await import('./run-edge.js');
    finish(await runEdgeCommand([inside, outside], flags, output));
  });
}

export function defineDemo(command: Command, { output, finish }: CommandContext): void {
  command
    .description(
      'Runs sixteen emulated senders, a switch and a receiver in this process, between separate network namespaces, ' +
        'which are removed at the end; or over UDP sockets on the loopback, which need no permissions.',
    )
    .addOption(
      new Option('--mode <mode>', 'how senders are notified').choices(['dcqcn', 'dcqcn-fast-cnp']).default('dcqcn'),
    )
    .addOption(new Option('--over <links>', 'kind of links (default: namespaces if available, otherwise udp)')
      .choices(['namespaces', 'udp']))
    .addOption(
      new Option('--rate <rate>', 'rate of all links, 10 to 1,000 Mb/s (default: 50Mbps)').argParser(parseRate),
    )
    .addOption(new Option('--seconds <time>', 'duration, up to 3,600 (default: 20)').argParser(parseSeconds))
    .option('--json', 'print the results as JSON at the end, and nothing else')
    .action(async (flags: DemoFlags) => {
      const { runDemo } = await import('./run-demo.js');
      finish(await runDemo(flags, output));
    });
}

/** Adds the options for opening network interfaces. */
function addPortOptions(command: Command): void {
  command
    .option('--no-promiscuous', 'interfaces only: no frames to other stations')
    .addOption(
      new Option('--block-timeout <ms>', 'interfaces only: return a block of the ring after this time (default: 8)')
        .argParser(parseBlockTimeout),
    );
}

/** Parses a TCP or UDP port number; 0 lets the system choose. */
function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= PORT_MAX) return port;
  throw new InvalidArgumentError('Allowed: a port from 0 to 65535.');
}

/** Parses seconds: `10`, `0.5`. */
function parseSeconds(text: string): number {
  const seconds = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : NaN;
  if (seconds > 0 && seconds <= SECONDS_MAX) return seconds;
  throw new InvalidArgumentError('Allowed: seconds above 0, up to 2147482.');
}

function parseBlockTimeout(text: string): number {
  const timeoutMs = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (timeoutMs >= 1 && timeoutMs <= BLOCK_TIMEOUT_MAX_MS) return timeoutMs;
  throw new InvalidArgumentError('Allowed: a whole number of milliseconds from 1 to 10000.');
}
