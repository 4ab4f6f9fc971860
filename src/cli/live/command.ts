/** `roce-cc live ROLE`: a subcommand for each role, each in a separate folder. */
import type { Command } from 'commander';
import { addCommands } from '../add-commands.js';
import type { CommandContext } from '../command-table.js';
import { ROLES } from './roles.js';

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
