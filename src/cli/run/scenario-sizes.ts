/** Replaces the files of flow sizes that a scenario's Poisson workloads name by their points. */
import path from 'node:path';
import { readSizePoints } from '../../sim/workload/sizes/read-size-points.js';
import { readText, SETTINGS_BYTES_MAX } from '../read-text.js';
import { isRecord, type PlainRecord } from './plain-record.js';

/**
 * Reads the files and puts their points into the scenario.
 *
 * @param folder of the scenario; its file names are relative to this.
 * @throws RoceError `invalid-scenario`; system errors, which name the file.
 */
export async function withSizeFiles(spec: unknown, folder: string): Promise<unknown> {
  if (!isRecord(spec)) return spec;
  const { workload } = spec;
  const all: readonly unknown[] = Array.isArray(workload) ? workload : [workload];
  if (!all.some(hasSizeFile)) return spec;
  const read = await Promise.all(all.map((one) => (hasSizeFile(one) ? withPoints(one, folder) : one)));
  return { ...spec, workload: Array.isArray(workload) ? read : read[0] };
}

type WithFile = PlainRecord & { readonly sizes: { readonly file: string } };

async function withPoints(workload: WithFile, folder: string): Promise<PlainRecord> {
  const { sizes: { file } } = workload;
  return { ...workload, sizes: readSizePoints(await readText(path.resolve(folder, file), SETTINGS_BYTES_MAX), file) };
}

/** Whether a workload names a file of sizes. Anything invalid is left to the scenario's validation. */
function hasSizeFile(workload: unknown): workload is WithFile {
  if (!isRecord(workload) || !isRecord(workload['sizes'])) return false;
  return Object.keys(workload['sizes']).length === 1 && typeof workload['sizes']['file'] === 'string';
}
