/** Runs `roce-cc tune`, which searches for the best set of parameters. */
import { RoceError } from '../../errors.js';
import type { RunOutcome, SweepExecutor } from '../../sweep/index.js';
import type { AlgorithmFlag } from '../algorithms/algorithm-option.js';
import { Failures, EXIT_INTERRUPTED, type Output, writeOut } from '../output.js';
import { writeOrKeep, makeFolderOf, requireWritable } from '../write-file.js';
import { printable } from '../printable.js';
import { readText, inputFile } from '../input-files.js';
import { cancelOnInterrupt } from '../run/interrupt.js';
import { parseJson } from '../run/read-scenario.js';
import { readBase, underWord } from '../sweep/load-sweep.js';
import type { RunnerFlags } from '../sweep/runner-options.js';
import { openRunner, workersOf } from '../sweep/runner.js';
import { inLocale, textStyle } from '../terminal.js';
import { askTell, type Trial, search, type Found } from './search.js';
import type { TuneResult } from './result-schema.js';
import { resultOf } from './tune-result.js';
import { parseTune } from './tune-spec.js';
import { tuneText } from './tune-text.js';

/** Options of the command, as commander passes them. */
export interface TuneFlags extends RunnerFlags, AlgorithmFlag {
  readonly json?: string;
  readonly askTell?: boolean;
}

const STANDARD_OUTPUT = '-';

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
