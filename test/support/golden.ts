/** Golden data of the two reference simulators, as plain files: test/golden/README.md describes each. */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { testData } from './test-data.js';

export type Row = Readonly<Record<string, string>>;

/** Traces of single QPs and of parts, without a network. */
export const GOLDEN_UNIT = testData('golden/unit');
/** Whole runs of HPCC's simulator: a folder per scenario, and summary.csv. */
export const GOLDEN_SYSTEM = testData('golden/system');
/** Whole runs of ConWeave's simulator, in the same order. */
export const GOLDEN_SYSTEM_LOSSY = testData('golden/system-lossy');

export function goldenFiles(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder).filter((name) => pattern.test(name));
}

export function readGolden(folder: string, name: string): Row[] {
  return parse(readFileSync(folder + name), { columns: true }) as Row[];
}
