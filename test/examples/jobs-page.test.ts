/** The numbers and charts of examples/jobs are those of its scenarios. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ganttSvg } from '../../src/cli/figures/gantt-svg.js';
import { runScenarioSync, type ScenarioSpec, type SimResult } from '../../src/sim/index.js';

const JOBS = new URL('../../examples/jobs/', import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, JOBS), 'utf8');
const resultOf = (name: string): SimResult => runScenarioSync(JSON.parse(textOf(`${name}.json`)) as ScenarioSpec);
const endMs = ({ jobs = [] }: SimResult) => Math.max(...jobs.map(({ endPs }) => endPs ?? Infinity)) / 1e9;

/** Cells of the page's row for a workload. */
function cellsOf(workload: string): readonly string[] {
  const row = textOf('README.md').split('\n').find((line) => line.startsWith(`| \`${workload}-*.json\``)) ?? '';
  return row.split('|').map((cell) => cell.trim());
}

describe.each(['data-parallel', 'experts', 'pipeline', 'two-jobs'])('examples/jobs: %s', (workload) => {
  it('ends at the time that the page states, under each algorithm', () => {
    const [, , , ...shown] = cellsOf(workload);
    const ends = ['dcqcn', 'hpcc-pp', 'swift'].map((name) => endMs(resultOf(`${workload}-${name}`)));
    expect(shown.slice(0, 3)).toEqual(ends.map((end) => `${end.toFixed(2)} ms`));
  });

  it('has the chart of its run', () => {
    expect(ganttSvg(resultOf(`${workload}-dcqcn`)) === textOf(`${workload}-dcqcn.svg`)).toBe(true);
  });
});
