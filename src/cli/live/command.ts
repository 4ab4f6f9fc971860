/** `roce-cc live ROLE`: a subcommand for each role, each in a folder of its own. */
import { Command } from 'commander';
import type { Output } from '../output.js';
import { demoCommand } from './demo/command.js';
import { runDemo } from './demo/run-demo.js';
import { edgeCommand } from './edge/command.js';
import { runEdgeCommand } from './edge/run-edge.js';
import { hostsCommand } from './hosts/command.js';
import { runHostsCommand } from './hosts/run-hosts.js';
import { notificationPointCommand } from './notification-point/command.js';
import { runNotificationPoint } from './notification-point/run-notification-point.js';
import { switchCommand } from './switch/command.js';
import { runSwitchCommand } from './switch/run-switch.js';
import { watchCommand } from './watch/command.js';
import { runWatch } from './watch/run-watch.js';

const EXAMPLES = `
Interfaces and TAP devices need Linux, the package koffi and the capabilities CAP_NET_RAW and CAP_NET_ADMIN; a stream
from a pipe and UDP sockets need none of them. docs/live.md has more.

Examples:
  tcpdump -i eth2 -w - udp port 4791 | roce-cc live watch -
  roce-cc live watch eth2 --flows flows.csv --pcap seen.pcapng --metrics 9091
  roce-cc live notification-point veth1 --flows flows.csv
  roce-cc live switch veth0 veth2 --scenario star.json --record arrivals.pcapng
  roce-cc live hosts h0=veth1 h1=veth3 --scenario star.json
  roce-cc live edge veth4 veth6 --scenario wan.json --node pe0
  roce-cc live demo --mode dcqcn-fast-cnp
`;

/** The command with the commands of all roles. */
export function liveCommand(output: Output, finish: (exitCode: number) => void): Command {
  return new Command('live')
    .summary('frames between real hosts: watch, answer, forward, send them')
    .description('Runs the engine on frames that a network interface, a TAP device, a UDP socket or a pipe brings.')
    .addCommand(watchCommand(async (source, flags) => {
      finish(await runWatch(source, flags, output));
    }))
    .addCommand(notificationPointCommand(async (source, flags) => {
      finish(await runNotificationPoint(source, flags, output));
    }))
    .addCommand(switchCommand(async (ports, flags) => {
      finish(await runSwitchCommand(ports, flags, output));
    }))
    .addCommand(hostsCommand(async (hosts, flags) => {
      finish(await runHostsCommand(hosts, flags, output));
    }))
    .addCommand(edgeCommand(async (inside, outside, flags) => {
      finish(await runEdgeCommand([inside, outside], flags, output));
    }))
    .addCommand(demoCommand(async (flags) => {
      finish(await runDemo(flags, output));
    }))
    .addHelpText('after', EXAMPLES);
}
