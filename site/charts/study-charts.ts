/** Studies as pages: the result first, with charts of the study's own tables; how it was made last. */
import type { Bar } from './bar-chart.js';
import { chartBlock } from './chart-block.js';

interface Study {
  /** The result, in a sentence or two. */
  readonly outcome: string;
  readonly charts: readonly StudyChart[];
}

/** Bars of some rows of one table. */
interface StudyChart {
  readonly title: string;
  readonly unit: string;
  /** The heading above the table. */
  readonly heading: string;
  /** The rows, by their first cells. */
  readonly rows: RegExp;
  /** Columns of the values, counted from 0, by what the bars call them; the first one is the base. */
  readonly columns: Readonly<Record<string, number>>;
}

const STUDIES: Readonly<Record<string, Study>> = {
  'docs/fast-cnp-study.md': {
    outcome:
      'Fast CNPs help where the congested port is near the senders and the receiver is far: long flows over a WAN are notified ' +
      'after microseconds instead of milliseconds. At the last hop they change little, and short flows over a WAN are slower with them.',
    charts: [{
      title: 'Longest queue, congestion at the first link',
      unit: 'kB',
      heading: 'DCQCN over numbers of switches',
      rows: /first link/,
      columns: { CNP: 5, 'Fast CNP': 6 },
    }, {
      title: 'Mean completion over a WAN',
      unit: 'µs',
      heading: 'DCQCN over a WAN',
      rows: /near port/,
      columns: { CNP: 11, 'Fast CNP': 12 },
    }],
  },
  'docs/wan-study.md': {
    outcome:
      'A router of the WAN that notifies senders itself saves two thirds of the notification delay, and the queue falls by the same ' +
      'factor. With enough memory, flows complete later for it.',
    charts: [
      { title: 'First notice, 1,000 km', unit: 'µs', heading: '1000 km, DCQCN', rows: /none \|/, columns: { '': 2 } },
      { title: 'Longest queue, 1,000 km', unit: 'MB', heading: '1000 km, DCQCN', rows: /none \|/, columns: { '': 3 } },
    ],
  },
  'docs/paths-study.md': {
    outcome:
      'Spraying over all paths needs a transport that tolerates packets out of order: with one, flows complete in less than half of the ' +
      'time that they take under ECMP; under go-back-N they take several times longer.',
    charts: [{
      title: 'Median completion, leaf-spine',
      unit: 'µs',
      heading: 'Leaf-spine, 16 hosts, 4 spines',
      rows: /^(go-back-n|tolerant) \| (ecmp|flowlet|random|drill|conga) \|/,
      columns: { '': 2 },
    }],
  },
  'docs/loss-study.md': {
    outcome:
      'Without PFC and without marks only IRN keeps its goodput. Selective repeat without a bound on its window is worse than ' +
      'go-back-N.',
    charts: [{
      title: '99th percentile of completion, load 0.8',
      unit: 'µs',
      heading: 'Load 0.8, DCQCN',
      rows: /\| (go-back-n|selective-repeat|irn) \|/,
      columns: { '': 4 },
    }],
  },
  'docs/configurations-study.md': {
    outcome:
      'Errors that the linter finds show in runs as drops, pauses or missing marks. 1,024 flows take many times longer to converge ' +
      'than any reading of the proposal says.',
    charts: [{
      title: 'Time until the queue stops growing',
      unit: 'µs',
      heading: 'The convergence example',
      rows: /./,
      columns: { '': 1 },
    }],
  },
};

/** The page's text in the order of a reader; other pages as they are. @throws Error where a chart finds no rows. */
export function studyText(source: string, text: string): string {
  const study = STUDIES[source];
  if (study === undefined) return text;
  const [opening = '', ...parts] = text.split(/^(?=## )/m);
  const [title = '', how = ''] = opening.split(/\n([\s\S]*)/);
  const charts = study.charts.map((chart) => chartBlock(chartOf(chart, text, source)));
  // Targets of links, at the end, may be anywhere in a text.
  return [title, study.outcome, ...charts, parts.join('').trim(), '## How it was made', how.trim()].join('\n\n') + '\n';
}

function chartOf({ title, unit, heading, rows, columns }: StudyChart, text: string, source: string) {
  const cells = rowsBelow(text, heading).filter((row) => rows.test(row)).map((row) => row.split(' | '));
  const names = Object.entries(columns);
  const bars = cells.flatMap((row) =>
    names.map(([name, at], index): Bar => ({
      label: [...row.slice(0, at).filter((cell, cellAt) => cellAt < 2 && !isNumber(cell)), name].filter((word) =>
        word !== ''
      ).join(', '),
      value: Number(row[at]),
      isBase: names.length > 1 && index === 0,
    }))
  ).filter(({ value }) => Number.isFinite(value));
  if (bars.length === 0) throw new Error(`${source}: no rows of "${heading}" match ${String(rows)}.`);
  return { title, unit, bars };
}

/** Rows of the first table below a heading, without the bars at their ends. */
function rowsBelow(text: string, heading: string): string[] {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading);
  const table = lines.findIndex((line, at) => at > from && line.startsWith('|---'));
  const end = lines.findIndex((line, at) => at > table && !line.startsWith('|'));
  return from < 0 || table < 0 ? [] : lines.slice(table + 1, end).map((line) => line.replace(/^\| | \|$/g, ''));
}

function isNumber(cell: string): boolean {
  return cell.trim() !== '' && Number.isFinite(Number(cell));
}
