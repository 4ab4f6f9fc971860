/** Loads the custom congestion points that a scenario names, for all switches or in overrides. */
import path from 'node:path';
import type { CustomCongestionPoint } from '../../config/congestion-points/custom-congestion-point.js';
import { hashOfFile, loadCongestionPoint } from './load-algorithm.js';

/** Custom congestion points, by their path in the scenario. */
export type PointFiles = Readonly<Record<string, CustomCongestionPoint>>;

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
export function withPointHashes<Spec>(spec: Spec, folder: string): Spec {
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
