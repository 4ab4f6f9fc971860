/** Makes the figures of a sweep: those that it specifies, or default ones, derived from its axes and metrics. */
import { describeMetric } from '../metrics.js';
import type { SweepPlan } from '../plan.js';
import type { SweepRow } from '../run-sweep.js';
import type { FigureSpec } from '../spec.js';
import { type Figure, type FigureAxis, type FigureLine, meanOf, SIZE_PERCENTILES, sizeFigure,
  type SizePercentile } from './figure.js';
import { figureUnit, type FigureUnit, type Panel, type PanelPoint, panelsOf, seriesOf, textOf } from './panels.js';

/** Maximum panels of one figure, and of a default figure. */
const PANELS_MAX = 12;
const SUGGESTED_PANELS_MAX = 4;

/** All figures, in order. */
export function sweepFigures(plan: SweepPlan, rows: readonly SweepRow[]): Figure[] {
  const { figures } = plan.sweep;
  const panelsMax = figures === undefined ? SUGGESTED_PANELS_MAX : PANELS_MAX;
  return (figures ?? suggestedFigures(plan)).flatMap((spec, index) => {
    const all = panelsOf(plan, rows, shownAxes(spec, plan));
    const shown = all.slice(0, panelsMax);
    const note = shown.length === all.length ? '' : ` The first ${shown.length} of ${all.length} such figures.`;
    return shown.flatMap((panel, nth) => figuresOf(spec, panel, `figure-${index + 1}${letterOf(nth, shown.length)}`))
      .map((figure) => ({ ...figure, caption: figure.caption + note }))
      .filter((figure) => figures !== undefined || !isOneSize(spec, figure));
  }).filter(hasValues);
}

/** Whether all flows have one size: the figure would be a dot, which says less than the metric. */
function isOneSize({ kind }: FigureSpec, { x: { names = [] } }: Figure): boolean {
  return kind === 'size-buckets' && names.length < 2;
}

/** Whether there is any value to draw. */
function hasValues({ lines, heat }: Figure): boolean {
  const values = heat === undefined ? lines.flatMap(({ y }) => y) : heat.values.flat();
  return values.some((value) => value !== null);
}

function letterOf(nth: number, count: number): string {
  return count === 1 ? '' : String.fromCharCode('a'.charCodeAt(0) + nth);
}

function shownAxes(spec: FigureSpec, { axes }: SweepPlan): readonly (string | undefined)[] {
  if (spec.kind === 'pareto') return axes;
  if (spec.kind === 'heat-map') return [spec.x, spec.y];
  return spec.kind === 'lines' ? [spec.x, spec.series] : [spec.series];
}

function figuresOf(spec: FigureSpec, panel: Panel, id: string): Figure[] {
  if (spec.kind === 'size-buckets') return sizeFigures(spec, panel, id);
  if (spec.kind === 'cdf') return [cdfFigure(spec, panel, id)];
  if (spec.kind === 'lines') return [lineFigure(spec, panel, id)];
  return [spec.kind === 'heat-map' ? heatFigure(spec, panel, id) : paretoFigure(spec, panel, id)];
}

function titleOf(spec: FigureSpec, { label }: Panel, words: string): string {
  const title = spec.title ?? capital(words);
  return label === '' ? title : `${title}: ${label}`;
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function sizeFigures(spec: FigureSpec & { kind: 'size-buckets' }, panel: Panel, id: string): Figure[] {
  const series = seriesOf(panel.points, spec.series, 'all').map(({ label, points }) => ({
    label,
    seeds: points.flatMap(({ digests }) => digests.map(({ buckets }) => buckets)),
  }));
  const wanted = spec.percentile === undefined ? SIZE_PERCENTILES : [`p${spec.percentile}` as SizePercentile];
  return wanted.map((percentile) =>
    sizeFigure(`${id}-${percentile}`, titleOf(spec, panel, `slowdown by flow size, ${percentile}`), series, percentile)
  );
}

function cdfFigure(spec: FigureSpec & { kind: 'cdf' }, panel: Panel, id: string): Figure {
  const key = spec.of === 'completion' ? 'completionPsPercentiles' : 'slowdownPercentiles';
  const series = seriesOf(panel.points, spec.series, 'all');
  const curves = series.map(({ label, points }) => ({
    label,
    values: meanCurve(points.flatMap(({ digests }) => digests.map((digest) => digest[key]))),
  }));
  const largest = Math.max(0, ...curves.flatMap(({ values }) => values));
  const unit = figureUnit(spec.of === 'completion' ? 'ps' : 'ratio', largest);
  const what = spec.of === 'completion' ? 'Completion time' : 'Slowdown';
  return {
    id,
    title: titleOf(spec, panel, `${what}, cumulative`),
    caption: `Share of the flows up to each ${what.toLowerCase()}; percentiles of each run, mean of its seeds.`,
    x: { label: what, unit: unit.name, scale: 'log' },
    y: { label: 'Flows', unit: '%', scale: 'linear' },
    lines: curves.map(({ label, values }) => ({
      label,
      x: values.map((value) => value / unit.size),
      y: values.map((_, index) => index + 1),
    })),
  };
}

function meanCurve(curves: readonly (readonly number[])[]): number[] {
  const whole = curves.filter(({ length }) => length > 0);
  return (whole[0] ?? []).map((_, index) => meanOf(whole.map((curve) => curve[index])));
}

function lineFigure(spec: FigureSpec & { kind: 'lines' }, panel: Panel, id: string): Figure {
  const { x, metric, series } = spec;
  const { title, unit } = shownMetric(metric, panel);
  const axis = axisOf(x, panel.points);
  const lines = seriesOf(panel.points, series, title).map(({ label, points }): FigureLine => {
    const values = points.map(({ digests }) => digests.flatMap(({ metrics }) => metrics[metric] ?? []));
    const over = (pick: (all: readonly number[]) => number): (number | null)[] =>
      values.map((all) => (all.length === 0 ? null : pick(all) / unit.size));
    const line = { label, x: points.map((point) => placeOn(axis, point.valueOf(x))), y: over(meanOf) };
    if (values.every(({ length }) => length < 2)) return line;
    return { ...line, low: over((all) => Math.min(...all)), high: over((all) => Math.max(...all)) };
  });
  const hasBands = lines.some(({ low }) => low !== undefined);
  return {
    id,
    title: titleOf(spec, panel, `${title} over ${x}`),
    caption: hasBands ? 'Mean over seeds; the band is their minimum and maximum.' : 'One run at each point.',
    x: axis,
    y: { label: capital(title), unit: unit.name, scale: 'linear' },
    lines,
  };
}

/** A metric's title, and the unit that suits its values. */
function shownMetric(name: string, { points }: Panel): { readonly title: string; readonly unit: FigureUnit } {
  const { title, unit } = describeMetric(name);
  const largest = points.flatMap(({ digests }) => digests).reduce(
    (most, { metrics }) => Math.max(most, metrics[name] ?? 0),
    0,
  );
  return { title, unit: figureUnit(unit, largest) };
}

const LOG_RATIO = 20;

/** An axis of numbers if all values are numbers (logarithmic for a wide range), otherwise of names. */
function axisOf(name: string, points: readonly PanelPoint[]): FigureAxis {
  const values = points.map((point) => point.valueOf(name));
  if (!values.every((value) => typeof value === 'number')) {
    return { label: name, unit: '', scale: 'names', names: [...new Set(values.map(textOf))] };
  }
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return { label: name, unit: '', scale: least > 0 && most >= LOG_RATIO * least ? 'log' : 'linear' };
}

function placeOn({ names }: FigureAxis, value: unknown): number {
  return names === undefined ? value as number : names.indexOf(textOf(value));
}

function heatFigure(spec: FigureSpec & { kind: 'heat-map' }, panel: Panel, id: string): Figure {
  const { x, y, metric } = spec;
  const [xNames, yNames] = [namesOf(x, panel), namesOf(y, panel)];
  const { title, unit } = shownMetric(metric, panel);
  const values = yNames.map((row) =>
    xNames.map((column) => {
      const cell = panel.points.filter((point) =>
        textOf(point.valueOf(x)) === column && textOf(point.valueOf(y)) === row
      )
        .flatMap(({ digests }) => digests.flatMap(({ metrics }) => metrics[metric] ?? []));
      return cell.length === 0 ? null : meanOf(cell) / unit.size;
    })
  );
  return {
    id,
    title: titleOf(spec, panel, title),
    caption: `${capital(title)}${
      unit.name === '' ? '' : ` in ${unit.name}`
    }, mean of the seeds, at each pair of ${x} and ${y}.`,
    x: { label: x, unit: '', scale: 'names', names: xNames },
    y: { label: y, unit: '', scale: 'names', names: yNames },
    lines: [],
    heat: { values, label: capital(title), unit: unit.name },
  };
}

function namesOf(axis: string, { points }: Panel): string[] {
  return [...new Set(points.map((point) => textOf(point.valueOf(axis))))];
}

function paretoFigure(spec: FigureSpec & { kind: 'pareto' }, panel: Panel, id: string): Figure {
  const [onX, onY] = [shownMetric(spec.x, panel), shownMetric(spec.y, panel)];
  const at = ({ digests }: PanelPoint, metric: string, size: number): number | null => {
    const values = digests.flatMap(({ metrics }) => metrics[metric] ?? []);
    return values.length === 0 ? null : meanOf(values) / size;
  };
  const scattered = seriesOf(panel.points, spec.series, 'a point of the axes').map(({ label, points }): FigureLine => {
    const pairs = points.map((point) => [at(point, spec.x, onX.unit.size), at(point, spec.y, onY.unit.size)] as const)
      .filter((pair): pair is readonly [number, number] => pair[0] !== null && pair[1] !== null);
    return { label, x: pairs.map(([x]) => x), y: pairs.map(([, y]) => y), isScattered: true };
  });
  const front = paretoFront(scattered.flatMap(({ x, y }) => x.map((value, index) => [value, y[index] ?? 0] as const)));
  return {
    id,
    title: titleOf(spec, panel, `${onY.title} against ${onX.title}`),
    caption: 'Each point is a point of the axes, mean of its seeds. No point lies below and left of the line.',
    x: { label: capital(onX.title), unit: onX.unit.name, scale: 'linear' },
    y: { label: capital(onY.title), unit: onY.unit.name, scale: 'linear' },
    lines: [...scattered, { label: 'front', x: front.map(([x]) => x), y: front.map(([, y]) => y) }],
  };
}

/** Points that no other one beats in both numbers, sorted by the first; less is better. */
export function paretoFront(points: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let best = Infinity;
  return sorted.filter(([, y]) => {
    const isBetter = y < best;
    best = Math.min(best, y);
    return isBetter;
  });
}

/** Maximum number of lines that can be distinguished. */
const SERIES_MAX = 6;
/** Metrics drawn if the sweep chooses none. */
const DEFAULT_DRAWN: readonly string[] = ['slowdown.p99', 'completionPs.mean', 'maxQueueBytes', 'goodputBps'];

interface AxisFacts {
  readonly name: string;
  readonly count: number;
  readonly isNumeric: boolean;
}

/** Default figures: of metrics, then distributions over flows of those metrics that the sweep chooses. */
function suggestedFigures(plan: SweepPlan): FigureSpec[] {
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
  const ofSeries = seriesAxis(axes.filter(({ name }) => name !== x.name));
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
  return x === undefined || y === undefined || axes.length === 0 ? [] : [{ kind: 'pareto', x, y, ...seriesAxis(axes) }];
}

function distributions(axes: readonly AxisFacts[], metrics: readonly string[]): FigureSpec[] {
  const asks = (of: string): boolean => metrics.some((name) => name.startsWith(of));
  const ofSeries = seriesAxis(axes);
  return [
    ...(asks('slowdown') ? [{ kind: 'size-buckets', ...ofSeries }, { kind: 'cdf', ...ofSeries }] as const : []),
    ...(asks('completionPs') ? [{ kind: 'cdf', of: 'completion', ...ofSeries }] as const : []),
  ];
}

/** The axis with one line per value; an axis of names is preferred. */
function seriesAxis(axes: readonly AxisFacts[]): { readonly series?: string } {
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
