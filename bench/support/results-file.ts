/** Writes results: bench/results/latest.json after each full run, bench/results.json and bench/RESULTS.md on demand. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GoalResult } from './goals.js';
import type { CaseResult } from './interleave.js';
import { machineLines } from './machine.js';
import { shownCase } from './report.js';
import { resultsPage, type ShownResults } from './results-page.js';
import type { SingleResult } from './single-results.js';

const BENCH = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const DATA = path.join(BENCH, 'results.json');

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

/** Suites, goals and single numbers that were not run keep what they have, with the command that made it. */
export function writeResults(run: RunResult): string {
  writeFileSync(DATA, `${JSON.stringify(merged(readResults(), run), null, 2)}\n`);
  return writeResultsPage();
}

/** bench/RESULTS.md again, out of the numbers and notes that there are. */
export function writeResultsPage(): string {
  const file = path.join(BENCH, 'RESULTS.md');
  writeFileSync(file, resultsPage(readResults(), readFileSync(path.join(BENCH, 'NOTES.md'), 'utf8')));
  return file;
}

function readResults(): ShownResults {
  return JSON.parse(readFileSync(DATA, 'utf8')) as ShownResults;
}

function merged(before: ShownResults, { command, suites, singles, goals }: RunResult): ShownResults {
  const shown = suites.map(({ name, about, cases }) => ({ name, about, command, cases: cases.map(shownCase) }));
  return {
    machine: machineLines(),
    singles: replaced(before.singles, singles, ({ name }) => name),
    goals: replaced(before.goals, goals.map(shownGoal), ({ text }) => text),
    suites: replaced(before.suites, shown, ({ name }) => name),
  };
}

/** With the digits of the page. */
function shownGoal(goal: GoalResult): GoalResult {
  return { ...goal, got: Number(goal.got.toFixed(3)) };
}

/** The later ones take the place of those with the same key. */
function replaced<Item>(before: readonly Item[], after: readonly Item[], keyOf: (item: Item) => string): Item[] {
  return [...new Map([...before, ...after].map((item) => [keyOf(item), item])).values()];
}
