/** The options of `roce-cc replay`, for commander. */
import { Command, Option } from 'commander';
import { gbps } from '../../units.js';
import { collectPrefix, parseCount, parseDuration, parseOptionTypes, parseRate } from '../option-values.js';
import type { EngineFlags } from './engine-settings.js';
import { DEFAULT_PRESET, HPCC_PP_PRESET, PRESETS } from './presets.js';
import type { ReplayFlags } from './run-replay.js';
import { SETTINGS_KINDS } from './vendor-settings.js';

const DEFAULT_LINE_RATE_BPS = gbps(100);

const EXAMPLES = `
The list of connections is CSV with a header. Read are the columns sender_addr,
sender_qpn, peer_addr, peer_qpn, and flow (a name). Without a list frames are classified and
counted per source, destination and QPN. Without a file a bundled RoCEv2 incast is replayed, with Fast CNPs allowed
from its own switch, and with the telemetry of its traces (the JSON takes fields of
TelemetrySettings, such as "namespaceId" and "ports").

Examples:
  roce-cc replay trace.pcapng.gz --flows flows.csv
  roce-cc replay trace.pcap --flows flows.csv --fast-cnp --allow 2001:db8:ffff::/48
  roce-cc replay trace.pcap --flows flows.csv --settings mlxconfig-query.txt --line-rate 200G
  roce-cc replay trace.pcap --flows flows.csv --trace changes.jsonl
  roce-cc replay --preset hpcc-pp --rtt 10us
  tcpdump -i eth2 -w - udp port 4791 | roce-cc replay - --json
`;

/** Runs the command; returns its exit code. */
export type ReplayAction = (file: string | undefined, flags: ReplayFlags) => Promise<void>;

export function replayCommand(action: ReplayAction): Command {
  const command = new Command('replay')
    .summary('a capture through the raw path, and what happened')
    .description('Sends a capture through the raw path of the engine and reports what happened, per class and per QP.')
    .argument('[file]', 'pcap or pcapng, gz or not; - for standard input (default: a bundled incast)');
  addInputOptions(command);
  addReactionOptions(command);
  addNotificationOptions(command);
  addParserOptions(command);
  return command.addHelpText('after', EXAMPLES).action(async (file: string | undefined, flags: ReplayFlags) => {
    if (file !== undefined && flags.trace !== undefined && flags.flows === undefined) {
      withoutEffect(command, '--trace', '--flows');
    }
    checkTogether(command, flags);
    await action(file, flags);
  });
}

function addInputOptions(command: Command): void {
  command
    .option('-f, --flows <file>', 'the connections, CSV')
    .option('--json', 'print JSON, and nothing else')
    .option('-o, --output <file>', 'write the JSON into a file, besides the text')
    .addOption(
      new Option('--trace <file>',
        'write each change of a rate and its reason as JSON lines; - for standard output, in place of the report')
        .conflicts('json'),
    )
    .option('--no-progress', 'no progress bar')
    .addOption(new Option('--limit <frames>', 'stop after so many frames').argParser(parseCount));
}

export function addReactionOptions(command: Command): void {
  command
    .addOption(
      new Option('--preset <name>', 'parameters of DCQCN, or of HPCC++ (hpcc-pp)').choices(PRESETS).default(
        DEFAULT_PRESET,
      ),
    )
    .addOption(
      new Option('--line-rate <rate>', 'rate of the ports, with its unit').argParser(parseRate).default(
        DEFAULT_LINE_RATE_BPS,
        '100G',
      ),
    )
    .addOption(
      new Option('--settings <path>', 'parameters from vendor settings, a file or a folder ecn').conflicts('preset'),
    )
    .addOption(
      new Option('--settings-kind <kind>', 'whose they are (default: as the names show)').choices(SETTINGS_KINDS),
    )
    .addOption(new Option('--mss <bytes>', 'irdma only: path MTU').argParser(parseCount))
    .addOption(
      new Option('--rtt <time>', 'irdma and hpcc-pp only: round-trip time, such as 10us').argParser(parseDuration),
    )
    .option('--telemetry <file>', 'hpcc-pp only: where IOAM traces hold what it reads, JSON')
    .addOption(new Option('--late <policy>', 'events older than the last of their QP (default: clamp)').choices([
      'clamp',
      'refuse',
    ]))
    .addOption(new Option('--backend <name>', 'what runs the model (default: wasm)').choices(['wasm', 'js']));
}

export function addNotificationOptions(command: Command): void {
  command
    .addOption(
      new Option('--np-scope <scope>', 'CNPs are coalesced per (default: qp)').choices(['qp', 'destination', 'port']),
    )
    .addOption(new Option('--np-window <reading>', 'marks within the window (default: suppress)').choices([
      'suppress',
      'trailing',
    ]))
    .addOption(new Option('--cnp-interval <time>', 'least time between CNPs (default: 50us)').argParser(parseDuration))
    .option('--fast-cnp', 'accept Fast CNPs from the allowed sources')
    .option('--no-fast-cnp', 'refuse all Fast CNPs (default)')
    .addOption(
      new Option('--allow <prefix>', 'IPv6 source of Fast CNPs; may be repeated').argParser(collectPrefix).default([],
        'none'),
    )
    .addOption(
      new Option('--deny <prefix>', 'exception from --allow; may be repeated').argParser(collectPrefix).default([],
        'none'),
    )
    .addOption(
      new Option('--option-types <types>', 'of Fast CNP options 1 and 2 (default: 0x9e,0x9e)').argParser(
        parseOptionTypes,
      ),
    );
}

export function addParserOptions(command: Command): void {
  command
    .addOption(new Option('--parser <mode>', 'headers that are read (default: fast-cnp-domain)').choices([
      'fast-cnp-domain',
      'strict-a17',
    ]))
    .addOption(new Option('--icrc <what>', 'refuse wrong ICRCs? (default: ignore)').choices(['ignore', 'check']))
    .addOption(
      new Option('--icrc-policy <policy>', 'what an ICRC covers with extension headers (default: literal)').choices([
        'literal',
        'omit',
        'normalise',
      ]),
    );
}

function withoutEffect(command: Command, option: string, other: string): void {
  command.error(`error: option '${option}' has no effect without '${other}'`);
}

/** No option is without effect in silence. */
export function checkTogether(command: Command, flags: EngineFlags): void {
  const needs = (option: string, other: string): void => {
    withoutEffect(command, option, other);
  };
  if (flags.allow.length + flags.deny.length > 0 && flags.fastCnp !== true) {
    needs(flags.allow.length > 0 ? '--allow' : '--deny', '--fast-cnp');
  }
  if (flags.icrcPolicy !== undefined && flags.icrc !== 'check') needs('--icrc-policy', '--icrc check');
  if (flags.settingsKind !== undefined && flags.settings === undefined) needs('--settings-kind', '--settings');
  checkPath(command, flags);
}

/** Options that only some presets read. */
function checkPath(command: Command, { preset, settings, mss, rtt, telemetry }: EngineFlags): void {
  const isPlus = preset === HPCC_PP_PRESET;
  const mayBeIrdma = preset === 'irdma' || settings !== undefined;
  if (telemetry !== undefined && !isPlus) withoutEffect(command, '--telemetry', `--preset ${HPCC_PP_PRESET}`);
  if (mss !== undefined && !mayBeIrdma) withoutEffect(command, '--mss', '--preset irdma');
  if (rtt !== undefined && !mayBeIrdma && !isPlus) {
    withoutEffect(command, '--rtt', `--preset irdma' or '--preset ${HPCC_PP_PRESET}`);
  }
}
