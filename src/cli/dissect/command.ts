/** The options of `roce-cc dissect`, for commander. */
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import { collectAddress, collectQpn, parseCount, parseOptionTypes } from '../option-values.js';
import { addMrcOptions, parsePort } from '../mrc-options.js';
import type { DissectFlags } from './run-dissect.js';
import { CLASS_CHOICES } from './frame-filter.js';

const EXAMPLES = `
A line for each frame: number, seconds since the first frame, addresses, summary.

Examples:
  roce-cc dissect trace.pcapng.gz --class cnp fast-cnp
  roce-cc dissect trace.pcap --qpn 0x118 --tree
  roce-cc dissect trace.pcap --class mrc --mrc-dscps trimmed=11
  roce-cc dissect trace.pcap --class uet --uet-port 49150
  roce-cc dissect trace.pcap --address 2001:db8:1::/48 --json | jq .layers
  tcpdump -i eth2 -w - udp port 4791 | roce-cc dissect -
`;

export function defineDissect(command: Command, { output, finish }: CommandContext): void {
  addOptions(command);
  addMrcOptions(command).addHelpText('after', EXAMPLES).action(async (file: string, flags: DissectFlags) => {
    const { runDissect } = await import('./run-dissect.js');
    finish(await runDissect(file, flags, output));
  });
}

function addOptions(command: Command): void {
  command
    .description('Prints the frames of a capture: a line each, a tree of their fields, or JSON.')
    .argument('<file>', 'pcap, pcapng or snoop, plain, gz or zst; - for standard input')
    .addOption(
      new Option('-c, --class <names...>', 'only frames of these classes; mrc and uet are MRC and Ultra Ethernet')
        .choices(CLASS_CHOICES),
    )
    .addOption(
      new Option('-q, --qpn <number>', 'only frames of RoCEv2 and MRC to this QP; may be repeated').argParser(
        collectQpn,
      ).default([], 'any'),
    )
    .addOption(
      new Option('-a, --address <prefix>', 'only frames from or to this prefix; may be repeated').argParser(
        collectAddress,
      )
        .default([], 'any'),
    )
    .option('-t, --tree', 'print every field')
    .addOption(new Option('--json', 'print one JSON object per line, and nothing else').conflicts('tree'))
    .addOption(new Option('-n, --limit <frames>', 'stop after this many frames are shown').argParser(parseCount))
    .addOption(new Option('--parser <mode>', 'which headers are parsed as RoCEv2 (default: fast-cnp-domain)').choices([
      'fast-cnp-domain',
      'strict-a17',
    ]))
    .addOption(
      new Option('--option-types <types>', 'IPv6 option types of Fast CNP options 1 and 2 (default: 0x9e,0x9e)')
        .argParser(parseOptionTypes),
    )
    .addOption(
      new Option('--icrc-policy <policy>', 'what an ICRC covers with extension headers (default: literal)').choices([
        'literal',
        'omit',
        'normalise',
      ]),
    )
    .addOption(new Option('--arn-port <port>', 'UDP port of ARN messages (default: none)').argParser(parseCount))
    .addOption(
      new Option('--uet-port <port>', 'another UDP port of Ultra Ethernet, in addition to 4793').argParser(parsePort),
    );
}
