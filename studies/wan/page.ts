/** docs/studies/wan-study.md: the tables, and how to read them. */
import type { BarChart } from '../../site/charts/bar-chart.js';
import { table, tableRow } from '../../scripts/markdown-table.js';
import type { PlannedRun } from '../../src/sweep/plan.js';
import { planOfStudy, runsWith, valuesOf } from '../sweep.js';
import { asShown, studyFiles, type StudyFile } from '../study-page.js';
import { see, type Seen } from './measure.js';
import { INTRODUCTION, READING } from './texts.js';

/** Congestion control, distance, source of the notifications, flow control of the WAN. */
export const PLAN = planOfStudy('wan/sweep.json');

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
const CHART_DISTANCE = '1000 km';
const HEADS = ['notification', 'flow control', ...COLUMNS.map(([head]) => head)];

/** Runs everything. */
export function wanStudy(): StudyFile[] {
  const rows = PLAN.runs.map((run) => ({ run, seen: see(run.scenario) }));
  const text = [INTRODUCTION, ...valuesOf(PLAN, 'congestion control').flatMap((name) => partOf(name, rows)), READING]
    .join('\n');
  return studyFiles('wan', { text, charts: wanCharts(rows) });
}

/** A run, and what was seen. */
interface SeenRun {
  readonly run: PlannedRun;
  readonly seen: Seen;
}

function partOf(control: string, rows: readonly SeenRun[]): string[] {
  return [
    `## ${control}`,
    '',
    ...valuesOf(PLAN, 'distance').flatMap((distance) => [
      `### ${distance}, ${control}`,
      '',
      table(HEADS, rowsOf(rows, distance, control).map(({ run, seen }) => wanRow(run, seen))),
      '',
    ]),
  ];
}

function rowsOf(rows: readonly SeenRun[], distance: string, control: string): SeenRun[] {
  const runs = runsWith(PLAN, { distance, 'congestion control': control });
  return rows.filter(({ run }) => runs.includes(run));
}

/** Of DCQCN over 1,000 km without flow control, by the source of the notifications. */
function wanCharts(rows: readonly SeenRun[]): BarChart[] {
  const shown = rowsOf(rows, CHART_DISTANCE, 'DCQCN').filter(({ run }) => run.values[3] === 'none');
  const bars = (value: (seen: Seen) => number, digits: number): BarChart['bars'] =>
    shown.map(({ run, seen }) => ({ label: run.values.slice(2).join(', '), value: asShown(value(seen), digits) }));
  return [
    { title: 'First notice, 1,000 km', unit: 'µs', bars: bars(({ firstNoticeUs }) => firstNoticeUs, 0) },
    { title: 'Longest queue, 1,000 km', unit: 'MB', bars: bars(({ longestQueueMB }) => longestQueueMB, 2) },
  ];
}

/** A row. @param seen default: measured now. */
export function wanRow({ values, scenario }: PlannedRun, seen = see(scenario)): string {
  return tableRow([...values.slice(2).map(String), ...COLUMNS.map(([, cell]) => cell(seen))]);
}
