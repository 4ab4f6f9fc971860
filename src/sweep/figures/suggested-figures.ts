/** Default figures of a sweep, derived from its axes. */
import type { SweepPlan } from '../plan.js';
import type { FigureSpec } from '../spec.js';

/** More lines than this cannot be distinguished. */
const SERIES_MAX = 6;
const METRICS_MAX = 2;

interface AxisFacts {
  readonly name: string;
  readonly count: number;
  readonly isNumeric: boolean;
}

export function suggestedFigures(plan: SweepPlan): FigureSpec[] {
  const axes = plan.axes.map((name, at) => factsOf(plan, name, at)).filter(({ count }) => count > 1);
  const numeric = axes.filter(({ isNumeric }) => isNumeric).sort((a, b) => b.count - a.count);
  const series = axes.find(({ isNumeric, count }) => !isNumeric && count <= SERIES_MAX) ??
    axes.find(({ count }) => count <= SERIES_MAX);
  const ofSeries = series === undefined ? {} : { series: series.name };
  const metrics = plan.metrics.slice(0, METRICS_MAX);
  const [x] = numeric.filter(({ name }) => name !== series?.name);
  const [first, second] = numeric;
  const [one, other] = paretoPair(plan.metrics);
  return [
    { kind: 'size-buckets', ...ofSeries },
    { kind: 'cdf', ...ofSeries },
    ...(x === undefined ?
      [] :
      metrics.map((metric): FigureSpec => ({ kind: 'lines', x: x.name, metric, ...ofSeries }))),
    ...(first === undefined || second === undefined ?
      [] :
      metrics.map((metric): FigureSpec => ({ kind: 'heat-map', x: first.name, y: second.name, metric }))),
    ...(one === undefined || other === undefined || axes.length === 0 ?
      [] :
      [{ kind: 'pareto', x: one, y: other, ...ofSeries } as const]),
  ];
}

function factsOf({ runs }: SweepPlan, name: string, at: number): AxisFacts {
  const values = runs.map((run) => run.values[at]);
  return {
    name,
    count: new Set(values.map((value) => JSON.stringify(value))).size,
    isNumeric: values.every((value) => typeof value === 'number'),
  };
}

/** Performance of flows against its cost in queues. */
function paretoPair(metrics: readonly string[]): (string | undefined)[] {
  const slowdown = metrics.find((name) => name.startsWith('slowdown.p99')) ??
    metrics.find((name) => name.startsWith('slowdown'));
  return [metrics.find((name) => name === 'maxQueueBytes' || name === 'meanQueueBytes'), slowdown];
}
