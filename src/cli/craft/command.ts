/** The options of `roce-cc craft`, for commander. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import { hasCaptureName } from './capture-plan.js';
import type { CraftFlags } from './run-craft.js';

const EXAMPLES = `
The description is JSON: {"packets": [{"time": "0.000001", "layers": [...]}]}, or what
"roce-cc dissect --json" prints, one packet per line. A layer has its kind and its
fields; what can be derived may be omitted: lengths, next headers, checksums,
padding, the ICRC. A packet that dissect reports as damaged or trimmed is built unchanged.
Times are written to the nanosecond; a packet without one has the time of the previous packet.

  {"packets": [{"layers": [
    {"kind": "ethernet", "source": "02:00:00:00:00:01", "destination": "02:00:00:00:00:02"},
    {"kind": "ipv4", "source": "10.0.0.1", "destination": "10.0.0.2", "dscp": 48, "ecn": 1},
    {"kind": "udp"}, {"kind": "bth", "opcode": 129, "destQpn": 280}]}]}

Examples:
  roce-cc craft cnp.json -o cnp.pcap
  roce-cc dissect trace.pcap --class cnp --json | roce-cc craft - -o cnps.pcapng
`;

export function defineCraft(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Builds packets from a JSON description and writes them as a capture.')
    .argument('<file>', 'the description; - for standard input')
    .requiredOption('-o, --output <file>', 'the capture: .pcap or .pcapng, with .gz to compress it', parseCaptureName)
    .option('--exactly', 'add nothing that is not described: no padding, reserved bytes or ICRC')
    .addOption(new Option('--icrc-policy <policy>', 'what an ICRC covers with extension headers').choices([
      'literal',
      'omit',
      'normalise',
    ]).default('literal'))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: CraftFlags) => {
      const { runCraft } = await import('./run-craft.js');
      finish(await runCraft(file, flags, output));
    });
}

function parseCaptureName(path: string): string {
  if (hasCaptureName(path)) return path;
  throw new InvalidArgumentError('Allowed: a name that ends in .pcap, .pcapng, .pcap.gz or .pcapng.gz.');
}
