/**
 * Reads the sweep of a command, from its file or from Redis, with the scenario that it is based on; selects single
 * runs.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { RoceError } from '../../errors.js';
import { compileScenario } from '../../sim/compile/compile-scenario.js';
import { requireMemory } from '../../sim/compile/estimates.js';
import { validateScenario } from '../../sim/scenario/validate.js';
import { parseSweep } from '../../sweep/check-sweep.js';
import type { SweepPlan, SweepSpec, PlannedRun } from '../../sweep/index.js';
import { checkMetric } from '../../sweep/metrics.js';
import { planSweep } from '../../sweep/plan.js';
import { algorithmOfWord, type AlgorithmFlag } from '../algorithms/load-algorithm.js';
import { underAlgorithm, withSourceHashesOfFiles } from '../algorithms/algorithms-of-scenario.js';
import { readText } from '../read-text.js';
import { inputFile } from '../shipped-files.js';
import { keepSweep, readKeptSweep } from '../redis/connection.js';
import { parseJson, readReference, readScenario, type ReadScenario } from '../run/read-scenario.js';
import type { RunnerFlags } from './runner-options.js';

/** Options of the command, as commander passes them. */
export interface SweepFlags extends RunnerFlags, AlgorithmFlag {
  readonly csv?: string;
  readonly jsonl?: string;
  readonly summary?: string;
  readonly report?: string;
  readonly figures?: string;
  readonly dryRun?: boolean;
  /** Metrics of table, rows and figures; overrides those in the file. */
  readonly metrics?: readonly string[];
  /** URL of a Redis server that replaces worker threads. */
  readonly redis?: string;
  /** Name of a sweep stored in Redis; true: the only one. */
  readonly attach?: string | true;
}

/** Names one run of a sweep, by the hash of its scenario: `sweep.json#0123456789abcdef`. */
const RUN_PATTERN = /^([^]+)#([0-9a-f]{16})$/;

/** A sweep with its base scenario inlined, and its runs. */
interface LoadedSweep {
  readonly plan: SweepPlan;
  readonly whole: SweepSpec;
}

/** Changes of a sweep by command-line options. */
interface SweepChanges {
  readonly algorithm?: string | undefined;
  /** Overrides the metrics in the file. */
  readonly metrics?: readonly string[] | undefined;
}

/** Reads a sweep and enumerates its runs. @throws RoceError and system errors, which name the file. */
async function loadSweep(file: string, changes: SweepChanges = {}): Promise<LoadedSweep> {
  const path = inputFile(file, 'sweep');
  return sweepOf(await readText(path), file, path, changes);
}

/**
 * Loads a sweep from its JSON text.
 *
 * @param file its name in errors.
 * @param path the sweep's path, next to which the base scenario is looked up.
 */
export async function sweepOf(text: string, file: string, path = file,
  { algorithm, metrics }: SweepChanges = {}): Promise<LoadedSweep> {
  const given = parseJson(text, file);
  metrics?.forEach((metric) => {
    checkMetric(metric, '--metrics');
  });
  try {
    const sweep = { ...parseSweep(given), ...(metrics !== undefined && { metrics }) };
    const base = underWord(await readBase(sweep.base, path), algorithm);
    return { plan: planSweep(sweep, base), whole: { ...sweep, base } };
  } catch (error) {
    if (!(error instanceof RoceError) || error.where.includes(file)) throw error;
    throw error.at(`${file}, ${error.where}`);
  }
}

/** Replaces the scenario's algorithms by that of `--algorithm`. */
export function underWord(base: unknown, algorithm: string | undefined): unknown {
  return algorithm === undefined ? base : withSourceHashesOfFiles(underAlgorithm(base, algorithmOfWord(algorithm)));
}

/**
 * Reads the base scenario: given inline, a file next to the sweep, a shipped file, or a config of the reference
 * simulator.
 */
export async function readBase(base: unknown, sweepFile: string): Promise<unknown> {
  if (typeof base === 'string') {
    const { spec, folder } = await readScenario(relativeToSweep(base, sweepFile));
    return withSourceHashesOfFiles(spec, folder);
  }
  const reference = (base as { readonly reference?: unknown } | null)?.reference;
  if (typeof reference !== 'string') return withSourceHashesOfFiles(base, path.dirname(sweepFile));
  return (await readReference(relativeToSweep(reference, sweepFile))).spec;
}

function relativeToSweep(name: string, sweepFile: string): string {
  const neighbour = path.resolve(path.dirname(sweepFile), name);
  return existsSync(neighbour) ? neighbour : name;
}

/**
 * The scenario of a single run, if `source` names one.
 *
 * @throws RoceError `invalid-argument` if the sweep has no such run.
 */
export async function readRunOfSweep(source: string): Promise<ReadScenario | undefined> {
  const [, file, hash] = existsSync(source) ? [] : (RUN_PATTERN.exec(source) ?? []);
  if (file === undefined) return undefined;
  const { plan: { runs } } = await loadSweep(file);
  const run = runs.find((one) => one.hash === hash);
  if (run !== undefined)
    return {
      source,
      isReference: false,
      spec: run.scenario,
      graphs: {},
      folder: path.dirname(inputFile(file, 'sweep')),
    };
  const allowed = `the hash of one of its ${runs.length} runs, from the column scenario of its rows`;
  throw new RoceError('invalid-argument', { what: 'the run', got: hash, allowed, where: file });
}

export interface OpenedSweep extends LoadedSweep {
  /** Arguments of the command that repeats the sweep. */
  readonly source: readonly string[];
  /** Path of its file; undefined if it came from Redis. */
  readonly file: string | undefined;
}

/** Opens a command's sweep. @throws RoceError and system errors, before anything runs. */
export async function openSweep(file: string | undefined,
  { attach, redis, algorithm, metrics }: SweepFlags): Promise<OpenedSweep> {
  const changes = { algorithm, metrics };
  const asked = metrics === undefined ? [] : ['--metrics', metrics.join(',')];
  if (file !== undefined) return { ...await loadSweep(file, changes), source: [file, ...asked], file };
  const { name, text } = await readKeptSweep(redis ?? '', attach === true ? undefined : attach);
  const loaded = await sweepOf(text, `sweep ${name}`, undefined, { metrics });
  return { ...loaded, source: ['--attach', name, '--redis', 'URL', ...asked], file };
}

/** Stores the sweep in Redis, so that others can continue it. @returns a line that explains how. */
export async function keepForOthers({ whole }: LoadedSweep, redis: string): Promise<string> {
  return `roce-cc sweep --attach ${await keepSweep(redis, whole)} --redis URL continues it from anywhere.`;
}

/** Maximum number of runs that are tried to find one that can run. */
const TRIED_MAX = 8;

/**
 * Rejects a sweep before it starts if none of its runs can run, for example because of a misspelt parameter or too
 * little memory.
 *
 * @throws the RoceError of the first run, if none of the runs tried across the sweep could run.
 */
export function requireRunnable({ runs }: SweepPlan, maxMemoryBytes: number): void {
  let first: RoceError | undefined;
  for (const run of spread(runs)) {
    try {
      const valid = validateScenario(run.scenario);
      requireMemory(valid, maxMemoryBytes);
      if (valid.uet === null) compileScenario(valid);
      return;
    } catch (error) {
      if (!(error instanceof RoceError)) throw error;
      first ??= error;
    }
  }
  if (first !== undefined) throw first.at(`run ${runs[0].index}, ${first.where}`);
}

function* spread(runs: readonly PlannedRun[]): Generator<PlannedRun> {
  const count = Math.min(TRIED_MAX, runs.length);
  for (let nth = 0; nth < count; nth++) {
    yield runs[count === 1 ? 0 : Math.round((nth * (runs.length - 1)) / (count - 1))];
  }
}
