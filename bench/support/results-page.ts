/** bench/RESULTS.md out of bench/results.json, which has the numbers as the page shows them, and bench/NOTES.md. */
import { withRepositoryLinks } from '../../scripts/repository-links.js';
import { goalsTable, type GoalResult } from './goals.js';
import { markdownTable, type ShownCase } from './report.js';
import type { SingleResult } from './single-results.js';

/** The tables of a suite, and the command that made them. */
export interface ShownSuite {
  readonly name: string;
  readonly about: string;
  readonly command: string;
  readonly cases: readonly ShownCase[];
}

/** What bench/results.json holds. */
export interface ShownResults {
  /** Processor, system, compiler. */
  readonly machine: readonly string[];
  readonly singles: readonly SingleResult[];
  readonly goals: readonly GoalResult[];
  readonly suites: readonly ShownSuite[];
}

/** @param notes what people wrote, with its heading */
export function resultsPage({ machine, singles, goals, suites }: ShownResults, notes: string): string {
  const parts = [
    '# Benchmark results',
    '',
    'All variants of a table run round-robin in one process. ns are medians over the rounds; a ratio is the',
    'median over the rounds of (variant / base) in the same round, with its quartiles. Variants on the same memory were',
    'checked for equal results, byte by byte, before they were timed; timer steps alone may differ, they count work.',
    '',
    ...machine.map((line) => `- ${line}`),
    '',
    ...singles.map(({ name, text }) => `- ${name}: ${text}`),
    '',
    '## Goals',
    '',
    goalsTable(goals),
    '',
    ...suites.map(suiteSection),
    notes,
  ];
  return withRepositoryLinks(`${parts.join('\n').trimEnd()}\n`);
}

function suiteSection({ name, about, command, cases }: ShownSuite): string {
  return [`## ${name}: ${about}`, '', `Command: \`${command}\`.`, '', ...cases.map(markdownTable)].join('\n').trimEnd()
    .concat('\n');
}
