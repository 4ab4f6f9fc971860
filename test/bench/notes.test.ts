/**
 * `npm run docs` generates bench/RESULTS.md from the numbers of bench/results.json, which `npm run bench -- --write`
 * updates, and from the hand-written notes of bench/NOTES.md.
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

it('the website has a chart for each table that compares variants', () => {
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
