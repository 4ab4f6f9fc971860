/** Where results go: bench/results/latest.json after each full run, bench/RESULTS.md on demand. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { goalsTable, type GoalResult } from './goals.js';
import type { CaseResult } from './interleave.js';
import { machineLines } from './machine.js';
import type { SingleResult } from './single-results.js';
import { markdownTable } from './report.js';

const BENCH = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export interface SuiteResult {
  readonly name: string;
  readonly about: string;
  readonly cases: readonly CaseResult[];
}

export interface RunResult {
  /** The command that repeats this run. */
  readonly command: string;
  readonly suites: readonly SuiteResult[];
  readonly singles: readonly SingleResult[];
  readonly goals: readonly GoalResult[];
}

export function writeLatest(run: RunResult): string {
  const file = path.join(BENCH, 'results', 'latest.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ machine: machineLines(), ...run }, null, 2)}\n`);
  return file;
}

/** Tables and machine, and behind them bench/NOTES.md, which people write. */
export function writeResultsPage(run: RunResult): string {
  const file = path.join(BENCH, 'RESULTS.md');
  const notes = path.join(BENCH, 'NOTES.md');
  const parts = [
    '# Benchmark results',
    '',
    `Command: \`${run.command}\`.`,
    '',
    'All variants of a table run in turn, round by round, in one process. ns are medians over the rounds; a ratio is the',
    'median over the rounds of (variant / base) in the same round, with its quartiles. Variants on the same memory were',
    'checked for equal results, byte by byte, before they were timed; timer steps alone may differ, they count work.',
    '',
    ...machineLines().map((line) => `- ${line}`),
    '',
    ...run.singles.flatMap((single) => [`- ${single.name}: ${single.text}`]),
    '',
    '## Goals',
    '',
    goalsTable(run.goals),
    '',
    ...run.suites.flatMap((suite) => [`## ${suite.name}: ${suite.about}`, '', ...suite.cases.map(markdownTable)]),
    ...(existsSync(notes) ? [readFileSync(notes, 'utf8')] : []),
  ];
  writeFileSync(file, `${parts.join('\n').trimEnd()}\n`);
  return file;
}
