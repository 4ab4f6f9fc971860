/** The options of `roce-cc replay`, for commander. */
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import { parseCount } from '../option-values.js';
import { addNotificationOptions, addParserOptions, addReactionOptions, checkTogether,
  withoutEffect } from './engine-options.js';
import type { ReplayFlags } from './run-replay.js';

const STANDARD_INPUT = '-';

const EXAMPLES = `
Connections are found in the capture: from the REQ and REP that open them, otherwise from ACKs,
READ responses and CNPs; streams whose peer is unknown are listed. --flows replaces this by a list:
CSV with the columns sender_addr, sender_qpn, peer_addr, peer_qpn and flow (a name); others are
ignored. A file with notifications is read twice, to follow the connections found.
Without a file, a bundled RoCEv2 incast is replayed, with Fast CNPs allowed from its own switch, and
with the offsets of its IOAM traces (--telemetry takes JSON with fields of TelemetrySettings, such as
"namespaceId" and "ports").

Examples:
  roce-cc replay trace.pcapng.gz
  roce-cc replay trace.pcap --icrc check --write-flows flows.csv
  roce-cc replay trace.pcap --flows flows.csv --fast-cnp --allow 2001:db8:ffff::/48
  roce-cc replay trace.pcap --flows flows.csv --settings mlxconfig-query.txt --line-rate 200G
  roce-cc replay trace.pcap --flows flows.csv --trace changes.jsonl
  roce-cc replay --preset hpcc-pp --rtt 10us
  tcpdump -i eth2 -w - udp port 4791 | roce-cc replay - --json
`;

export function defineReplay(command: Command, { output, finish }: CommandContext): void {
  command
    .description('Replays a capture through the engine and reports what happened, per class and per QP.')
    .argument('[file]', 'pcap, pcapng or snoop, plain, gz or zst; - for standard input (default: a bundled incast)');
  addInputOptions(command);
  addReactionOptions(command);
  addNotificationOptions(command);
  addParserOptions(command);
  command.addHelpText('after', EXAMPLES).action(async (file: string | undefined, flags: ReplayFlags) => {
    // A trace without a flow list needs a second pass, but standard input cannot be read twice.
    if (file === STANDARD_INPUT && flags.trace !== undefined && flags.flows === undefined) {
      withoutEffect(command, '--trace', '--flows');
    }
    checkTogether(command, flags);
    const { runReplay } = await import('./run-replay.js');
    finish(await runReplay(file, flags, output));
  });
}

function addInputOptions(command: Command): void {
  command
    .option('-f, --flows <file>', 'the connections, CSV (default: those found in the capture)')
    .addOption(
      new Option('--write-flows <file>', 'write the connections found, as CSV that --flows reads').conflicts('flows'),
    )
    .option('--json', 'print JSON, and nothing else')
    .option('-o, --output <file>', 'also write the JSON to a file')
    .addOption(
      new Option('--trace <file>',
        'write each rate change with its reason as JSON lines; - for standard output, instead of the report')
        .conflicts('json'),
    )
    .option('--no-progress', 'no progress bar')
    .addOption(new Option('--limit <frames>', 'stop after this many frames').argParser(parseCount));
}
