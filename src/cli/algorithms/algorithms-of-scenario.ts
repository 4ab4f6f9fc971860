/** Loads the custom algorithms and congestion points that a scenario names, and replaces all its algorithms by one. */
import path from 'node:path';
import type { CustomAlgorithm } from '../../config/algorithms/custom/custom-algorithm.js';
import type { CustomCongestionPoint } from '../../config/custom-congestion-point.js';
import { hashOfFile, loadAlgorithm, loadCongestionPoint } from './load-algorithm.js';

/** Custom algorithms, by their path in the scenario. */
export type AlgorithmFiles = Readonly<Record<string, CustomAlgorithm>>;

interface NamedFile {
  readonly file?: unknown;
}

/** A scenario with absolute paths, and the algorithms and congestion points loaded from these paths. */
export interface ScenarioWithFiles {
  readonly spec: unknown;
  readonly algorithmFiles: AlgorithmFiles;
  readonly congestionPointFiles: PointFiles;
}

/**
 * Makes the paths of algorithms and congestion points absolute, so that the scenario runs from any folder, and loads
 * the files.
 *
 * @param given anything read from JSON.
 * @param folder base folder of relative paths.
 * @throws RoceError `invalid-algorithm`, naming the file; system errors.
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

/** Makes paths absolute and adds the hash of each file, so that a run elsewhere can check that it has the same code. */
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

/** Replaces each parameter set of the scenario by one of this algorithm, with default parameters. */
export function underAlgorithm(spec: unknown,
  algorithm: { readonly file: string } | { readonly preset: string }): unknown {
  if (typeof spec !== 'object' || spec === null) return spec;
  const { algorithms } = spec as { readonly algorithms?: unknown };
  const names = Object.keys(Object(algorithms) as object);
  const all = names.length === 0 ? ['default'] : names;
  return { ...spec, algorithms: Object.fromEntries(all.map((name) => [name, { ...algorithm }])) };
}

/** Custom congestion points, by their path in the scenario. */
type PointFiles = Readonly<Record<string, CustomCongestionPoint>>;

/** A scenario's congestion point entry that names a file. */
type Entry = Readonly<Record<string, unknown>> & { readonly file: string };

/**
 * Makes the paths of congestion points absolute, and loads the files.
 *
 * @param spec anything read from JSON.
 * @param folder base folder of relative paths.
 * @throws RoceError `invalid-algorithm`, naming the file; system errors.
 */
export async function withPoints(spec: unknown,
  folder: string): Promise<{ readonly spec: unknown; readonly congestionPointFiles: PointFiles }> {
  const files = new Set<string>();
  const absolute = withEntries(spec, (entry) => {
    const file = path.resolve(folder, entry.file);
    files.add(file);
    return { ...entry, file };
  });
  const loaded = await Promise.all([...files].map(async (file) => [file, await loadCongestionPoint(file)] as const));
  return { spec: absolute, congestionPointFiles: Object.fromEntries(loaded) };
}

/** Makes the paths of congestion points absolute, and adds the hash of each file. */
function withPointHashes<Spec>(spec: Spec, folder: string): Spec {
  return withEntries(spec, (entry) => {
    const file = path.resolve(folder, entry.file);
    return { sourceHash: hashOfFile(file), ...entry, file };
  });
}

/** Applies `change` to each entry that names a file; anything that is not a scenario is returned unchanged. */
function withEntries<Spec>(spec: Spec, change: (entry: Entry) => Entry): Spec {
  const ofSwitch = (settings: unknown): unknown => {
    const { congestionPoint } = Object(settings) as { readonly congestionPoint?: unknown };
    return isEntry(congestionPoint) ? { ...settings as object, congestionPoint: change(congestionPoint) } : settings;
  };
  const { switches, overrides } = Object(spec) as { readonly switches?: unknown; readonly overrides?: unknown };
  if (switches === undefined && !Array.isArray(overrides)) return spec;
  const ofOverride = (one: unknown): unknown => {
    const own = Object(one) as { readonly switch?: unknown };
    return own.switch === undefined ? one : { ...own, switch: ofSwitch(own.switch) };
  };
  return {
    ...spec,
    ...(switches !== undefined && { switches: ofSwitch(switches) }),
    ...(Array.isArray(overrides) && { overrides: overrides.map(ofOverride) }),
  };
}

function isEntry(value: unknown): value is Entry {
  return typeof (Object(value) as { readonly file?: unknown }).file === 'string';
}
