/** One chart with its axes, legend or readout, drawn by uPlot. */
import uPlot from 'uplot';
import { styleColor } from './colors.js';
import { logSplits } from './log-axis.js';
import { drawThresholds, tellThresholds, type Threshold } from './thresholds.js';
import { withUnit, type Unit } from './units.js';

/** One line of a chart. */
export interface ChartLine {
  readonly label: string;
  readonly x: readonly number[];
  /** null = a gap. */
  readonly y: readonly (number | null)[];
  readonly color: string;
  readonly dash?: number[];
  readonly width?: number;
}

export interface ChartSpec {
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xUnit: Unit;
  readonly yUnit: Unit;
  readonly lines: readonly ChartLine[];
  /** Top of the vertical axis. */
  readonly yMax: number;
  /** Bottom of a logarithmic axis; without it the axis is straight and begins at 0. */
  readonly yLogMin?: number;
  readonly shape: 'line' | 'step' | 'bars';
  /** Charts of one group show their cursors together. */
  readonly group?: string;
  /** Levels of the vertical axis that mean something. */
  readonly thresholds?: readonly Threshold[];
  /** Names in place of numbers on the horizontal axis. */
  readonly xNames?: { readonly at: readonly number[]; readonly names: readonly string[] };
}

const HEIGHT_PX = 280;
/** More lines than that have one readout in place of a legend. */
const LEGEND_MAX = 6;
const FONT = '13px system-ui, sans-serif';
const LABEL_FONT = '600 13px system-ui, sans-serif';
const FOCUS_PX = 30;
const X_AXIS_PX = 34;
const Y_AXIS_PX = 64;
const DOT_LONGEST = 3;
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- uPlot's enum is there for the compiler alone
const LOGARITHMIC = { distr: 3 } as uPlot.Scale;

/** Draws into the host, in its present width; returns what to resize and to destroy. */
export function drawChart(host: HTMLElement, spec: ChartSpec): uPlot {
  const hasLegend = spec.lines.length <= LEGEND_MAX;
  const readout = hasLegend ? undefined : addReadout(host);
  const chart = new uPlot(options(host, spec, hasLegend, readout), aligned(spec.lines), host);
  // A table for its layout, not of data.
  chart.root.querySelector('.u-legend')?.setAttribute('role', 'presentation');
  tellThresholds(host.closest('figure'), spec.thresholds ?? [], spec.yUnit);
  host.dataset.drawn = 'true';
  host.dataset.xLabel = axisLabel(spec.xLabel, spec.xUnit);
  host.dataset.yLabel = axisLabel(spec.yLabel, spec.yUnit);
  host.dataset.lines = String(spec.lines.length);
  return chart;
}

/** All lines over the union of their times. */
function aligned(lines: readonly ChartLine[]): uPlot.AlignedData {
  return uPlot.join(lines.map(({ x, y }) => [[...x], [...y]]), lines.map(() => [0, 2]));
}

function options(host: HTMLElement, spec: ChartSpec, hasLegend: boolean,
  readout: HTMLElement | undefined): uPlot.Options {
  return {
    width: Math.max(280, host.clientWidth),
    height: HEIGHT_PX,
    scales: { x: { time: false }, y: yScale(spec) },
    axes: [xAxis(spec), yAxis(spec)],
    series: [
      { label: spec.xLabel, value: (_chart, value: number | null) => nameAt(spec, value) },
      ...spec.lines.map((line) => series(line, spec)),
    ],
    legend: { show: hasLegend, markers: { width: 3, dash: (_chart, index) => markerStyle(spec.lines[index - 1]) } },
    cursor: cursor(spec),
    focus: { alpha: hasLegend ? 1 : 0.25 },
    hooks: readout === undefined ? drawHook(spec) : {
      ...drawHook(spec),
      setCursor: [(chart) => {
        tellFocused(chart, spec, readout);
      }],
      setSeries: [(chart) => {
        tellFocused(chart, spec, readout);
      }],
    },
  };
}

function drawHook({ thresholds = [] }: ChartSpec): uPlot.Hooks.Arrays {
  if (thresholds.length === 0) return {};
  return {
    draw: [(chart) => {
      drawThresholds(chart, thresholds);
    }],
  };
}

/** Of the border that stands for the line: as near to its dashes as borders come. */
function markerStyle(line: ChartLine | undefined): string {
  const [first = 0] = line?.dash ?? [];
  if (first === 0) return 'solid';
  return first > DOT_LONGEST ? 'dashed' : 'dotted';
}

function yScale({ yMax, yLogMin }: ChartSpec): uPlot.Scale {
  if (yLogMin !== undefined) return { ...LOGARITHMIC, range: [yLogMin, yMax * 1.1] };
  return { range: [0, yMax > 0 ? yMax * 1.05 : 1] };
}

function cursor({ group, lines }: ChartSpec): uPlot.Cursor {
  const focus = { prox: lines.length > LEGEND_MAX ? FOCUS_PX : -1 };
  return group === undefined ?
    { focus } :
    { focus, y: false, sync: { key: group, scales: ['x', null], setSeries: false } };
}

function series(line: ChartLine, { yUnit, shape }: ChartSpec): uPlot.Series {
  const common: uPlot.Series = {
    label: line.label,
    stroke: line.color,
    width: line.width ?? 2,
    points: { show: false },
    value: (_chart, value: number | null) => (value === null || value === undefined ? '–' : withUnit(value, yUnit)),
    ...(line.dash === undefined ? {} : { dash: line.dash }),
  };
  if (shape === 'step') return withPaths(common, uPlot.paths.stepped?.({ align: 1 }));
  return shape === 'bars' ?
    withPaths({ ...common, fill: line.color }, uPlot.paths.bars?.({ size: [0.8, 60] })) :
    common;
}

function withPaths(common: uPlot.Series, paths: uPlot.Series.PathBuilder | undefined): uPlot.Series {
  return paths === undefined ? common : { ...common, paths };
}

function xAxis(spec: ChartSpec): uPlot.Axis {
  const base = { ...axis(spec.xLabel, spec.xUnit), size: X_AXIS_PX };
  const { xNames } = spec;
  if (xNames === undefined) return base;
  return { ...base, splits: () => [...xNames.at], values: () => [...xNames.names], grid: { show: false }, space: 10 };
}

function yAxis({ yLabel, yUnit, yMax, yLogMin }: ChartSpec): uPlot.Axis {
  const base = { ...axis(yLabel, yUnit), size: Y_AXIS_PX };
  if (yLogMin === undefined) return base;
  const splits = logSplits(yLogMin, yMax * 1.1);
  return {
    ...base,
    splits: () => splits,
    filter: (_chart, values) => values,
    values: (_chart, values) => values.map((value) => withUnit(value, { name: '', size: 1 })),
  };
}

function axis(label: string, unit: Unit): uPlot.Axis {
  const line = { stroke: styleColor('--grid'), width: 1 };
  return {
    label: axisLabel(label, unit),
    stroke: styleColor('--text'),
    font: FONT,
    labelFont: LABEL_FONT,
    labelSize: 26,
    grid: line,
    ticks: line,
  };
}

function axisLabel(label: string, { name }: Unit): string {
  return name === '' ? label : `${label} (${name})`;
}

function nameAt({ xNames, xUnit }: ChartSpec, value: number | null): string {
  if (value === null || value === undefined) return '–';
  if (xNames === undefined) return withUnit(value, xUnit);
  const nearest = xNames.at.reduce(
    (best, at, index) => (Math.abs(at - value) < Math.abs((xNames.at[best] ?? 0) - value) ? index : best),
    0,
  );
  return xNames.names[nearest] ?? '–';
}

const READOUT_HINT = 'Point at a line to read its values.';

function addReadout(host: HTMLElement): HTMLElement {
  const readout = document.createElement('p');
  readout.className = 'readout';
  readout.textContent = READOUT_HINT;
  host.after(readout);
  return readout;
}

/** Which of many lines is under the cursor, and its value there. */
function tellFocused(chart: uPlot, spec: ChartSpec, readout: HTMLElement): void {
  const { idx } = chart.cursor;
  const focused = chart.series.findIndex((series, index) =>
    index > 0 && (series as { _focus?: boolean | null })._focus === true
  );
  const value = idx === null || idx === undefined ? undefined : chart.data[focused]?.[idx];
  const time = idx === null || idx === undefined ? undefined : chart.data[0][idx];
  const line = spec.lines[focused - 1];
  const hasValue = line !== undefined && value !== null && value !== undefined && time !== undefined;
  readout.textContent = hasValue ?
    `${line.label}: ${withUnit(value, spec.yUnit)} at ${withUnit(time, spec.xUnit)}` :
    READOUT_HINT;
}
