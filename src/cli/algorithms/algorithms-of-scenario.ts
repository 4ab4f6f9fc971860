/**
 * The files of custom algorithms and congestion points that a scenario names, loaded, and scenarios in which one algorithm takes the
 * place of all others.
 */
import path from 'node:path';
import type { CustomAlgorithm } from '../../config/algorithms/custom/custom-algorithm.js';
import { hashOfFile, loadAlgorithm } from './load-algorithm.js';
import { withPointHashes, withPoints, type PointFiles } from './points-of-scenario.js';

/** Custom algorithms by the path in the scenario. */
export type AlgorithmFiles = Readonly<Record<string, CustomAlgorithm>>;

interface NamedFile {
  readonly file?: unknown;
}

/** A scenario with absolute paths, and what its files define, by these paths. */
export interface ScenarioWithFiles {
  readonly spec: unknown;
  readonly algorithmFiles: AlgorithmFiles;
  readonly congestionPointFiles: PointFiles;
}

/**
 * The scenario with absolute paths of its algorithms and congestion points, so that it runs from any folder, and both by these paths.
 *
 * @param given anything read from JSON.
 * @param folder where relative paths begin.
 * @throws RoceError `invalid-algorithm`, naming the file; errors of the system.
 */
export async function withAlgorithms(given: unknown, folder: string): Promise<ScenarioWithFiles> {
  const { spec, congestionPointFiles } = await withPoints(given, folder);
  const named = filesOf(spec).map(([name, file]) => [name, path.resolve(folder, file)] as const);
  if (named.length === 0) return { spec, algorithmFiles: {}, congestionPointFiles };
  const loaded = await Promise.all(
    [...new Set(named.map(([, file]) => file))].map(async (file) => [file, await loadAlgorithm(file)] as const),
  );
  const algorithms = (spec as { readonly algorithms: Readonly<Record<string, object>> }).algorithms;
  const absolute = named.map(([name, file]) => [name, { ...algorithms[name], file }] as const);
  return {
    spec: { ...(spec as object), algorithms: { ...algorithms, ...Object.fromEntries(absolute) } },
    algorithmFiles: Object.fromEntries(loaded),
    congestionPointFiles,
  };
}

/** The scenario with absolute paths of its files, and the hash of each: what runs must be that code. */
export function withSourceHashesOfFiles<Spec>(given: Spec, folder = '.'): Spec {
  const spec = withPointHashes(given, folder);
  const named = filesOf(spec);
  if (named.length === 0) return spec;
  const { algorithms } = spec as { readonly algorithms: Readonly<Record<string, object>> };
  const all = named.map(([name, given]) => {
    const file = path.resolve(folder, given);
    return [name, { sourceHash: hashOfFile(file), ...algorithms[name], file }] as const;
  });
  return { ...spec, algorithms: { ...algorithms, ...Object.fromEntries(all) } };
}

/** Entries of `algorithms` that name a file. */
function filesOf(spec: unknown): (readonly [name: string, file: string])[] {
  const { algorithms } = Object(spec) as { readonly algorithms?: unknown };
  return Object.entries(Object(algorithms) as Readonly<Record<string, NamedFile | null>>).flatMap(([name, one]) =>
    typeof one?.file === 'string' ? [[name, one.file] as const] : []
  );
}

/** The scenario under another algorithm: each parameter set becomes one of it, with its defaults. */
export function underAlgorithm(spec: unknown,
  algorithm: { readonly file: string } | { readonly preset: string }): unknown {
  if (typeof spec !== 'object' || spec === null) return spec;
  const { algorithms } = spec as { readonly algorithms?: unknown };
  const names = Object.keys(Object(algorithms) as object);
  const all = names.length === 0 ? ['default'] : names;
  return { ...spec, algorithms: Object.fromEntries(all.map((name) => [name, { ...algorithm }])) };
}
