/** Golden traces of the reference simulator: the few kept here, and all of them where they lie beside the project. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';

export type Row = Readonly<Record<string, string>>;

const LOCAL = fileURLToPath(new URL('../data/golden/', import.meta.url));
const SHARED = fileURLToPath(new URL('../../../shared/golden/unit/', import.meta.url));

/** Folders with golden files, the project's own first. */
export const GOLDEN_FOLDERS: readonly string[] = [LOCAL, SHARED].filter((folder) => existsSync(folder));

export function goldenFiles(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder).filter((name) => pattern.test(name));
}

/** A file by its name, or with `.gz` behind it. */
export function readGolden(folder: string, name: string): Row[] {
  const file = existsSync(folder + name) ? name : `${name}.gz`;
  const bytes = readFileSync(folder + file);
  return parse(file.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true }) as Row[];
}
