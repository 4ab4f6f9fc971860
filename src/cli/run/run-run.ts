/** `roce-cc run`: from arguments to tables, charts and files. */
import { totalmem } from 'node:os';
import { RoceError } from '../../errors.js';
import { MAIN_JOB } from '../example-scenarios.js';
import { EXIT_ERROR, EXIT_INTERRUPTED, EXIT_OK, type Output } from '../output.js';
import { describeError } from '../describe-error.js';
import { keepInSpareFile } from '../write-file.js';
import { writeOut } from '../write-out.js';
import { inLocale, textStyle } from '../terminal.js';
import { reportHtml } from '../report/report-html.js';
import { PAGE_SCRIPT, PAGE_STYLE } from '../report/page-assets.js';
import { cancelOnInterrupt } from './interrupt.js';
import { loadScenarios, type LoadedScenario } from './load-scenario.js';
import { renderRuns, resultsOf, type WrittenFile } from './report-text.js';
import { runCommands } from './run-commands.js';
import { runAll, type CheckedScenario, type Outcome } from './run-all.js';
import type { SetValue } from './set-values.js';
import { resultToJson, SIMULATOR, type Simulator } from './simulator.js';
import { requirePlaces, writeOrKeep, writeRunFiles, type FileFlags } from './write-files.js';

/** All options of the command. */
export interface RunFlags extends FileFlags {
  readonly reference: readonly string[];
  readonly compare?: boolean;
  readonly seed?: number;
  readonly set: readonly SetValue[];
  readonly capturePort: readonly string[];
  /** false = none, also where one would be written unasked. */
  readonly report?: string | false;
  readonly quiet?: boolean;
  /** Bytes. */
  readonly maxMemory?: number;
}

/** What the main job writes unless told otherwise. */
export const MAIN_JOB_REPORT = 'roce-cc-report.html';
const STANDARD_OUTPUT = '-';
/** Of the machine's memory, unless told otherwise. */
const MEMORY_SHARE = 0.8;

/**
 * Runs scenarios and shows what happened.
 *
 * @param scenarios files or names of shipped scenarios; none at all = the main job.
 * @param version of the package, for the report.
 * @returns the exit code; that of an interrupted program if the user cancelled.
 * @throws RoceError and errors of the system; all scenarios are checked before the first one runs.
 */
export async function runRun(scenarios: readonly string[], flags: RunFlags, output: Output, version: string,
  simulator: Simulator = SIMULATOR): Promise<number> {
  const job = chooseJob(scenarios, flags);
  const loaded = await loadScenarios({
    scenarios: job.scenarios,
    references: flags.reference,
    seed: flags.seed,
    changes: changesOf(flags),
  });
  const checked = loaded.map((scenario) => checkScenario(scenario, flags, simulator));
  requirePlaces(checked.map(({ name }) => name), filesOf(flags), job.report);
  const complaints: string[] = [];
  const complain = (complaint: string): void => {
    complaints.push(complaint);
  };
  const interrupt = cancelOnInterrupt();
  const isSilent = flags.quiet === true || flags.json === STANDARD_OUTPUT;
  const outcomes = await runAll(checked, {
    signal: interrupt.signal,
    onStarted: interrupt.start,
    stderr: output.stderr,
    isQuiet: isSilent,
    pcap: flags.pcap,
  })
    .finally(() => {
      interrupt.stop();
    });
  const files = writeAll(outcomes, job, flags, version, complain);
  const text = flags.json === STANDARD_OUTPUT ?
    resultsOf(outcomes).map(resultToJson).join('') :
    isSilent ?
    '' :
    textOf(outcomes, loaded, job, files, output);
  await writeOut(output.stdout, text).catch((error: unknown) => {
    complain(`${describeError(error)}; ${keptWords(outcomes, flags)}`);
  });
  for (const complaint of complaints) output.stderr.write(`roce-cc: ${complaint}\n`);
  if (interrupt.signal.aborted) return EXIT_INTERRUPTED;
  return complaints.length === 0 ? EXIT_OK : EXIT_ERROR;
}

/** Where the results are that could not be shown. */
function keptWords(outcomes: readonly Outcome[], flags: RunFlags): string {
  const { json } = filesOf(flags);
  if (json !== undefined) return `the results are in ${json}`;
  const results = resultsOf(outcomes).map(resultToJson);
  return `results are kept in ${results.map((result) => keepInSpareFile('result.json', result)).join(', ')}`;
}

/** What goes into files rather than to standard output. */
function filesOf({ json, ...others }: RunFlags): FileFlags {
  return json === STANDARD_OUTPUT || json === undefined ? others : { ...others, json };
}

interface Job {
  readonly scenarios: readonly string[];
  readonly isMain: boolean;
  readonly isCompared: boolean;
  readonly report: string | undefined;
}

function chooseJob(scenarios: readonly string[], flags: RunFlags): Job {
  const isMain = scenarios.length + flags.reference.length === 0;
  const unasked = isMain ? MAIN_JOB_REPORT : undefined;
  const report = flags.report === false ? undefined : (flags.report ?? unasked);
  return { scenarios: isMain ? MAIN_JOB : scenarios, isMain, isCompared: isMain || flags.compare === true, report };
}

function changesOf({ set, capturePort }: RunFlags): SetValue[] {
  if (capturePort.length === 0) return [...set];
  return [...set, {
    text: `record.capture=${JSON.stringify(capturePort)}`,
    path: ['record', 'capture'],
    value: capturePort,
  }];
}

function checkScenario(scenario: LoadedScenario, flags: RunFlags, simulator: Simulator): CheckedScenario {
  const { spec, source } = scenario;
  const prepared = withSource(source, () => simulator.prepare(spec, flags.maxMemory ?? MEMORY_SHARE * totalmem()));
  if (flags.pcap === undefined || (prepared.spec.record?.capture ?? []).length > 0) return { ...scenario, prepared };
  const problem = 'needs ports to capture';
  const hint = 'Name them in record.capture of the scenario, or with --capture-port NODE:PEER';
  throw new RoceError('invalid-argument', { what: '--pcap', problem, where: source, hint });
}

/** The same error, with the scenario's name in the description. */
function withSource<T>(source: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RoceError) || error.where.includes(source)) throw error;
    throw error.at(`${source}, ${error.where}`);
  }
}

function writeAll(outcomes: readonly Outcome[], job: Job, flags: RunFlags, version: string,
  complain: (complaint: string) => void): WrittenFile[] {
  const files = writeRunFiles(outcomes, filesOf(flags), complain);
  if (job.report === undefined || outcomes.length === 0) return files;
  const commands = runCommands(outcomes, {
    isMain: job.isMain,
    isCompared: job.isCompared,
    changes: changesOf(flags),
    seed: flags.seed,
  });
  const assets = { script: PAGE_SCRIPT, style: PAGE_STYLE, version, commands };
  const file = writeOrKeep(job.report, reportHtml(resultsOf(outcomes), assets), complain);
  return [...files, { what: 'report', file }];
}

function textOf(outcomes: readonly Outcome[], loaded: readonly LoadedScenario[], job: Job,
  files: readonly WrittenFile[], output: Output): string {
  const program = process.env.npm_lifecycle_event === 'start' ? 'npm start --' : 'roce-cc';
  const hints = job.isMain ? [`Your own: ${program} run FILE.json   Options: ${program} run --help`] : [];
  const skipped = loaded.slice(outcomes.length).map(({ name }) => name);
  const text = renderRuns({ outcomes, isCompared: job.isCompared, skipped, files, hints, isShort: job.isMain },
    textStyle(output));
  return inLocale(text, output.env);
}
