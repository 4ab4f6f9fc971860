/** The page of a study and the charts of its tables, written by one command. */
import { writeFileSync } from 'node:fs';
import type { BarChart } from '../site/charts/bar-chart.js';
import { withRepositoryLinks } from './repository-links.js';

/** What a study writes: its text, with tables, and the numbers of some rows as charts. */
export interface StudyPage {
  readonly text: string;
  readonly charts: readonly BarChart[];
}

/**
 * Prints the page; with `--write` writes docs/<name>-study.md, and next to it the charts that the website draws,
 * docs/<name>-study.json.
 */
export function writeStudy(name: string, { text, charts }: StudyPage): void {
  process.stdout.write(text);
  if (!process.argv.includes('--write')) return;
  const file = (extension: string): URL => new URL(`../docs/studies/${name}-study.${extension}`, import.meta.url);
  writeFileSync(file('md'), withRepositoryLinks(text));
  writeFileSync(file('json'), `${JSON.stringify({ charts }, null, 2)}\n`);
}

/** A number as a table shows it. */
export function asShown(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
