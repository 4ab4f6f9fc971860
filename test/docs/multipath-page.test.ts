/** docs/studies/multipath-study.md has every row, some of them measured again here. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONDITION_KEYS, FOUR_PLANES, NETWORKS, ONE_PLANE, scenarioOf, SMALL_SIDE, STACK_KEYS,
  WORKLOAD_KEYS } from '../../studies/multipath/cases.js';
import { planeFigure } from '../../studies/multipath/figure.js';
import { caseRow, fastCnpRows, notifiedRows } from '../../studies/multipath/page.js';
import { PUBLISHED, publishedRow } from '../../studies/multipath/published.js';
import { reorderingRow, SMALL, WAITS } from '../../studies/multipath/reordering.js';
import { uetTable } from '../../studies/multipath/uet-runs.js';

const PAGE = readFileSync(new URL('../../docs/studies/multipath-study.md', import.meta.url), 'utf8');
const LINES = PAGE.split('\n');
const section = (title: string): string[] => {
  const from = LINES.indexOf(`## ${title}`);
  const to = LINES.findIndex((line, index) => index > from && line.startsWith('## '));
  return LINES.slice(from, to < 0 ? undefined : to).filter((line) => line.startsWith('| ')).slice(1);
};

describe('docs/studies/multipath-study.md', () => {
  it('has a row for each workload, network and transport, healthy and with each fault that the network can have', () => {
    const large = NETWORKS.length * WORKLOAD_KEYS.length * STACK_KEYS.length;
    const faults =
      CONDITION_KEYS.flatMap((condition) =>
        NETWORKS.flatMap((network) => scenarioOf(network, 'mrc', 'permutation', condition, SMALL_SIDE) ?? [])
      ).length * WORKLOAD_KEYS.length * STACK_KEYS.length;
    expect(section('1,024 hosts, all links')).toHaveLength(large);
    expect(section('Faults, 64 hosts')).toHaveLength(faults);
  });

  it.each([
    ['healthy', ONE_PLANE, 'permutation', 'goBackN'],
    ['slowLink', ONE_PLANE, 'permutation', 'mrc'],
    ['failedPlane', FOUR_PLANES, 'permutation', 'uet'],
    ['failedPlane', FOUR_PLANES, 'training', 'mrc'],
  ] as const)('has the row measured today (npm run study): %s', (condition, network, workload, stack) => {
    expect(LINES).toContain(caseRow(condition, workload, network, stack));
  }, 60_000);

  it('has the current notifications, runs with Fast CNPs, runs of uet-htsim and figure', () => {
    expect(section('Who learns first')).toEqual(notifiedRows());
    expect(section('RC with and without Fast CNPs')).toEqual(fastCnpRows());
    expect(PAGE).toContain(uetTable());
    expect(readFileSync(new URL('../../docs/images/multipath-study.svg', import.meta.url), 'utf8')).toBe(planeFigure());
  }, 60_000);

  it('shows that Fast CNPs change completion by less than 1 %', () => {
    const ends = section('RC with and without Fast CNPs').map((row) => Number(row.split(' | ')[5]));
    expect(ends).toHaveLength(8);
    for (let at = 0; at < ends.length; at += 2) expect(Math.abs(ends[at + 1]! / ends[at]! - 1)).toBeLessThan(0.01);
  });

  it.each([0, 1])('has the current cost of late packets over hashed paths: row %i', (row) => {
    expect(section('Hashed paths: late packets that count as lost')[row]).toBe(
      reorderingRow(SMALL, 'entropy-states', WAITS[row]!),
    );
  }, 60_000);

  it('has no unfinished flow', () => {
    const rows = ['1,024 hosts, all links', 'Faults, 64 hosts', 'RC with and without Fast CNPs'].flatMap(section);
    expect(new Set(rows.map((row) => row.split(' | ').at(-1)))).toEqual(new Set(['0 |']));
  });

  it('has the current row of each published figure, whose computation checks its own bounds', () => {
    expect(section('Published figures of MRC')).toEqual(PUBLISHED.map(publishedRow));
  }, 120_000);
});
