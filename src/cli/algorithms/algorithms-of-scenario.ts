/** The files of custom algorithms that a scenario names, loaded, and scenarios in which one takes the place of all others. */
import path from 'node:path';
import type { CustomAlgorithm } from '../../config/algorithms/custom/custom-algorithm.js';
import { hashOfFile, loadAlgorithm } from './load-algorithm.js';

/** Custom algorithms by the path in the scenario. */
export type AlgorithmFiles = Readonly<Record<string, CustomAlgorithm>>;

interface NamedFile {
  readonly file?: unknown;
}

/**
 * The scenario with absolute paths of its algorithms, so that it runs from any folder, and the algorithms by these paths.
 *
 * @param spec anything read from JSON.
 * @param folder where relative paths begin.
 * @throws RoceError `invalid-algorithm`, naming the file; errors of the system.
 */
export async function withAlgorithms(spec: unknown,
  folder: string): Promise<{ readonly spec: unknown; readonly algorithmFiles: AlgorithmFiles }> {
  const named = filesOf(spec).map(([name, file]) => [name, path.resolve(folder, file)] as const);
  if (named.length === 0) return { spec, algorithmFiles: {} };
  const loaded = await Promise.all(
    [...new Set(named.map(([, file]) => file))].map(async (file) => [file, await loadAlgorithm(file)] as const),
  );
  const algorithms = (spec as { readonly algorithms: Readonly<Record<string, object>> }).algorithms;
  const absolute = named.map(([name, file]) => [name, { ...algorithms[name], file }] as const);
  return {
    spec: { ...(spec as object), algorithms: { ...algorithms, ...Object.fromEntries(absolute) } },
    algorithmFiles: Object.fromEntries(loaded),
  };
}

/** The scenario with absolute paths of its algorithms, and the hash of each file: what runs must be that code. */
export function withSourceHashesOfFiles<Spec>(spec: Spec, folder = '.'): Spec {
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
