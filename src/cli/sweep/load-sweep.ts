/** Reads sweeps and the scenarios that they are based on, and selects single runs. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { RoceError } from '../../errors.js';
import { parseSweep } from '../../sweep/check-sweep.js';
import { checkMetric } from '../../sweep/metrics.js';
import { planSweep, type SweepPlan } from '../../sweep/plan.js';
import type { SweepSpec } from '../../sweep/index.js';
import { algorithmOfWord } from '../algorithms/algorithm-words.js';
import { underAlgorithm, withSourceHashesOfFiles } from '../algorithms/algorithms-of-scenario.js';
import { readText } from '../read-text.js';
import { inputFile } from '../shipped-files.js';
import { parseJson, readReference, readScenario, type ReadScenario } from '../run/read-scenario.js';

/** Names one run of a sweep, by the hash of its scenario: `sweep.json#0123456789abcdef`. */
const RUN_PATTERN = /^([^]+)#([0-9a-f]{16})$/;

/** A sweep with its base scenario inlined, and its runs. */
export interface LoadedSweep {
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
export async function loadSweep(file: string, changes: SweepChanges = {}): Promise<LoadedSweep> {
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
    const { spec, folder } = await readScenario(besideSweep(base, sweepFile));
    return withSourceHashesOfFiles(spec, folder);
  }
  const reference = (base as { readonly reference?: unknown } | null)?.reference;
  if (typeof reference !== 'string') return withSourceHashesOfFiles(base, path.dirname(sweepFile));
  return (await readReference(besideSweep(reference, sweepFile))).spec;
}

function besideSweep(name: string, sweepFile: string): string {
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
