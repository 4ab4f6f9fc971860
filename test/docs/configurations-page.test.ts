/** docs/studies/configurations-study.md: linter and simulator agree on each error that a run can show. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LINT_EXAMPLES, NOT_SHOWN } from '../../studies/configurations/lint-examples.js';
import { CONVERGENCE_RUNS } from '../../studies/configurations/convergence.js';
import { convergenceRow, lintRow, seeExample } from '../../studies/configurations/page.js';
import { LINT_RULES } from '../../src/qos/lint-rules.js';

const LINES = readFileSync(new URL('../../docs/studies/configurations-study.md', import.meta.url), 'utf8').split('\n');

describe.each(LINT_EXAMPLES)('The linter and a run on $rule', (example) => {
  const { rule, metric } = example;

  it('agree', () => {
    const [before, after] = seeExample(example);
    expect(before.errors).toEqual([]);
    expect(after.errors).toEqual([rule]);
    if (metric === 'drops') expect([before.drops, after.drops > 0]).toEqual([0, true]);
    if (metric === 'pauses') expect(after.pauses).toBeGreaterThan(1.4 * before.pauses);
    if (metric === 'marks') expect([before.marks > 0, after.marks, after.pauses > 0]).toEqual([true, 0, true]);
  });

  it('are in the table with the current numbers', () => {
    expect(LINES).toContain(lintRow(example));
  });
});

it('docs/studies/configurations-study.md has each error of the linter once, with a run or a reason for none', () => {
  const errors = Object.entries(LINT_RULES).flatMap(([rule, { severity }]) => (severity === 'error' ? rule : []));
  expect([...LINT_EXAMPLES.map(({ rule }) => rule as string), ...Object.keys(NOT_SHOWN)].sort()).toEqual(errors.sort());
});

it('the convergence example has every run, and the current numbers of the run with 16 flows', () => {
  for (const name of Object.keys(CONVERGENCE_RUNS))
    expect(LINES.filter((line) => line.startsWith(`| run: ${name} | `))).toHaveLength(1);
  expect(LINES).toContain(convergenceRow('16 flows, each cut halves'));
});
