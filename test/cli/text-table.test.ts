/** Tables that fit a terminal. */
import { describe, expect, it } from 'vitest';
import { table } from '../../src/cli/text-table.js';
import { run } from './support/run.js';

const COLUMNS = [{ head: 'Name', align: 'left' }, { head: 'Number' }, { head: 'Words', align: 'left' }] as const;
const ROWS = [['first', '12,345', 'some words that take more than one line of a narrow terminal'], [
  'second',
  '6',
  'few',
]];
const widest = (lines: readonly string[]): number => Math.max(...lines.map((line) => line.length));

describe('A table', () => {
  it('is as wide as its content without a limit', () => {
    expect(table(COLUMNS, ROWS)).toHaveLength(3);
  });

  it.each([30, 40, 60])('is folded to %d characters without splitting numbers or words', (width) => {
    const lines = table(COLUMNS, ROWS, width);
    expect(widest(lines)).toBeLessThanOrEqual(width);
    const text = lines.join(' ').replaceAll(/\s+/g, ' ');
    for (const word of ROWS.flat().join(' ').split(' ')) expect(text).toContain(word);
    expect(text).not.toContain('…');
  });

  it('exceeds a limit that its words do not fit', () => {
    expect(widest(table(COLUMNS, ROWS, 5))).toBeGreaterThan(5);
  });
});

describe('At 80 columns', () => {
  it.each([
    [['run', '--help']],
    [['sweep', '--help']],
    [['plan', '--rate', '400G', '--delay', '600ns']],
    [['headroom', '--rate', '400G', '--delay', '600ns']],
    [['list']],
  ])('the output of %j fits', async (args) => {
    const { stdout } = await run(args, 80);
    // Commands to copy are not broken across lines.
    const lines = stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n').filter((line) => !line.includes('roce-cc '));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});
