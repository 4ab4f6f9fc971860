/** `--substitute dcqcn=mine.js`: custom algorithms in the place of built-in ones, with the scenario unchanged. */
import { InvalidArgumentError } from 'commander';
import { ALGORITHMS } from '../../config/algorithms/registry.js';
import type { AlgorithmFiles } from './algorithms-of-scenario.js';
import { isAlgorithmFile, loadAlgorithm } from './load-algorithm.js';

export interface Substitute {
  /** Name of a built-in algorithm. */
  readonly name: string;
  readonly file: string;
}

/** For commander, which passes those before. @throws InvalidArgumentError. */
export function collectSubstitute(text: string, before: readonly Substitute[]): Substitute[] {
  const at = text.indexOf('=');
  const [name, file] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (Object.hasOwn(ALGORITHMS, name) && isAlgorithmFile(file)) return [...before, { name, file }];
  throw new InvalidArgumentError(
    `Allowed: NAME=FILE with one of ${Object.keys(ALGORITHMS).join(', ')} and a file .js, .mjs, .ts, .mts or .wasm.`,
  );
}

/** By the names of the built-in algorithms. @throws RoceError `invalid-algorithm`, naming the file. */
export async function loadSubstitutes(substitutes: readonly Substitute[]): Promise<AlgorithmFiles> {
  const loaded = await Promise.all(
    substitutes.map(async ({ name, file }) => [name, await loadAlgorithm(file)] as const),
  );
  return Object.fromEntries(loaded);
}
