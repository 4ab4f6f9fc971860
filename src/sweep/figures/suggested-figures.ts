/** Default figures of a sweep, derived from its axes and the metrics that it asks for. */
import type { SweepPlan } from '../plan.js';
import type { FigureSpec } from '../spec.js';

/** More lines than this cannot be distinguished. */
const SERIES_MAX = 6;
/** Drawn if a sweep asks for no metrics. */
const DEFAULT_DRAWN: readonly string[] = ['slowdown.p99', 'completionPs.mean', 'maxQueueBytes', 'goodputBps'];

interface AxisFacts {
  readonly name: string;
  readonly count: number;
  readonly isNumeric: boolean;
}

/** Figures of metrics first; distributions over flows only of what the sweep asks for. */
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

/** Lines over the axis of most values; a sweep without numbers has them over its names. */
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

/** Performance of flows against its cost in queues. */
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

/** The axis of the lines, names before numbers. */
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
