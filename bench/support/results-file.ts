/** Writes results: bench/results/latest.json after each full run, bench/RESULTS.md on demand. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { goalsTable, type GoalResult } from './goals.js';
import type { CaseResult } from './interleave.js';
import { machineLines } from './machine.js';
import type { SingleResult } from './single-results.js';
import { markdownTable } from './report.js';
import { withRepositoryLinks } from '../../scripts/repository-links.js';

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

/**
 * Tables and machine, and behind them bench/NOTES.md, which people write. Suites that were not run keep the tables that they have,
 * with the command that made them.
 */
export function writeResultsPage(run: RunResult): string {
  const file = path.join(BENCH, 'RESULTS.md');
  const notes = path.join(BENCH, 'NOTES.md');
  const before = existsSync(file) ? new ResultsPage(readFileSync(file, 'utf8')) : new ResultsPage('');
  const sections = new Map([
    ...before.suites,
    ...run.suites.map((suite) => [suite.name, suiteSection(suite, run.command)] as const),
  ]);
  const parts = [
    '# Benchmark results',
    '',
    'All variants of a table run round-robin in one process. ns are medians over the rounds; a ratio is the',
    'median over the rounds of (variant / base) in the same round, with its quartiles. Variants on the same memory were',
    'checked for equal results, byte by byte, before they were timed; timer steps alone may differ, they count work.',
    '',
    ...machineLines().map((line) => `- ${line}`),
    '',
    ...(run.singles.length > 0 ? run.singles.map((single) => `- ${single.name}: ${single.text}`) : before.singles),
    '',
    GOALS_HEAD,
    '',
    mergeTables(before.goals, goalsTable(run.goals)),
    '',
    ...[...sections.values()],
    ...(existsSync(notes) ? [readFileSync(notes, 'utf8')] : []),
  ];
  writeFileSync(file, withRepositoryLinks(`${parts.join('\n').trimEnd()}\n`));
  return file;
}

const GOALS_HEAD = '## Goals';
const NOTES_HEAD = '## Notes';

function suiteSection({ name, about, cases }: SuiteResult, command: string): string {
  return [`## ${name}: ${about}`, '', `Command: \`${command}\`.`, '', ...cases.map(markdownTable)].join('\n').trimEnd()
    .concat('\n');
}

/** Content of an earlier page. */
class ResultsPage {
  readonly singles: readonly string[];
  readonly goals: string;
  /** Section by name of the suite. */
  readonly suites: readonly (readonly [string, string])[];

  constructor(text: string) {
    const [head = '', ...sections] = text.split(/^(?=## )/m);
    this.singles = head.split('\n').filter((line) => /^- (memory per QP|JavaScript heap)/.test(line));
    this.goals = sections.find((section) => section.startsWith(GOALS_HEAD))?.slice(GOALS_HEAD.length).trim() ?? '';
    this.suites = sections
      .filter((section) =>
        !section.startsWith(GOALS_HEAD) && !section.startsWith(NOTES_HEAD) && /^## [a-z]+: /.test(section)
      )
      .map((section) => [/^## ([a-z]+):/.exec(section)?.[1] ?? '', `${section.trimEnd()}\n`]);
  }
}

/** The rows of both tables; those of the later one take the place of those with the same first cell. */
function mergeTables(before: string, after: string): string {
  const [head = '', rule = '', ...rows] = after.split('\n');
  const keyOf = (row: string): string => row.split('|')[1]?.trim() ?? '';
  const merged = new Map(
    [...before.split('\n').slice(2), ...rows].filter((row) => row !== '').map((row) => [keyOf(row), row]),
  );
  return [head, rule, ...merged.values()].join('\n');
}
