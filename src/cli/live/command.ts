/** `roce-cc live ROLE`: a subcommand for each role, each in a separate folder. */
import type { Command } from 'commander';
import { addCommands, type CommandContext, type CommandEntry } from '../command-table.js';

const EXAMPLES = `
Interfaces and TAP devices need Linux, the package koffi and the capabilities CAP_NET_RAW and CAP_NET_ADMIN; a stream
from a pipe and UDP sockets need none of them. docs/guides/live.md has more.

Examples:
  tcpdump -i eth2 -w - udp port 4791 | roce-cc live watch -
  roce-cc live watch eth2 --flows flows.csv --pcap seen.pcapng --metrics 9091
  roce-cc live notification-point veth1 --flows flows.csv
  roce-cc live switch veth0 veth2 --scenario star.json --record arrivals.pcapng
  roce-cc live hosts h0=veth1 h1=veth3 --scenario star.json
  roce-cc live edge veth4 veth6 --scenario wan.json --node pe0
  roce-cc live demo --mode dcqcn-fast-cnp
`;

export function defineLive(command: Command, context: CommandContext): void {
  command
    .description('Runs the engine on frames from a network interface, a TAP device, a UDP socket or a pipe.')
    .addHelpText('after', EXAMPLES);
  addCommands(command, ROLES, context);
}

/** One entry for each role, in the order of the help text. */
export const ROLES: readonly CommandEntry[] = [
  {
    name: 'watch',
    usage: '[options] <source>',
    summary: 'count frames as they arrive: classes, marks, CNPs due and seen, rates',
    load: async () => (await import('./roles.js')).defineWatch,
  },
  {
    name: 'notification-point',
    usage: '[options] <port>',
    summary: 'respond to CE-marked data with CNPs',
    load: async () => (await import('./roles.js')).defineNotificationPoint,
  },
  {
    name: 'switch',
    usage: '[options] <port...>',
    summary: 'forward frames as a switch of a scenario does: queues, marks, Fast CNPs, PFC, losses',
    load: async () => (await import('./roles.js')).defineSwitch,
  },
  {
    name: 'hosts',
    usage: '[options] <host=port...>',
    summary: 'emulate hosts of a scenario: send its flows, paced by their algorithm, answer with ACKs, NAKs and CNPs',
    load: async () => (await import('./roles.js')).defineHosts,
  },
  {
    name: 'edge',
    usage: '[options] <inside> <outside>',
    summary: 'emulate a provider edge of a scenario: tunnels, END.CON, access lists',
    load: async () => (await import('./roles.js')).defineEdge,
  },
  {
    name: 'demo',
    usage: '[options]',
    summary: 'run an incast of 16 senders through the emulated switch, between network namespaces or over UDP',
    load: async () => (await import('./roles.js')).defineDemo,
  },
];
