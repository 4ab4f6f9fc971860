/**
 * `--substitute dcqcn=mine.js`: custom algorithms in the place of built-in ones, and with `congestion-point=mine.js` a custom congestion
 * point in the place of the built-in rule, with the scenario unchanged.
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

/** For commander, which passes those before. @throws InvalidArgumentError. */
export function collectSubstitute(text: string, before: readonly Substitute[]): Substitute[] {
  const at = text.indexOf('=');
  const [name, file] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (NAMES.includes(name) && isAlgorithmFile(file)) return [...before, { name, file }];
  throw new InvalidArgumentError(
    `Allowed: NAME=FILE with one of ${NAMES.join(', ')} and a file .js, .mjs, .ts, .mts or .wasm.`,
  );
}

/** By their names. @throws RoceError `invalid-algorithm`, naming the file. */
export async function loadSubstitutes(substitutes: readonly Substitute[]): Promise<Substitutes> {
  const loaded = await Promise.all(
    substitutes.map(async ({ name, file }) =>
      [name, await (name === POINT_SUBSTITUTE ? loadCongestionPoint(file) : loadAlgorithm(file))] as const
    ),
  );
  return Object.fromEntries(loaded);
}
