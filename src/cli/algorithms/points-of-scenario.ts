/** The files of custom congestion points that a scenario names, for all switches and in overrides. */
import path from 'node:path';
import type { CustomCongestionPoint } from '../../config/congestion-points/custom-congestion-point.js';
import { hashOfFile, loadCongestionPoint } from './load-algorithm.js';

/** Custom congestion points by the path in the scenario. */
export type PointFiles = Readonly<Record<string, CustomCongestionPoint>>;

/** An entry of a scenario that names a file. */
type Entry = Readonly<Record<string, unknown>> & { readonly file: string };

/**
 * The scenario with absolute paths of its congestion points, and the congestion points by these paths.
 *
 * @param spec anything read from JSON.
 * @param folder where relative paths begin.
 * @throws RoceError `invalid-algorithm`, naming the file; errors of the system.
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

/** The scenario with absolute paths of its congestion points, and the hash of each file. */
export function withPointHashes<Spec>(spec: Spec, folder: string): Spec {
  return withEntries(spec, (entry) => {
    const file = path.resolve(folder, entry.file);
    return { sourceHash: hashOfFile(file), ...entry, file };
  });
}

/** The scenario with each entry that names a file changed; what is no scenario stays as it is. */
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
