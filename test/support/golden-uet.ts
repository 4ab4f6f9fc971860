/** Golden runs of uet-htsim: arguments, inputs and what the program printed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { UetTotals } from '../../src/uet/results.js';
import { testData } from './test-data.js';

export const GOLDEN_UET = testData('golden/uet');

export interface UetGoldenRun {
  readonly name: string;
  readonly argv: readonly string[];
  readonly totals: UetTotals;
  /** Text of one of its files. */
  readonly read: (file: string) => string;
  readonly has: (file: string) => boolean;
}

export function uetGoldenRun(name: string): UetGoldenRun {
  const folder = `${GOLDEN_UET}${name}/`;
  const read = (file: string): string => readFileSync(`${folder}${file}`, 'utf8');
  const { argv, result } = JSON.parse(read('run.json')) as { argv: string[]; result: UetTotals };
  return { name, argv, totals: result, read, has: (file) => existsSync(`${folder}${file}`) };
}

export function uetGoldenRuns(): UetGoldenRun[] {
  return readdirSync(GOLDEN_UET, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    .map(({ name }) => uetGoldenRun(name));
}
