/** docs/studies/fast-cnp-study.md has every case, some of them measured again here, and its conclusions hold. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CASES } from '../../studies/fast-cnp/cases.js';
import { dcqcnRow, hpccPpRow } from '../../studies/fast-cnp/page.js';

const PAGE = readFileSync(new URL('../../docs/studies/fast-cnp-study.md', import.meta.url), 'utf8');

/** Rows of the page for a case: DCQCN's first, then HPCC++'s. */
function rowsOf(name: string): string[][] {
  const rows = PAGE.split('\n').filter((row) => row.startsWith(`| ${name} |`));
  return rows.map((row) => row.split(' | ').slice(1).map((cell) => cell.replace(/ \|$/, '')));
}

/** Columns of DCQCN's tables, as pairs for CNP and Fast CNP. */
function dcqcn(name: string) {
  const [cells = []] = rowsOf(name);
  const pair = (at: number): [number, number] => [Number(cells[at]), Number(cells[at + 1])];
  return { first: pair(0), queue: pair(4), where: cells.slice(6, 8), pauses: pair(8), mean: pair(10) };
}

describe('docs/studies/fast-cnp-study.md', () => {
  it('has each case once per algorithm', () => {
    expect(CASES.map(({ name }) => rowsOf(name).length)).toEqual(CASES.map(() => 2));
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  });

  const chosen = [CASES[0]!, CASES[6]!];
  it.each(chosen.map((one) => [one.name, one] as const))(
    '%s: the page has the rows that are measured today (npm run study)',
    (_, one) => {
      expect(PAGE.split('\n')).toEqual(expect.arrayContaining([dcqcnRow(one), hpccPpRow(one)]));
    },
    30_000,
  );

  it('has the longest queue at the congested port wherever no pause occurs', () => {
    for (const { name, congested } of CASES) {
      const { where, pauses } = dcqcn(name);
      where.forEach((port, way) => {
        if (pauses[way] === 0) expect(port, name).toBe(congested);
      });
    }
  });

  it('shows that a near switch notifies senders in the same time on any path length, which shortens queues', () => {
    const rows = [2, 3, 4, 5].map((switches) => dcqcn(`${switches} switches in a row, first link`));
    expect(new Set(rows.map(({ first }) => first[1])).size).toBe(1);
    rows.slice(1).forEach(({ first }, index) => {
      expect(first[0]).toBeGreaterThan(rows[index]!.first[0]);
    });
    for (const { first, queue } of rows) {
      expect([first[1] < first[0], queue[1] < 0.91 * queue[0]]).toEqual([true, true]);
    }
  });

  it('shows where Fast CNPs help long flows, where they change nothing, and where they cost', () => {
    const long = dcqcn('WAN of 1 ms, its near port, 40 MB each');
    expect([long.pauses[0] > 100, long.pauses[1], long.mean[1] < 0.8 * long.mean[0]]).toEqual([true, 0, true]);
    const behind = dcqcn('WAN of 1 ms, last hop behind it, 4 MB each');
    expect(behind.queue[1]).toBe(behind.queue[0]);
    const short = dcqcn('WAN of 1 ms, its near port, 4 MB each');
    expect(short.mean[1]).toBeGreaterThan(2 * short.mean[0]);
  });
});
