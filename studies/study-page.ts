/** What studies write: pages, and the charts of their tables. */
import type { BarChart } from '../site/charts/bar-chart.js';
import { withRepositoryLinks } from '../scripts/repository-links.js';

/** A page with tables, and the numbers of some rows as charts. */
export interface StudyPage {
  readonly text: string;
  readonly charts: readonly BarChart[];
}

/** A file that a study writes. */
export interface StudyFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly content: string;
}

/** A page with links to the repository. */
export function pageFile(path: string, text: string): StudyFile {
  return { path, content: withRepositoryLinks(text) };
}

/** The page docs/studies/NAME-study.md, and next to it the charts that the website draws. */
export function studyFiles(name: string, { text, charts }: StudyPage): StudyFile[] {
  return [
    pageFile(`docs/studies/${name}-study.md`, text),
    { path: `docs/studies/${name}-study.json`, content: `${JSON.stringify({ charts }, null, 2)}\n` },
  ];
}

/** A number as a table shows it. */
export function asShown(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
