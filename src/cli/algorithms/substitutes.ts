/**
 * The `--substitute dcqcn=mine.js` option: runs an unchanged scenario with a custom algorithm instead of a built-in
 * one, or, with `congestion-point=mine.js`, with a custom congestion point instead of the built-in rule.
 */
import { InvalidArgumentError } from 'commander';
import { ALGORITHMS } from '../../config/algorithms/registry.js';
import { POINT_SUBSTITUTE } from '../../config/congestion-points/custom-congestion-point.js';
import type { ScenarioFiles } from '../../sim/scenario/graph-finder.js';
import { isAlgorithmFile, loadAlgorithm, loadCongestionPoint } from './load-algorithm.js';

const NAMES: readonly string[] = [...Object.keys(ALGORITHMS), POINT_SUBSTITUTE];

export type Substitutes = NonNullable<ScenarioFiles['substitutes']>;

export interface Substitute {
  /** Name of a built-in algorithm, or `congestion-point`. */
  readonly name: string;
  readonly file: string;
}

/** Argument parser for commander, which passes the values given before. @throws InvalidArgumentError. */
export function collectSubstitute(text: string, before: readonly Substitute[]): Substitute[] {
  const at = text.indexOf('=');
  const [name, file] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (NAMES.includes(name) && isAlgorithmFile(file)) return [...before, { name, file }];
  throw new InvalidArgumentError(
    `Allowed: NAME=FILE with one of ${NAMES.join(', ')} and a file .js, .mjs, .ts, .mts or .wasm.`,
  );
}

/** Loads the files, keyed by the algorithm's name. @throws RoceError `invalid-algorithm`, naming the file. */
export async function loadSubstitutes(substitutes: readonly Substitute[]): Promise<Substitutes> {
  const loaded = await Promise.all(
    substitutes.map(async ({ name, file }) =>
      [name, await (name === POINT_SUBSTITUTE ? loadCongestionPoint(file) : loadAlgorithm(file))] as const
    ),
  );
  return Object.fromEntries(loaded);
}
