/** `roce-cc run`: from arguments to tables, charts and files. */
import { RoceError } from '../../errors.js';
import { MAIN_JOB } from '../example-scenarios.js';
import { EXIT_INTERRUPTED, EXIT_OK, type Output } from '../output.js';
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
import { writeInto, writeRunFiles, type FileFlags } from './write-files.js';

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
}

/** What the main job writes unless told otherwise. */
export const MAIN_JOB_REPORT = 'roce-cc-report.html';
const STANDARD_OUTPUT = '-';

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
  const interrupt = cancelOnInterrupt();
  const isSilent = flags.quiet === true || flags.json === STANDARD_OUTPUT;
  const outcomes = await runAll(checked, {
    signal: interrupt.signal,
    stderr: output.stderr,
    isQuiet: isSilent,
    pcap: flags.pcap,
  })
    .finally(() => {
      interrupt.stop();
    });
  const files = await writeAll(outcomes, job, flags, output, version);
  if (!isSilent) print(outcomes, loaded, job, files, output);
  return interrupt.signal.aborted ? EXIT_INTERRUPTED : EXIT_OK;
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
  const prepared = withSource(source, () => simulator.prepare(spec));
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

async function writeAll(outcomes: readonly Outcome[], job: Job, flags: RunFlags, { stdout }: Output,
  version: string): Promise<WrittenFile[]> {
  if (flags.json === STANDARD_OUTPUT) { for (const result of resultsOf(outcomes)) stdout.write(resultToJson(result)); }
  const { json, ...others } = flags;
  const files = await writeRunFiles(outcomes,
    json === STANDARD_OUTPUT || json === undefined ? others : { ...others, json });
  if (job.report === undefined || outcomes.length === 0) return files;
  const commands = runCommands(outcomes, {
    isMain: job.isMain,
    isCompared: job.isCompared,
    changes: changesOf(flags),
    seed: flags.seed,
  });
  const assets = { script: PAGE_SCRIPT, style: PAGE_STYLE, version, commands };
  await writeInto(job.report, reportHtml(resultsOf(outcomes), assets));
  return [...files, { what: 'report', file: job.report }];
}

function print(outcomes: readonly Outcome[], loaded: readonly LoadedScenario[], job: Job, files: readonly WrittenFile[],
  output: Output): void {
  const program = process.env.npm_lifecycle_event === 'start' ? 'npm start --' : 'roce-cc';
  const hints = job.isMain ? [`Your own: ${program} run FILE.json   Options: ${program} run --help`] : [];
  const skipped = loaded.slice(outcomes.length).map(({ name }) => name);
  const text = renderRuns({ outcomes, isCompared: job.isCompared, skipped, files, hints, isShort: job.isMain },
    textStyle(output));
  output.stdout.write(inLocale(text, output.env));
}
