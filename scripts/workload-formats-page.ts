/**
 * Makes docs/reference/workload-formats.md from the tables of the readers of workloads: `npm run docs` writes the page, and
 * test/docs/workload-formats-page.test.ts fails when it is out of date.
 */
import { CONFIG_FORMATS } from '../src/sim/reference-files/config-formats.js';
import type { FormatItem, FormatTable } from '../src/workloads/job-formats.js';
import { FORMAT_TABLES } from '../src/workloads/format-tables.js';
import { table, tableRow } from './markdown-table.js';

const INTRODUCTION = `# What files of workloads may state

Whatever a file states has an effect, a note, or the file is rejected (\`npm run docs\` makes this page from the tables of the readers).

- effective: it changes the run. Where that depends on other statements, the rest is noted.
- noted: the run does without; a note gives the number of such statements and the place of the first.
- rejected: the file is rejected by an error with name and place.

Names that a format does not list are rejected, in Chakra traces noted. Names and doc strings of nodes only label them. The guide to the
formats: [workloads](../guides/workloads.md); their grammar: [specs/workloads.md](../specs/workloads.md).
`;

/** The page as the code would have it. */
export function workloadFormatsPage(): string {
  return `${INTRODUCTION}\n${[...FORMAT_TABLES, ...CONFIG_FORMATS].map(section).join('\n')}`;
}

function section({ title, owner, items }: FormatTable): string {
  return `## ${title}\n\nFrom ${owner}.\n\n${table(HEADS, items.map(row), HEADS.length)}\n`;
}

const HEADS = ['part', 'name', 'treatment', 'meaning'];

function row({ part, name, treatment, meaning }: FormatItem): string {
  return tableRow([part, `\`${name}\``, treatment, meaning].map((cell) => cell.replaceAll('|', '\\|')));
}
