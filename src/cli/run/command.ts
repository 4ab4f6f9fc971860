/** The options of `roce-cc run`, for commander. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext } from '../command-table.js';
import { JOB_FORMAT_NAMES, JOB_FORMATS } from '../../workloads/job-formats.js';
import { jobFiles, MAIN_JOB_REPORT, type RunFlags } from './run-job.js';
import { algorithmList, parseAlgorithm, collectSubstitute } from '../algorithms/load-algorithm.js';
import { parseCount, parseDuration, parseFlow, parseRate, parseSize, parseWallTime } from '../option-values.js';
import { parseLab } from '../report/lab-link.js';
import { parseConnections, parseTopology, collectSetValue } from './scenario-options.js';
import { EXPORT_ROWS, exportOption } from './export-options.js';
import { isUetRun } from './uet-option.js';

const EXAMPLES = `
A scenario is a JSON file, or the name of a shipped one. Without scenarios,
hosts share a long link of 400 Gb/s under DCQCN, DCQCN with Fast CNP, and HPCC, compared on
one screen; charts are in the report, ${MAIN_JOB_REPORT}. With several runs, the names of files
contain the run's name. Ctrl-C ends the run and shows the results so far.

Examples:
  roce-cc run incast-16 --set switches.ecn.kminKB=50 --set workload.senders=8
  roce-cc run mine.json other.json --compare --report compared.html
  roce-cc run mine.json --json result.json && roce-cc explain result.json
  roce-cc run incast-16 --settings mlxconfig-query.txt --settings config_db.json
  roce-cc run incast-16 --pcap captures --capture-port s0:h16
  roce-cc run incast-16 --compare dcqcn,hpcc,mine.js --watch
  roce-cc run --reference config.txt
  roce-cc run --reference-argv "-tm conn.cm -topo topo.topo -end 2000" --csv results
  roce-cc run --goal ring.goal --topology fat-tree:k=8,rateGbps=400
  roce-cc run --cm permutation.cm --topo fat-tree.topo --until 10ms
`;

/** Maximum of durationUs. */
const UNTIL_MAX_PS = 9e15;
const SEED_MAX = 2 ** 32 - 1;

export function defineRun(command: Command, { output, version, finish }: CommandContext): void {
  command
    .description(
      'Simulates RoCEv2 networks packet by packet: completion times, queues, pauses, marks, CNPs, rates over time.',
    )
    .argument('[scenario...]',
      'JSON files, or names of shipped scenarios (default: a long link under three kinds of control)')
    .addOption(
      new Option('-c, --compare [algorithms]',
        'compare several runs in one table; with a list of presets and algorithm files: with each of them')
        .argParser(parseCompare),
    )
    .addOption(
      new Option('-a, --algorithm <preset or file>',
        "instead of the scenarios' algorithms: a preset, or a custom algorithm (.js, .ts, .wasm)")
        .argParser(parseAlgorithm),
    )
    .addOption(
      new Option('--substitute <name=file>',
        'run a custom algorithm instead of a built-in one, with its parameters; congestion-point=FILE replaces the ' +
          'rule of switches; may be repeated')
        .argParser(collectSubstitute).default([], 'none'),
    )
    .option('-w, --watch', 'run again whenever a file of an algorithm or a scenario changes')
    .addOption(new Option('--seed <number>', "seed that overrides the scenarios' own").argParser(parseSeed))
    .addOption(new Option('--until <time>', 'latest end of the run, such as 10ms: durationUs of the scenarios')
      .argParser(parseUntil))
    .addOption(
      new Option('-s, --set <path=value>', 'change a value of the scenarios; may be repeated').argParser(
        collectSetValue,
      ).default([], 'none'),
    );
  addSettingsOptions(command);
  addSourceOptions(command);
  addFileOptions(command);
  command.addHelpText('after', EXAMPLES).action(async (given: readonly string[], flags: GivenFlags) => {
    const { scenarios, ...compared } = withoutCompared(given, flags);
    if (isUetRun(compared.flags)) {
      const { runUet } = await import('./run-uet.js');
      finish(await runUet(scenarios, compared.flags, output));
      return;
    }
    checkTogether(command, scenarios, compared.flags);
    if (compared.flags.watch === true) {
      const { watchRun } = await import('./watch-run.js');
      finish(await watchRun(scenarios, compared.flags, output, version));
      return;
    }
    const { runRun } = await import('./run-run.js');
    finish(await runRun(scenarios, compared.flags, output, version));
  });
}

/** Options as commander parses them: `--compare FILE` may have consumed the first scenario. */
type GivenFlags = Omit<RunFlags, 'compare'> & { readonly compare?: boolean | string | readonly string[] };

function parseCompare(text: string): string | readonly string[] {
  return algorithmList(text) ?? text;
}

function withoutCompared(scenarios: readonly string[],
  { compare, ...flags }: GivenFlags): { readonly scenarios: readonly string[]; readonly flags: RunFlags } {
  if (typeof compare === 'string') return { scenarios: [compare, ...scenarios], flags: { ...flags, compare: true } };
  return { scenarios, flags: compare === undefined ? flags : { ...flags, compare } };
}

/** Adds the options for vendors' settings files, which override settings of the scenarios. */
function addSettingsOptions(command: Command): void {
  command
    .addOption(
      new Option('--settings <path>',
        "an adapter's settings for DCQCN, or a SONiC config_db.json for switches; may be repeated")
        .argParser(collect).default([], 'none'),
    )
    .addOption(new Option('--line-rate <rate>', "with --settings: rate of the adapter's port (default: 100G)")
      .argParser(parseRate))
    .addOption(new Option('--mss <bytes>', 'with --settings of irdma: bytes of a segment').argParser(parseCount))
    .addOption(new Option('--rtt <time>', 'with --settings of irdma: round-trip time').argParser(parseDuration));
}

/** Adds the options for inputs other than scenarios. */
function addSourceOptions(command: Command): void {
  const add = (flags: string, meaning: string): void => {
    command.addOption(new Option(flags, `${meaning}; may be repeated`).argParser(collect).default([], 'none'));
  };
  add('--reference <config>',
    "a config file of the HPCC authors' ns-3 simulator, or of ConWeave's, or the run.json of a run of uet-htsim");
  command.option('--reference-argv <arguments>',
    'arguments of htsim_uec (uet-htsim), as one string; files in them are relative to the current folder');
  command.option('--ignore-unknown-keys',
    'with --reference or --simai: ignore keys that only descendants of these simulators have; notes name them');
  for (const [format, { argument, help }] of Object.entries(JOB_FORMATS)) add(`--${format} ${argument}`, help);
  command.addOption(
    new Option('--topology <kind:numbers>', 'network of workload files (default: one switch, a host for each rank)')
      .argParser(parseTopology),
  );
  command.addOption(
    new Option('--connections <qps>',
      'QPs of their messages: per-message, per-pair, or a number per pair of hosts (default: per-pair)')
      .argParser(parseConnections),
  );
  command.option('--topo <file>',
    "topology file instead of --topology: of htsim (.topo), of SimAI, or NCCL's topology XML");
}

function addFileOptions(command: Command): void {
  for (const [name, { argument, help }] of EXPORT_ROWS) command.option(`${exportOption(name)} ${argument}`, help);
  command
    .addOption(
      new Option('--capture-port <node:peer>', 'capture this port; may be repeated').argParser(collect).default([],
        'as the scenario says'),
    )
    .addOption(
      new Option('--flow <number>',
        'flow whose path the report and --path show, and whose rate --trace writes (default: the flow that was notified first)')
        .argParser(parseFlow),
    )
    .option('--alone', 'also run each job alone, and show how much the others slow it down')
    .option('-r, --report <file>', 'write a report with charts, one HTML file')
    .addOption(
      new Option('--lab <url>',
        'add links from the report to this lab, such as https://example.org/lab/ (default: no links)')
        .argParser(parseLab),
    )
    .option('--no-report', 'write no report, not even without scenarios')
    .addOption(
      new Option('--max-memory <size>',
        'reject scenarios that need more memory, such as 4GB (default: 80 % of the machine)')
        .argParser(parseSize),
    )
    .addOption(
      new Option('--max-time <time>',
        'stop after this wall-clock time, such as 90s, 10min or 2h, and show the results so far')
        .argParser(parseWallTime),
    )
    .option('--estimate', 'only estimate packets, memory and time of the runs')
    .option('--profile', 'print the time of each phase on standard error')
    .option('-q, --quiet', 'print only errors');
}

function collect(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

function parseUntil(text: string): number {
  const durationPs = parseDuration(text);
  if (durationPs > 0 && durationPs <= UNTIL_MAX_PS) return durationPs;
  throw new InvalidArgumentError('Allowed: a time above 0, up to 9000s.');
}

function parseSeed(text: string): number {
  const seed = /^\d+$/.test(text) ? Number(text) : NaN;
  if (seed <= SEED_MAX) return seed;
  throw new InvalidArgumentError(`Allowed: a whole number from 0 to ${SEED_MAX}.`);
}

/** Rejects options that would have no effect. */
function checkTogether(command: Command, scenarios: readonly string[], flags: RunFlags): void {
  const reject = (option: string, why: string): void => {
    command.error(`error: option '${option}' has no effect ${why}`);
  };
  const files = jobFiles(flags).length;
  const count = scenarios.length + flags.reference.length + files;
  checkSettingsFlags(flags, reject);
  checkLab(flags, count, reject);
  checkFlow(flags, count, reject);
  if (flags.ignoreUnknownKeys === true && flags.reference.length + (flags.simai ?? []).length === 0)
    reject('--ignore-unknown-keys', "without '--reference' or '--simai'");
  for (const option of ['topology', 'topo', 'connections'] as const) {
    if (flags[option] !== undefined && files === 0)
      reject(`--${option}`, `without ${formatOptions()}`);
  }
  if (flags.topo !== undefined && flags.topology !== undefined) reject('--topology', "together with '--topo'");
  if (flags.compare === true && count === 1) reject('--compare', 'with one scenario');
  if (Array.isArray(flags.compare) && flags.algorithm !== undefined)
    reject('--algorithm', "together with a list of '--compare'");
  if (flags.capturePort.length > 0 && flags.pcap === undefined) reject('--capture-port', "without '--pcap'");
}

/** `'--goal', '--cm', '--chakra' or '--simai'`. */
function formatOptions(): string {
  const options = JOB_FORMAT_NAMES.map((format) => `'--${format}'`);
  return `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;
}

type Reject = (option: string, why: string) => void;

function checkSettingsFlags({ settings = [], lineRate, mss, rtt }: RunFlags, reject: Reject): void {
  if (settings.length > 0) return;
  for (const [option, value] of [['--line-rate', lineRate], ['--mss', mss], ['--rtt', rtt]] as const) {
    if (value !== undefined) reject(option, "without '--settings'");
  }
}

function checkFlow({ flow, report, path, trace }: RunFlags, count: number, reject: Reject): void {
  const hasReport = typeof report === 'string' || (report === undefined && count === 0);
  if (flow !== undefined && path === undefined && trace === undefined && !hasReport)
    reject('--flow', "without '--report', '--path' or '--trace'");
}

/** Without scenarios, a report is written by default. */
function checkLab({ lab, report }: RunFlags, count: number, reject: Reject): void {
  if (lab !== undefined && report === undefined && count > 0) reject('--lab', "without '--report'");
}
