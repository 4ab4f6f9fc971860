/** Default figures of a sweep, derived from its axes and metrics. */
import type { SweepPlan } from '../plan.js';
import type { FigureSpec } from '../spec.js';

/** Maximum number of lines that can be distinguished. */
const SERIES_MAX = 6;
/** Metrics drawn if the sweep chooses none. */
const DEFAULT_DRAWN: readonly string[] = ['slowdown.p99', 'completionPs.mean', 'maxQueueBytes', 'goodputBps'];

interface AxisFacts {
  readonly name: string;
  readonly count: number;
  readonly isNumeric: boolean;
}

/** Figures of metrics, then distributions over flows of those metrics that the sweep chooses. */
export function suggestedFigures(plan: SweepPlan): FigureSpec[] {
  const axes = plan.axes.map((name, at) => factsOf(plan, name, at)).filter(({ count }) => count > 1);
  const numeric = axes.filter(({ isNumeric }) => isNumeric).sort((a, b) => b.count - a.count);
  const metrics = plan.sweep.metrics ?? DEFAULT_DRAWN;
  return [
    ...lineFigures(axes, numeric, metrics),
    ...heatFigures(numeric, metrics),
    ...paretoFigures(axes, metrics),
    ...distributions(axes, metrics),
  ];
}

/** Lines over the numeric axis with the most values, or over the first axis if none is numeric. */
function lineFigures(axes: readonly AxisFacts[], numeric: readonly AxisFacts[],
  metrics: readonly string[]): FigureSpec[] {
  const [x = axes[0]] = numeric;
  if (x === undefined) return [];
  const ofSeries = seriesOf(axes.filter(({ name }) => name !== x.name));
  return metrics.map((metric) => ({ kind: 'lines', x: x.name, metric, ...ofSeries }));
}

function heatFigures([first, second]: readonly AxisFacts[], metrics: readonly string[]): FigureSpec[] {
  if (first === undefined || second === undefined) return [];
  return metrics.map((metric) => ({ kind: 'heat-map', x: first.name, y: second.name, metric }));
}

/** Pareto figures of slowdown against queue length. */
function paretoFigures(axes: readonly AxisFacts[], metrics: readonly string[]): FigureSpec[] {
  const x = metrics.find((name) => name === 'maxQueueBytes' || name === 'meanQueueBytes');
  const y = metrics.find((name) => name.startsWith('slowdown.p99')) ??
    metrics.find((name) => name.startsWith('slowdown'));
  return x === undefined || y === undefined || axes.length === 0 ? [] : [{ kind: 'pareto', x, y, ...seriesOf(axes) }];
}

function distributions(axes: readonly AxisFacts[], metrics: readonly string[]): FigureSpec[] {
  const asks = (of: string): boolean => metrics.some((name) => name.startsWith(of));
  const ofSeries = seriesOf(axes);
  return [
    ...(asks('slowdown') ? [{ kind: 'size-buckets', ...ofSeries }, { kind: 'cdf', ...ofSeries }] as const : []),
    ...(asks('completionPs') ? [{ kind: 'cdf', of: 'completion', ...ofSeries }] as const : []),
  ];
}

/** The axis with one line per value; an axis of names is preferred. */
function seriesOf(axes: readonly AxisFacts[]): { readonly series?: string } {
  const few = axes.filter(({ count }) => count <= SERIES_MAX);
  const series = few.find(({ isNumeric }) => !isNumeric) ?? few[0];
  return series === undefined ? {} : { series: series.name };
}

function factsOf({ runs }: SweepPlan, name: string, at: number): AxisFacts {
  const values = runs.map((run) => run.values[at]);
  return {
    name,
    count: new Set(values.map((value) => JSON.stringify(value))).size,
    isNumeric: values.every((value) => typeof value === 'number'),
  };
}
