/** docs/studies/wan-study.md: the tables, and how to read them. */
import type { BarChart } from '../../site/charts/bar-chart.js';
import { table, tableRow } from '../markdown-table.js';
import { asShown, type StudyPage } from '../study-page.js';
import { ALGORITHMS, casesOf, DISTANCES_KM, type WanCase } from './cases.js';
import { see, type Seen } from './measure.js';
import { INTRODUCTION, READING } from './texts.js';

const COLUMNS: readonly (readonly [string, (seen: Seen) => string])[] = [
  ['first notice, µs', ({ firstNoticeUs }) => firstNoticeUs.toFixed(0)],
  ['queue, MB', ({ longestQueueMB }) => longestQueueMB.toFixed(2)],
  ['drops', ({ drops }) => String(drops)],
  ['retransmitted', ({ sentAgain }) => String(sentAgain)],
  ['pauses', ({ pauses }) => String(pauses)],
  ['ARNs', ({ arns }) => String(arns)],
  ['completion, ms', ({ completionMs }) => completionMs.toFixed(1)],
  ['not done', ({ unfinished }) => String(unfinished)],
  ['bystander, ms', ({ bystanderMs }) => bystanderMs.toFixed(1)],
  ['held, ms', ({ bystanderHeldMs }) => bystanderHeldMs.toFixed(1)],
];
/** Distance that the charts show. */
const CHART_KM = 1000;
const HEADS = ['notification', 'flow control', ...COLUMNS.map(([head]) => head)];

/** Runs everything. */
export function wanPage(): StudyPage {
  const rows = Object.keys(ALGORITHMS).flatMap((algorithm) =>
    DISTANCES_KM.flatMap((km) => casesOf(km, algorithm).map((one) => ({ one, seen: see(one) })))
  );
  return {
    text: [INTRODUCTION, ...Object.keys(ALGORITHMS).flatMap((name) => algorithmPart(name, rows)), READING].join('\n'),
    charts: wanCharts(rows),
  };
}

/** A case, and what was seen. */
interface SeenCase {
  readonly one: WanCase;
  readonly seen: Seen;
}

function algorithmPart(algorithm: string, rows: readonly SeenCase[]): string[] {
  return [
    `## ${algorithm}`,
    '',
    ...DISTANCES_KM.flatMap((km) => [
      `### ${km} km, ${algorithm}`,
      '',
      table(HEADS, rowsOf(rows, km, algorithm).map(({ one, seen }) => wanRow(one, seen))),
      '',
    ]),
  ];
}

function rowsOf(rows: readonly SeenCase[], km: number, algorithm: string): readonly SeenCase[] {
  return rows.filter(({ one }) => one.km === km && one.algorithm === algorithm);
}

/** Of DCQCN over 1,000 km without flow control, by who notifies senders. */
function wanCharts(rows: readonly SeenCase[]): BarChart[] {
  const shown = rowsOf(rows, CHART_KM, 'DCQCN').filter(({ one }) => one.flowControl.name === 'none');
  const bars = (value: (seen: Seen) => number, digits: number): BarChart['bars'] =>
    shown.map(({ one, seen }) => ({
      label: `${one.notification.name}, ${one.flowControl.name}`,
      value: asShown(value(seen), digits),
    }));
  return [
    { title: 'First notice, 1,000 km', unit: 'µs', bars: bars(({ firstNoticeUs }) => firstNoticeUs, 0) },
    { title: 'Longest queue, 1,000 km', unit: 'MB', bars: bars(({ longestQueueMB }) => longestQueueMB, 2) },
  ];
}

/** A row. @param seen default: measured now. */
export function wanRow(one: WanCase, seen = see(one)): string {
  return tableRow([one.notification.name, one.flowControl.name, ...COLUMNS.map(([, cell]) => cell(seen))]);
}
