/**
 * bench/RESULTS.md is the page of bench/results.json and bench/NOTES.md: `npm run bench -- --write` renews the numbers,
 * people write the notes, and `npm run docs` puts both together.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { resultsPage, type ShownResults } from '../../bench/support/results-page.js';
import { withCharts } from '../../site/charts/benchmark-charts.js';

const read = (file: string): string => readFileSync(new URL(`../../bench/${file}`, import.meta.url), 'utf8');
const results = JSON.parse(read('results.json')) as ShownResults;

it('RESULTS.md has the numbers of results.json and the notes of NOTES.md', () => {
  expect(read('RESULTS.md')).toBe(resultsPage(results, read('NOTES.md')));
});

it('each table that compares has a chart on the website', () => {
  const compared = results.suites.flatMap(({ cases }) => cases).filter(({ variants }) => variants.length > 1);
  const page = withCharts(read('RESULTS.md'));
  for (const { title, variants } of compared) {
    const part = page.slice(page.indexOf(`\n### ${title}\n`));
    const chart = part.slice(0, part.indexOf('\n|'));
    for (const { name, medianNs } of variants) {
      expect(chart).toContain(JSON.stringify(name));
      expect(chart).toContain(String(medianNs));
    }
  }
});
