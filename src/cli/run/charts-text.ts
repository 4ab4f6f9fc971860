/** Draws queue and rates over time in characters, side by side if the terminal is wide enough. */
import { plot, type Settings } from 'simple-ascii-chart';
import type { SimResult } from '../../sim/result.js';
import { formatPlain } from '../../view/format.js';
import { printable } from '../printable.js';
import type { TextStyle } from '../terminal.js';
import { keptFlows, longestQueuePort, peakOf, queueSeries, rateEnvelope, seriesStartPs, type Line } from './series.js';

const HEIGHT = 7;
const GAP = '  ';
/** Minimum columns of the terminal for two charts side by side. */
const NARROWEST_PAIR = 84;
/** Columns of the labels on the left and the arrow on the right. */
const FRAME_COLUMNS = 10;
const TICKS = 4;
const DECADES_MAX = 4;
const DOT = '━';
const COLORS = ['ansiCyan', 'ansiYellow', 'ansiMagenta'] as const;

/** One scale for all runs, so that they can be compared by eye. */
export interface ChartScale {
  /** Time since the first flow start of a run: the longest of all runs. */
  readonly endPs: number;
  /** Whether the first flow of any run starts later than at time 0. */
  readonly isShifted: boolean;
  readonly queueBytes: number;
  readonly rateBps: number;
  /** Bottom of the logarithmic scale: whole decades below `rateBps`. */
  readonly lowestRateBps: number;
}

/** The scale that fits all runs. */
export function commonScale(results: readonly SimResult[]): ChartScale {
  const most = (of: (result: SimResult) => number): number =>
    results.reduce((peak, result) => Math.max(peak, of(result)), 0);
  const envelopes = results.map(rateEnvelope);
  const rateBps = envelopes.reduce((peak, { highestBps }) => Math.max(peak, peakOf(highestBps)), 0);
  return {
    endPs: most((result) => (result.series.timesPs.at(-1) ?? 0) - seriesStartPs(result)),
    isShifted: results.some((result) => seriesStartPs(result) > 0),
    queueBytes: roundUp(most((result) => peakOf(queueLine(result).values))),
    rateBps,
    lowestRateBps: lowEnd(envelopes.flatMap(({ lowestBps }) => lowestBps), rateBps),
  };
}

/** Rounds up to two significant digits, for the end of an axis. */
function roundUp(value: number): number {
  if (value <= 0) return 0;
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / step) * step;
}

/** Bottom of the rate scale. It is logarithmic: on a linear one, the fair share of many flows would be on the axis. */
function lowEnd(ratesBps: readonly number[], topBps: number): number {
  const lowest = ratesBps.reduce((low, rate) => (rate > 0 ? Math.min(low, rate) : low), topBps);
  let decades = 1;
  while (decades < DECADES_MAX && topBps / 10 ** decades > lowest) decades++;
  return topBps / 10 ** decades;
}

/** Both charts of a run; empty if it recorded no series. */
export function runCharts(result: SimResult, scale: ChartScale, style: TextStyle): string[] {
  if (result.series.timesPs.length < 2 || scale.endPs === 0 || isIdle(scale)) return [];
  const isPair = style.columns >= NARROWEST_PAIR;
  const width = isPair ? Math.floor((style.columns - GAP.length) / 2) : style.columns;
  // A network without switches has no queue to show.
  if (longestQueuePort(result) === undefined) return rateChart(result, scale, style.columns, style.isBold);
  if (keptFlows(result.series, result.flows).length === 0)
    return [...queueChart(result, scale, style.columns, style.isBold), `${GAP}No rates were recorded (record.flows).`];
  const queue = queueChart(result, scale, width, style.isBold);
  const rates = rateChart(result, scale, width, style.isBold);
  return isPair ? sideBySide(queue, rates, width) : [...queue, ...rates];
}

/** Whether no flow sent anything. */
function isIdle({ rateBps, queueBytes }: ChartScale): boolean {
  return rateBps === 0 && queueBytes === 0;
}

function queueChart(result: SimResult, scale: ChartScale, width: number, isColored: boolean): string[] {
  const { queueBytes } = scale;
  const unit = unitFor(queueBytes, BYTE_UNITS);
  // A chart of nothing but zeros would have no scale.
  const top = queueBytes === 0 ? 1 : queueBytes / unit.size;
  const { timesPs, values } = queueLine(result);
  return drawn(`queue at ${longestQueuePort(result) ?? ''}, ${unit.name}`, [{
    timesPs,
    values: values.map((bytes) => bytes / unit.size),
  }], {
    width,
    isColored,
    ...timeAxis(result, scale),
    yRange: [0, top],
    yTicks: [0, top / 2, top],
    showY: formatTick,
    fillArea: true,
    picks: [Math.max],
  });
}

function rateChart(result: SimResult, scale: ChartScale, width: number, isColored: boolean): string[] {
  const unit = unitFor(scale.rateBps, RATE_UNITS);
  const { timesPs, highestBps, meanBps, lowestBps } = rateEnvelope(result);
  const height = (rateBps: number): number => Math.log10(Math.max(rateBps, scale.lowestRateBps, 1) / unit.size);
  const lines = [highestBps, meanBps, lowestBps].map((values) => ({ timesPs, values: values.map(height) }));
  const picks = [Math.max, Math.max, Math.min];
  const [low, high] = [height(scale.lowestRateBps), height(Math.max(scale.rateBps, 10))];
  return drawn(rateTitle(result, unit.name), lines, {
    width,
    isColored,
    ...timeAxis(result, scale),
    yRange: [low, high],
    yTicks: decades(low, high),
    showY: (value) => formatTick(10 ** value),
    fillArea: false,
    picks,
  });
}

/** Title of the rate chart. With many flows, a result has the rates of only the first ones. */
function rateTitle({ series, flows }: SimResult, unit: string): string {
  const kept = keptFlows(series, flows).length;
  return kept === flows.length ?
    `allowed rate: max > mean > min; ${unit}, log` :
    `allowed rate, ${formatPlain(kept)} of ${formatPlain(flows.length)} flows, ${unit}`;
}

/** Ticks from the top down in whole decades, and exactly `low`, since a tick below the axis would not be drawn. */
function decades(low: number, high: number): number[] {
  const count = Math.max(1, Math.round(high - low));
  return [...Array.from({ length: count }, (_, index) => high - index), low];
}

function timeAxis(result: SimResult, { endPs, isShifted }: ChartScale): TimeAxis {
  return { startPs: seriesStartPs(result), endPs, timeLabel: isShifted ? 'time since the first start' : 'time' };
}

function formatTick(value: number): string {
  return formatPlain(Number(value.toPrecision(3)));
}

interface TimeAxis {
  /** Simulated time at the axis's 0. */
  readonly startPs: number;
  /** Length of the axis. */
  readonly endPs: number;
  readonly timeLabel: string;
}

interface Drawing extends TimeAxis {
  readonly width: number;
  readonly isColored: boolean;
  readonly yRange: [number, number];
  readonly yTicks: number[];
  readonly showY: (value: number) => string;
  readonly fillArea: boolean;
  /** For each line, the function that chooses among values in the same column. */
  readonly picks: readonly Pick[];
}

type Pick = (a: number, b: number) => number;

function drawn(title: string, lines: readonly Line[], drawing: Drawing): string[] {
  const { width, isColored, startPs, endPs, timeLabel, yRange, yTicks, showY, fillArea, picks } = drawing;
  const time = unitFor(endPs, TIME_UNITS);
  const columns = width - FRAME_COLUMNS;
  const points = lines.map((line,
    index) => (columnPoints(sinceStart(line, startPs), columns, endPs, picks[index] ?? Math.max).map((
      [x, y],
    ): [number, number | undefined] => [x / time.size, y]))
  );
  const settings: Settings = {
    width: columns,
    height: HEIGHT,
    fillArea,
    yRange,
    customXAxisTicks: ticks(endPs / time.size),
    customYAxisTicks: yTicks,
    formatter: (value, { axis }) => (axis === 'y' ? showY(value) : formatTick(value)),
    ...(isColored ? { color: [...COLORS] } : {}),
  };
  const body = plotted(points, [endPs / time.size, yRange[0]], settings);
  return [
    `${GAP}${printable(title)}`,
    ...body.map((line) => `${GAP}${line}`),
    `${GAP}${' '.repeat(Math.max(0, columns - timeLabel.length))}${timeLabel}, ${time.name}`,
  ];
}

type LinePoint = [number, number | undefined];

/**
 * Draws the chart. The library ends the axis at the last point; if no line reaches `end`, a dot is drawn there and then
 * erased.
 */
function plotted(lines: readonly LinePoint[][], end: [number, number], settings: Settings): string[] {
  const endsEarly = lines.every((line) => line.at(-1)?.[1] === undefined);
  const drawnLines = (endsEarly ? [...lines, [end]] : lines) as Parameters<typeof plot>[0];
  const body = plot(drawnLines, settings).split('\n').map((line) => line.trimEnd()).filter((line) => line !== '');
  if (!endsEarly) return body;
  const bottom = body.findIndex((line) => line.includes('└')) - 1;
  return body.map((line, index) => (index === bottom ? withoutLast(line, DOT) : line));
}

function withoutLast(line: string, character: string): string {
  const at = line.lastIndexOf(character);
  return `${line.slice(0, at)}${line.slice(at + 1)}`.trimEnd();
}

function sinceStart({ timesPs, values }: Line, startPs: number): Line {
  return { timesPs: timesPs.map((timePs) => timePs - startPs), values };
}

/**
 * One point for each column of the time axis, chosen by `pick`. A column without samples repeats the previous value.
 */
function columnPoints({ timesPs, values }: Line, columns: number, endPs: number,
  pick: Pick): [number, number | undefined][] {
  const picked = new Array<number | undefined>(columns).fill(undefined);
  timesPs.forEach((timePs, index) => {
    const column = Math.min(columns - 1, Math.floor((timePs / endPs) * columns));
    const value = values[index] ?? 0;
    picked[column] = pick(picked[column] ?? value, value);
  });
  const lastColumn = picked.findLastIndex((value) => value !== undefined);
  let before: number | undefined;
  return picked.map((value, column) => {
    before = value ?? (column > lastColumn ? undefined : before);
    return [(column / (columns - 1)) * endPs, before];
  });
}

function queueLine(result: SimResult): Line {
  const port = longestQueuePort(result);
  const values = port === undefined ? [] : (queueSeries(result.series)[port] ?? []);
  return { timesPs: result.series.timesPs, values };
}

function ticks(end: number): number[] {
  return Array.from({ length: TICKS + 1 }, (_, index) => (end * index) / TICKS);
}

function sideBySide(left: readonly string[], right: readonly string[], width: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const line = left[index] ?? '';
    return `${line}${' '.repeat(Math.max(0, width - visibleLength(line)))}${right[index] ?? ''}`.trimEnd();
  });
}

/** Number of visible characters; colours don't count. */
function visibleLength(line: string): number {
  return line.replace(/\u001b\[[\d;]*m/g, '').length;
}

interface Unit {
  readonly name: string;
  readonly size: number;
}

const BYTE_UNITS: readonly Unit[] = [{ name: 'bytes', size: 1 }, { name: 'kB', size: 1e3 }, { name: 'MB', size: 1e6 }, {
  name: 'GB',
  size: 1e9,
}];
const RATE_UNITS: readonly Unit[] = [{ name: 'Mb/s', size: 1e6 }, { name: 'Gb/s', size: 1e9 }, {
  name: 'Tb/s',
  size: 1e12,
}];
const TIME_UNITS: readonly Unit[] = [{ name: 'ns', size: 1e3 }, { name: 'µs', size: 1e6 }, { name: 'ms', size: 1e9 }, {
  name: 's',
  size: 1e12,
}];
/** A value of fewer units than this is shown in the next smaller unit. */
const UNITS_LEAST = 2;

function unitFor(largest: number, units: readonly Unit[]): Unit {
  return units.findLast(({ size }) => largest >= UNITS_LEAST * size) ?? units[0] ?? { name: '', size: 1 };
}
