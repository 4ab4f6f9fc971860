/** Runs experiments of uet-htsim with `roce-cc run`: prints a table, and writes numbers as CSV or JSON. */
import path from 'node:path';
import { RoceError } from '../../errors.js';
import { uetFlowsToCsv, uetMessagesToCsv, type UetResult } from '../../uet/results.js';
import { runUetReference } from '../../uet/run-uet-reference.js';
import { formatCount, formatDuration } from '../../view/format.js';
import { Failures, type Output, writeOut } from '../output.js';
import { writeOrKeep, type Warn, makeFolderOf } from '../write-file.js';
import { readTextSync } from '../read-text.js';
import { inLocale, textStyle } from '../terminal.js';
import { fittingTables } from '../text-table.js';
import { parseJson } from './read-scenario.js';
import type { RunFlags } from './run-job.js';
import { isUetFile } from './uet-option.js';

/** A run: its name in the table, its arguments, and the folder of the files that they name. */
interface UetRun {
  readonly name: string;
  readonly argv: readonly string[];
  readonly folder: string;
}

/** Options that apply to such runs; all others are rejected. */
const OPTIONS: readonly (keyof RunFlags)[] = ['reference', 'referenceArgv', 'csv', 'json', 'quiet'];
const STANDARD_OUTPUT = '-';
/** Column heads, in the order of `figuresOf`. */
const HEADS = ['finished', 'FCT mean', 'FCT max', 'packets', 'retransmitted', 'trims', 'NACKs', 'marks', 'timeouts'];

/**
 * Runs each `--reference` and the `--reference-argv`, and shows the results.
 * @returns the exit code.
 * @throws RoceError and system errors; wrong options are reported before the first run.
 */
export async function runUet(scenarios: readonly string[], flags: RunFlags, output: Output): Promise<number> {
  requireOptions(scenarios, flags);
  const runs = runsOf(flags);
  const results = runs.map((run) => ({ run, result: resultOf(run) }));
  const failures = new Failures();
  for (const { run, result } of results) {
    for (const { file, content } of filesOf(run, result, { flags, runCount: runs.length })) {
      write(file, content, failures.add);
    }
  }
  if (flags.json === STANDARD_OUTPUT) await writeOut(output.stdout, jsonOf(results.map(({ result }) => result)));
  else if (flags.quiet !== true) {
    const lines = summaryOf(results, textStyle(output).tableColumns);
    await writeOut(output.stdout, inLocale(`${lines.join('\n')}\n`, output.env));
  }
  return failures.report(output);
}

/** Rejects other options. Empty lists, and `report: true`, are commander's defaults and count as not given. */
function requireOptions(scenarios: readonly string[], flags: RunFlags): void {
  const isGiven = (value: unknown): boolean =>
    value !== undefined && value !== true && (!Array.isArray(value) || value.length > 0);
  const other = Object.entries(flags).find(([name, value]) =>
    !OPTIONS.includes(name as keyof RunFlags) && (isGiven(value) || (value === true && name !== 'report'))
  );
  const got = scenarios[0] ?? flags.reference.find((file) => !isUetFile(file)) ?? (other && optionOf(other[0]));
  if (got === undefined) return;
  const allowed = '--csv, --json or --quiet, or another run of uet-htsim';
  throw new RoceError('invalid-argument', { what: 'an argument next to a run of uet-htsim', got, allowed });
}

function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function runsOf({ reference, referenceArgv }: RunFlags): UetRun[] {
  const runs = reference.map((file) => ({
    name: path.basename(path.dirname(path.resolve(file))),
    argv: argvOf(file),
    folder: path.dirname(file),
  }));
  if (referenceArgv === undefined) return runs;
  return [...runs, { name: 'htsim_uec', argv: referenceArgv.split(/\s+/).filter((word) => word !== ''), folder: '.' }];
}

function argvOf(file: string): string[] {
  const run = parseJson(readTextSync(file), file);
  const argv: unknown = typeof run === 'object' && run !== null && 'argv' in run ? run.argv : undefined;
  if (Array.isArray(argv) && argv.every((word) => typeof word === 'string')) return argv;
  throw new RoceError('invalid-scenario', { what: 'argv', got: argv, allowed: 'a list of strings', where: file });
}

/** Runs the experiment; adds the run's name to errors. */
function resultOf({ name, argv, folder }: UetRun): UetResult {
  try {
    return runUetReference(argv, (file) => readTextSync(path.resolve(folder, file)));
  } catch (error) {
    throw error instanceof RoceError ? error.at([name, error.where].filter(Boolean).join(', ')) : error;
  }
}

function write(file: string, content: string, warn: Warn): void {
  makeFolderOf(file);
  writeOrKeep(file, content, warn);
}

function* filesOf({ name }: UetRun, result: UetResult,
  { flags: { csv, json }, runCount }: { readonly flags: RunFlags; readonly runCount: number }
): Generator<
  { readonly file: string; readonly content: string }
> {
  if (csv !== undefined) {
    const folder = runCount === 1 ? csv : path.join(csv, name);
    yield { file: path.join(folder, 'uet-flows.csv'), content: uetFlowsToCsv(result) };
    if (result.messages.length > 0) {
      yield { file: path.join(folder, 'uet-messages.csv'), content: uetMessagesToCsv(result) };
    }
  }
  if (json === undefined || json === STANDARD_OUTPUT) return;
  const { dir, name: base, ext } = path.parse(json);
  const file = runCount === 1 ? json : path.join(dir, `${base}-${name}${ext}`);
  yield { file, content: jsonOf([result]) };
}

/** JSON of a single result, or of a list of several. */
function jsonOf(results: readonly UetResult[]): string {
  return `${JSON.stringify(results.length === 1 ? results[0] : results, null, 2)}\n`;
}

function summaryOf(results: readonly { readonly run: UetRun; readonly result: UetResult }[],
  columns: number | undefined): string[] {
  const rows = results.map(({ run, result }) => ({ repeated: [run.name], spread: figuresOf(result) }));
  const heads = HEADS.map((head) => ({ head }));
  return fittingTables([{ head: 'run', align: 'left' }], heads, rows, columns).flatMap((lines) => ['', ...lines])
    .concat('');
}

/** A flow's completion time (FCT) is from its start to the last ACK that it needs. */
function figuresOf({ flows, totals }: UetResult): string[] {
  const times = flows.filter(({ finish_ps: finishPs }) => finishPs >= 0)
    .map(({ start_ps: startPs, finish_ps: finishPs }) => finishPs - startPs);
  const mean = times.reduce((sum, timePs) => sum + timePs, 0) / times.length;
  const shown = (timePs: number): string => (times.length === 0 ? '-' : formatDuration(timePs));
  return [
    `${totals.completed} of ${totals.flows}`,
    shown(mean),
    shown(times.reduce((most, timePs) => Math.max(most, timePs), 0)),
    ...[totals.new_pkts, totals.rtx_pkts, totals.trims, totals.nacks, totals.ecn_marks, totals.timeouts].map((count) =>
      formatCount(count)
    ),
  ];
}
