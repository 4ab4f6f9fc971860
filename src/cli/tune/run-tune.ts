/** Runs `roce-cc tune`, which searches for the best set of parameters, and shows the result as text. */
import { RoceError } from '../../errors.js';
import type { RunOutcome, SweepExecutor } from '../../sweep/index.js';
import { describeMetric } from '../../sweep/metrics.js';
import type { AlgorithmFlag } from '../algorithms/load-algorithm.js';
import { formatCount, formatPlain } from '../../view/format.js';
import { readText } from '../read-text.js';
import { inputFile } from '../shipped-files.js';
import { Failures, EXIT_INTERRUPTED, type Output, writeOut } from '../output.js';
import { printable } from '../printable.js';
import { cancelOnInterrupt } from '../run/interrupt.js';
import { parseJson } from '../run/read-scenario.js';
import { readBase, underWord } from '../sweep/load-sweep.js';
import type { RunnerFlags } from '../sweep/runner-options.js';
import { openRunner, workersOf } from '../sweep/runner.js';
import { formatMetric } from '../sweep/summary-text.js';
import { inLocale, textStyle, heading, wrap, type TextStyle } from '../terminal.js';
import { table } from '../text-table.js';
import { writeOrKeep, makeFolderOf, requireWritable } from '../write-file.js';
import type { TuneResult } from './result-schema.js';
import { askTell, type Trial, search, type Found } from './search.js';
import { resultOf } from './tune-result.js';
import { parseTune } from './tune-spec.js';

/** Options of the command, as commander passes them. */
export interface TuneFlags extends RunnerFlags, AlgorithmFlag {
  readonly json?: string;
  readonly askTell?: boolean;
}

type Compared = TuneResult['compared'][number];

const STANDARD_OUTPUT = '-';
const NONE = '-';

/**
 * Searches, compares the best set with others, and prints the result.
 *
 * @returns the exit code: 1 if no candidate ran, 130 if the user cancelled.
 * @throws RoceError and system errors, before anything runs.
 */
export async function runTuneCommand(file: string, flags: TuneFlags, output: Output, version: string): Promise<number> {
  const { spec, base } = await loadTune(file, flags.algorithm);
  if (flags.json !== undefined && flags.json !== STANDARD_OUTPUT) {
    makeFolderOf(flags.json);
    requireWritable(flags.json);
  }
  const failures = new Failures();
  const interrupt = cancelOnInterrupt();
  const workers = workersOf(flags, Infinity);
  const runner = openRunner({ flags, version, workers, warn: failures.add, onKnown: () => undefined });
  const trial: Trial = {
    spec,
    base,
    execute: rememberingExecutor(runner.execute),
    atOnce: runner.atOnce,
    signal: interrupt.signal,
  };
  interrupt.start();
  try {
    if (flags.askTell === true) await askTell(trial, process.stdin, output);
    else await tune(trial, flags, output, failures);
    return failures.report(output);
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    output.stderr.write('roce-cc: interrupted. Repeat the command to continue.\n');
    return EXIT_INTERRUPTED;
  } finally {
    interrupt.stop();
    await runner.close();
  }
}

async function loadTune(file: string, algorithm: string | undefined): Promise<Pick<Trial, 'spec' | 'base'>> {
  const path = inputFile(file, 'tune');
  const given = parseJson(await readText(path), file);
  try {
    const spec = parseTune(given);
    return { spec, base: underWord(await readBase(spec.base, path), algorithm) };
  } catch (error) {
    if (!(error instanceof RoceError) || error.where.includes(file)) throw error;
    throw error.at(`${file}, ${error.where}`);
  }
}

async function tune(trial: Trial, flags: TuneFlags, output: Output, failures: Failures): Promise<void> {
  const isQuiet = flags.quiet === true || flags.json === STANDARD_OUTPUT;
  let [best, runs]: [Found | undefined, number] = [undefined, 0];
  for await (const generation of search(trial)) {
    ({ best, runs } = generation);
    if (isQuiet) continue;
    const { objective, violation } = best.score;
    const limits = violation > 0 ? ', beyond its limits' : '';
    output.stderr.write(
      printable(`${trial.spec.name}: ${runs} runs, best ${objective.toPrecision(5)}${limits}`) + '\n',
    );
  }
  if (best === undefined || !Number.isFinite(best.score.objective)) {
    throw new RoceError('invalid-sweep', { what: 'every candidate', problem: 'failed', where: 'tune.parameters' });
  }
  await show(await resultOf(best, runs, trial), flags, output, failures);
}

async function show(result: TuneResult, flags: TuneFlags, output: Output, failures: Failures): Promise<void> {
  const json = `${JSON.stringify(result, undefined, 2)}\n`;
  if (flags.json === STANDARD_OUTPUT) await writeOut(output.stdout, json);
  else if (flags.json !== undefined) writeOrKeep(flags.json, json, failures.add);
  if (flags.quiet === true || flags.json === STANDARD_OUTPUT) return;
  await writeOut(output.stdout, inLocale(`${tuneText(result, textStyle(output)).join('\n')}\n`, output.env));
}

/** Remembers the runs of a command, so that rungs and comparisons reuse them even without a cache. */
export function rememberingExecutor(execute: SweepExecutor): SweepExecutor {
  const known = new Map<string, Promise<RunOutcome>>();
  return (job, run) => {
    let outcome = known.get(run.hash);
    if (outcome === undefined) {
      outcome = execute(job, run);
      known.set(run.hash, outcome);
    }
    return outcome;
  };
}

/** The result as text. */
function tuneText(result: TuneResult, style: TextStyle): string[] {
  const { name, minimise, runs, best, beatsAllHeldOut } = result;
  return [
    ...heading(`roce-cc tune: ${name}`, style).slice(1),
    ...wrap(
      `Lowest ${describeMetric(minimise).title} found in ${
        formatCount(runs)
      } runs: geometric mean over cases and seeds.`,
      style,
    ),
    '',
    ...table([{ head: 'parameter', align: 'left' }, { head: 'found' }, { head: 'a tenth lower' }, {
      head: 'a tenth higher',
    }], Object.entries(best).map(([path, value], index) => [
      result.sensitivity[index]?.parameter ?? path,
      typeof value === 'number' ? String(value) : JSON.stringify(value),
      ratioText(result.sensitivity[index]?.lower ?? null),
      ratioText(result.sensitivity[index]?.higher ?? null),
    ])),
    ...wrap('Lower and higher: the metric if only that parameter is changed by a tenth of its range.', style),
    ...heading('Compared with other sets', style),
    ...comparedTable(result),
    ...(beatsAllHeldOut === null ? [] : wrap(beatsAllHeldOut ?
      'It beats all other sets on the held-out cases.' :
      'It does not beat all other sets on the held-out cases.', style)),
    ...settingsText(result, style),
  ];
}

function ratioText(ratio: number | null): string {
  return ratio === null ? NONE : `× ${formatPlain(ratio)}`;
}

function comparedTable({ compared, minimise }: TuneResult): string[] {
  const held = Object.keys(compared[0]?.heldOut ?? {});
  const columns = [{ head: 'set', align: 'left' as const }, { head: 'tuned on' }, ...held.map((head) => ({ head }))];
  return table(columns, compared.map(({ name, tuned, heldOut }) => [
    name,
    scoreText(tuned, minimise),
    ...held.map((label) => scoreText(heldOut[label], minimise)),
  ]));
}

function scoreText(score: Compared['tuned'] | undefined, metric: string): string {
  if (score === undefined || score.objective === null) return 'no result';
  return `${formatMetric(metric, score.objective)}${score.violation === 0 ? '' : ' (exceeds limits)'}`;
}

function settingsText({ settings }: TuneResult, style: TextStyle): string[] {
  if (settings === null) return [];
  const { mlxconfig, irdma } = settings;
  return [
    ...heading('Adapter settings', style),
    ...wrap(`mlxconfig: ${mlxconfig.lines.join(' ')}`, style),
    ...mlxconfig.notes.flatMap(({ text }) => wrap(`- ${text}`, style, 4)),
    ...irdma.lines.flatMap((line) => wrap(`irdma: ${line}`, style)),
    ...irdma.notes.flatMap(({ text }) => wrap(`- ${text}`, style, 4)),
  ];
}
