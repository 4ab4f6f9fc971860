/** Checks that the charts of studies show the numbers of their tables; `npm run study` writes both. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chartsOf } from '../../site/charts/study-charts.js';

const STUDIES = ['fast-cnp', 'wan', 'paths', 'loss', 'configurations'];

/** The cells of each row of a page's tables. */
function rowsOf(source: string): string[][] {
  return readFileSync(new URL(`../../${source}`, import.meta.url), 'utf8').split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
}

describe.each(STUDIES.map((name) => `docs/studies/${name}-study.md`))('the charts of %s', (source) => {
  const rows = rowsOf(source);

  it.each(chartsOf(source).map((chart) => [chart.title, chart] as const))('%s: bars have the values of their rows',
    (_, chart) => {
      expect(chart.bars.length).toBeGreaterThan(3);
      expect(new Set(chart.bars.map(({ label }) => label)).size).toBe(chart.bars.length);
      for (const { label, value } of chart.bars) {
        // A label consists of the text cells of its row; if a row has several bars, each adds its column.
        const own = rows.filter(([first = '', second = '']) =>
          label === `${first}, ${second}` || label === first ||
          (label.startsWith(`${first}, `) && Number.isFinite(Number(second)))
        );
        expect(own.some((cells) => cells.some((cell) => Number(cell) === value)), `${label}: ${value}`).toBe(true);
      }
    });
});
