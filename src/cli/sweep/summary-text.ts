/** Formats the summary of a sweep: a line per point, with the spread over seeds. */
import { csvLine } from '../../sim/files/csv.js';
import { describeMetric } from '../../sweep/metrics.js';
import { summarisePoints, type MeanOverSeeds, type PointSummary } from '../../sweep/summary.js';
import type { SweepPlan, SweepRow } from '../../sweep/index.js';
import { formatByUnit } from '../../view/format.js';
import { formatCount, formatPlain } from '../../view/format.js';
import { heading, wrap, type TextStyle } from '../terminal.js';
import { fittingTables, stacked, type Column } from '../text-table.js';

const POINTS_MAX = 60;
/** Maximum columns of metrics if the sweep does not choose them. */
const METRICS_MAX = 5;
const REASONS_MAX = 5;
/** Titles of metrics are broken into lines of at most this many characters. */
const HEAD_WIDTH = 16;
const NONE = '-';

/** The table and the notes below it. */
export function summaryText(plan: SweepPlan, rows: readonly SweepRow[], style: TextStyle): string[] {
  const points = summarisePoints(plan, rows);
  const shown = points.slice(0, POINTS_MAX);
  const varied = plan.metrics.filter((name) => differs(points, name));
  const metrics = plan.sweep.metrics === undefined ? varied.slice(0, METRICS_MAX) : varied;
  const left = points.length - shown.length;
  return [
    ...heading(`roce-cc sweep: ${plan.sweep.name}`, style),
    '',
    ...pointTables(plan, shown, metrics, style),
    ...(left > 0 ? wrap(`${formatCount(left)} more points are in the output files.`, style) : []),
    ...leftOut(plan, points, varied.slice(metrics.length), style),
    ...failures(rows, style),
  ];
}

/** One table, or several with the same points if its columns don't fit into the terminal. */
function pointTables({ axes }: SweepPlan, points: readonly PointSummary[], metrics: readonly string[],
  style: TextStyle): string[] {
  const first = [...axes.map((head): Column => ({ head, align: 'left' })), { head: 'runs' }];
  const columns = metrics.map((name): Column => ({ head: stacked(describeMetric(name).title, HEAD_WIDTH) }));
  const rows = points.map(({ values, runs, failed, metrics: means }) => ({
    repeated: [...values.map(formatValue), failed === 0 ? String(runs) : `${runs} (${failed} failed)`],
    spread: metrics.map((name) => formatMean(name, means[name] ?? null)),
  }));
  return fittingTables(first, columns, rows, style.tableColumns).flatMap((lines, index) => [
    ...(index === 0 ? [] : ['']),
    ...lines,
  ]);
}

/** Lists the metrics that the table omits: those with the same value everywhere, and those beyond the maximum. */
function leftOut({ metrics }: SweepPlan, points: readonly PointSummary[], more: readonly string[],
  style: TextStyle): string[] {
  const same = metrics.filter((name) => !differs(points, name)).map((name) =>
    `${describeMetric(name).title} ${formatMean(name, meansOf(points, name)[0] ?? null)}`
  );
  return [
    ...(same.length === 0 ? [] : wrap(`The same at all points: ${same.join('; ')}.`, style)),
    ...(more.length === 0 ?
      [] :
      wrap(`More metrics, in the output files or with --metrics: ${more.join(', ')}.`, style)),
  ];
}

/** Whether a metric differs between points, and so needs a column. */
function differs(points: readonly PointSummary[], name: string): boolean {
  const means = meansOf(points, name).map(({ mean }) => mean);
  return points.length < 2 || means.some((mean) => mean !== means[0]);
}

function meansOf(points: readonly PointSummary[], name: string): MeanOverSeeds[] {
  return points.flatMap(({ metrics }) => metrics[name] ?? []);
}

/** Lists reasons of failed runs, each once, up to a maximum. */
function failures(rows: readonly SweepRow[], style: TextStyle): string[] {
  const reasons = new Map<string, number>();
  for (const { outcome } of rows) {
    if (!('reason' in outcome)) continue;
    const reason = `${outcome.ended}: ${outcome.reason}`;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const shown = [...reasons].slice(0, REASONS_MAX);
  if (shown.length === 0) return [];
  return [
    ...heading('Runs without a result', style),
    ...shown.flatMap(([reason, count]) => wrap(`- ${count}: ${reason}`, style)),
  ];
}

/** Formats an axis value. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? formatPlain(value) : JSON.stringify(value);
}

/** Formats a mean with its 95 % confidence interval: `2.1 ms ± 0.3 ms`. A single seed has no interval. */
export function formatMean(name: string, mean: MeanOverSeeds | null): string {
  if (mean === null) return NONE;
  const shown = formatMetric(name, mean.mean);
  return (mean.half95 ?? 0) === 0 ? shown : `${shown} ± ${formatMetric(name, mean.half95 ?? 0)}`;
}

/** Formats a metric's value with its unit. */
export function formatMetric(name: string, value: number): string {
  return formatByUnit(value, describeMetric(name).unit);
}

/** Points as CSV: mean, deviation over seeds and half-width of the 95 % interval of each metric. */
export function* summaryCsv(plan: SweepPlan, rows: readonly SweepRow[]): Generator<string> {
  const of = (name: string): string[] => [`${name} mean`, `${name} deviation`, `${name} half95`];
  yield csvLine([...plan.axes, 'runs', 'failed', ...plan.metrics.flatMap(of)]);
  for (const { values, runs, failed, metrics } of summarisePoints(plan, rows)) {
    const numbers = plan.metrics.flatMap((name) => {
      const mean = metrics[name];
      return [mean?.mean ?? null, mean?.deviation ?? null, mean?.half95 ?? null];
    });
    const shown = values.map((value) => (typeof value === 'number' ? value : formatValue(value)));
    yield csvLine([...shown, runs, failed, ...numbers]);
  }
}
