/** docs/studies/live-study.md: rows that are the same on each machine are measured again here. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { burstRow, deterministicRows } from '../../studies/live/page.js';

const LINES = readFileSync(new URL('../../docs/studies/live-study.md', import.meta.url), 'utf8').split('\n');

describe('docs/studies/live-study.md', () => {
  it('has the rows measured today (npm run live-study)', () => {
    for (const row of deterministicRows(4, 'dcqcn')) expect(LINES).toContain(row);
    for (const row of deterministicRows(4, 'dcqcn-fast-cnp')) expect(LINES).toContain(row);
    for (const preset of ['hpcc-sigcomm19', 'swift-sigcomm20'] as const) expect(LINES).toContain(burstRow(preset));
  }, 60_000);

  it('shows a recording with the same frames, marks and drops in three switches', () => {
    const from = LINES.indexOf('| | frames in | marks | dropped |');
    const [live, ...others] = LINES.slice(from + 2, from + 5).map((row) => row.split('|').slice(2).join('|'));
    expect(others).toEqual([live, live]);
    expect(live).toMatch(/^ \d{4,} \| \d{2,} \| \d{3,} \|$/);
  });
});
