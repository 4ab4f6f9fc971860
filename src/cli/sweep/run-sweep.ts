/** Runs `roce-cc sweep`: writes rows, a summary table and figures. */
import path from 'node:path';
import { isDigest } from '../../sweep/digest.js';
import { runSweep } from '../../sweep/run-sweep.js';
import type { SweepPlan, SweepRow } from '../../sweep/index.js';
import { Failures, EXIT_ERROR, EXIT_INTERRUPTED, EXIT_OK, type Output, writeOutOr } from '../output.js';
import { formatCountOf } from '../../view/format.js';
import { writeOrKeep, type Warn, makeFolderOf, requireWritable } from '../write-file.js';
import { printable } from '../printable.js';
import { openRedisRunner } from '../redis/redis-runner.js';
import { cancelOnInterrupt } from '../run/interrupt.js';
import { inLocale, textStyle } from '../terminal.js';
import { type SweepFlags, keepForOthers, openSweep, type OpenedSweep, requireRunnable } from './load-sweep.js';
import { csvOutput, jsonOutput, type RowOutput, SweepProgress } from './sweep-output.js';
import { maxMemoryOf, openRunner, withCache, workersOf, type Runner, type RunnerOptions } from './runner.js';
import { summaryCsv, summaryText } from './summary-text.js';
import type { FigureContext, WriteFigures } from './sweep-report.js';

const STANDARD_OUTPUT = '-';

/**
 * Runs a sweep and prints the results.
 *
 * @param version of the package; the cache of another version is not used.
 * @returns the exit code: 1 if a run failed, 130 if the user cancelled.
 * @throws RoceError and system errors, before anything runs.
 */
export async function runSweepCommand(file: string | undefined, flags: SweepFlags, output: Output,
  version: string): Promise<number> {
  const opened = await openSweep(file, flags);
  const { plan } = opened;
  if (flags.dryRun === true) return showPlan(plan, output);
  const figure = flags.figures === undefined ? undefined : path.join(flags.figures, 'figure.svg');
  for (const place of [flags.summary, flags.report, figure]) requirePlace(place);
  const workers = workersOf(flags, plan.runs.length);
  requireRunnable(plan, maxMemoryOf(flags) / workers);
  const writeFigures = await figureWriter(flags);
  const failures = new Failures();
  const outputs = await rowOutputs(plan, flags, output, failures.add);
  const progress = new SweepProgress(output.stderr, plan.sweep.name, plan.runs.length, isSilent(flags));
  const options = { flags, version, workers, warn: failures.add, onKnown: progress.addKnown };
  const runner = flags.redis === undefined ?
    openRunner(options) :
    await openFarRunner(flags.redis, options, opened, output);
  const interrupt = cancelOnInterrupt();
  interrupt.start();
  try {
    const rows = await collectRows(plan, { runner, signal: interrupt.signal, outputs, progress });
    await finish(plan, rows, { opened, flags, output, version, writeFigures, warn: failures.add });
    if (interrupt.signal.aborted) {
      output.stderr.write(`roce-cc: interrupted: ${progress.words()}. Repeat the command to continue.\n`);
    }
    const exitCode = failures.report(output);
    if (interrupt.signal.aborted) return EXIT_INTERRUPTED;
    return rows.every(({ outcome }) => isDigest(outcome)) ? exitCode : EXIT_ERROR;
  } finally {
    interrupt.stop();
    await runner.close();
  }
}

/** Opens a runner on Redis. Runs in the local cache are not sent to the queue. */
async function openFarRunner(url: string, options: RunnerOptions, opened: OpenedSweep,
  output: Output): Promise<Runner> {
  const say = (line: string): void => {
    if (options.flags.quiet !== true) output.stderr.write(`${printable(line)}\n`);
  };
  const runner = withCache(await openRedisRunner({ url, ...options, say }), options);
  say(await keepForOthers(opened, url));
  return runner;
}

interface Collecting {
  readonly runner: Runner;
  readonly signal: AbortSignal;
  readonly outputs: readonly RowOutput[];
  readonly progress: SweepProgress;
}

async function collectRows(plan: SweepPlan, { runner, signal, outputs, progress }: Collecting): Promise<SweepRow[]> {
  const rows: SweepRow[] = [];
  const onDone = ({ outcome }: SweepRow): void => {
    progress.add(!isDigest(outcome));
  };
  try {
    for await (const row of runSweep(plan, { ...runner, signal, onDone })) {
      rows.push(row);
      for (const one of outputs) await one.add(row);
    }
    return rows;
  } finally {
    progress.stop();
    for (const one of outputs) one.finish();
  }
}

async function rowOutputs(plan: SweepPlan, { csv, jsonl }: SweepFlags, output: Output,
  warn: Warn): Promise<RowOutput[]> {
  return [
    ...(csv === undefined ? [] : [await csvOutput(csv, plan, output, warn)]),
    ...(jsonl === undefined ? [] : [jsonOutput(jsonl, plan, output, warn)]),
  ];
}

function requirePlace(file: string | undefined): void {
  if (file === undefined) return;
  makeFolderOf(file);
  requireWritable(file);
}

/** Whether only errors, or only rows, are printed. */
function isSilent({ quiet, csv, jsonl }: SweepFlags): boolean {
  return quiet === true || csv === STANDARD_OUTPUT || jsonl === STANDARD_OUTPUT;
}

interface Finishing extends FigureContext {
  readonly output: Output;
  readonly writeFigures: WriteFigures | undefined;
}

/** Imported before anything runs: an update could replace it during a long sweep. */
async function figureWriter({ report, figures }: SweepFlags): Promise<WriteFigures | undefined> {
  return report === undefined && figures === undefined ? undefined : (await import('./sweep-report.js')).writeFigures;
}

async function finish(plan: SweepPlan, rows: readonly SweepRow[], finishing: Finishing): Promise<void> {
  const { flags, output, warn } = finishing;
  if (rows.length > 0 && flags.summary !== undefined) writeOrKeep(flags.summary, summaryCsv(plan, rows), warn);
  if (rows.length > 0) finishing.writeFigures?.(plan, rows, finishing);
  if (isSilent(flags) || rows.length === 0) return;
  const text = `${summaryText(plan, rows, textStyle(output)).slice(1).join('\n')}\n`;
  await writeOutOr(output.stdout, inLocale(text, output.env), (error) => {
    throw error;
  });
}

async function showPlan({ runs, axes, sweep }: SweepPlan, output: Output): Promise<number> {
  const [first] = runs;
  const points = (runs.at(-1)?.point ?? -1) + 1;
  const lines = [
    `${sweep.name}: ${formatCountOf(runs.length, 'run')}, ${formatCountOf(points, 'point')}`,
    ...(axes.length === 0 ? [] : [`axes: ${axes.join(', ')}`]),
    ...(first === undefined ? [] : [`first scenario: ${first.hash}`]),
  ];
  await writeOutOr(output.stdout, inLocale(`${lines.join('\n')}\n`, output.env), (error) => {
    throw error;
  });
  return EXIT_OK;
}
