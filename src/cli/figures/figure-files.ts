/**
 * A figure as files: drawn as one SVG, and its numbers as CSV. Text stays text; lines differ in lightness and dashes
 * as well as in colour.
 */
import { csvLine } from '../../sim/files/csv.js';
import type { Figure, FigureAxis, FigureLine } from '../../sweep/figures/figure.js';
import { logSplits } from '../../view/log-axis.js';
import { heatColor, heatShares, heatTextColor, linearTicks, type Range, xRange, yRange } from './scales.js';
import { legendPlaces, svgDocument, svgElement, svgNumber, svgPath, svgText,
  type SvgAttributes } from '../../view/svg.js';

const [WIDTH, HEIGHT] = [640, 400];
const [LEFT, RIGHT, TOP, BOTTOM] = [72, 20, 44, 62];
const LEGEND_ROW = 18;
const INK = '#222';
const COLORS = ['#0062b8', '#b84300', '#00705a', '#8a2f8f', '#7a5c00', '#b00040'];
const DASHES = ['', '9 4', '3 3', '12 3 3 3', '6 2', '2 5'];
const TICKS = 6;
const [GRID_OPACITY, AXIS_OPACITY] = ['0.12', '0.6'];
const MIDDLE = { 'text-anchor': 'middle' };
const NAME = { ...MIDDLE, 'font-weight': '600' };

interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

/** The content of the SVG file. */
export function figureSvg(figure: Figure): string {
  const legend = legendSvg(figure, HEIGHT + 2);
  const height = HEIGHT + legend.rows * LEGEND_ROW;
  const plot = { left: LEFT, right: WIDTH - RIGHT, top: TOP, bottom: HEIGHT - BOTTOM };
  const x = scaleOf(figure.x, xRange(figure), plot.left, plot.right);
  const y = scaleOf(figure.y, yRange(figure), plot.bottom, plot.top);
  const content = figure.heat === undefined ?
    figure.lines.map((line, index) => lineSvg(line, index, x, y)).join('\n') :
    heatSvg(figure, x, y);
  return svgDocument({
    width: WIDTH,
    height,
    title: figure.title,
    description: figure.caption,
    paper: '#fff',
    ink: INK,
    parts: [
      svgText(LEFT, 22, figure.title, { 'font-size': '14', 'font-weight': '600' }),
      axesSvg(figure, x, y, plot),
      content,
      legend.content,
    ],
  });
}

function scaleOf({ scale, names = [] }: FigureAxis, range: Range, from: number, to: number): Scale {
  const { low, high } = range;
  const isLog = scale === 'log';
  const share = (value: number): number =>
    isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  const at = (value: number): number => from + (to - from) * share(value);
  if (scale === 'names') return { at, ticks: names.map((name, index) => ({ at: at(index), text: name })) };
  const values = isLog ? logTicks(low, high) : linearTicks(low, high, TICKS);
  return { at, ticks: values.map((value) => ({ at: at(value), text: String(value) })) };
}

/** Ticks of a logarithmic axis; a narrow range may contain no 1, 2 or 5 times a power of ten. */
function logTicks(low: number, high: number): number[] {
  const splits = logSplits(low, high);
  return splits.length >= 2 ? splits : linearTicks(low, high, TICKS);
}

interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function axesSvg({ x, y, heat }: Figure, xs: Scale, ys: Scale, plot: Plot): string {
  const grid = heat === undefined;
  const xTicks = xs.ticks.map((tick) =>
    (grid ? ruleSvg(`M${svgNumber(tick.at)} ${plot.top}V${plot.bottom}`, GRID_OPACITY) : '') +
    svgText(tick.at, plot.bottom + 16, tick.text, MIDDLE)
  );
  const yTicks = ys.ticks.map((tick) =>
    (grid ? ruleSvg(`M${plot.left} ${svgNumber(tick.at)}H${plot.right}`, GRID_OPACITY) : '') +
    svgText(plot.left - 6, tick.at + 4, tick.text, { 'text-anchor': 'end' })
  );
  const middle = (plot.top + plot.bottom) / 2;
  return [
    ...xTicks,
    ...yTicks,
    ruleSvg(`M${plot.left} ${plot.top}V${plot.bottom}H${plot.right}`, AXIS_OPACITY),
    svgText((plot.left + plot.right) / 2, plot.bottom + 38, withUnit(x.label, x.unit), NAME),
    svgText(16, middle, withUnit(y.label, y.unit), { ...NAME, transform: `rotate(-90 16 ${svgNumber(middle)})` }),
  ].join('\n');
}

function lineSvg(line: FigureLine, index: number, x: Scale, y: Scale): string {
  const color = colorOf(index);
  const place = (at: number): number => x.at(line.x[at] ?? 0);
  const marks = line.x.length > 40 && line.isScattered !== true ?
    [] :
    line.y.flatMap((value, at) => (value === null ? [] : dotSvg(place(at), y.at(value), color)));
  if (line.isScattered === true) return marks.join('');
  const drawn = runsOf(line).map((run) => run.map((at) => pointText(place(at), y.at(line.y[at] ?? 0))));
  const lines = drawn.map((points) => svgPath(`M${points.join('L')}`, strokeOf(index)));
  return [bandSvg(line, color, place, y), ...lines, ...marks].join('');
}

/** Indices of the line's points, split at gaps. */
function runsOf({ y }: FigureLine): number[][] {
  const runs: number[][] = [];
  y.forEach((value, at) => {
    if (value === null) return;
    if (at === 0 || y[at - 1] === null || runs.length === 0) runs.push([]);
    runs.at(-1)?.push(at);
  });
  return runs;
}

function bandSvg({ low, high, x }: FigureLine, color: string, place: (at: number) => number, y: Scale): string {
  if (low === undefined || high === undefined) return '';
  const there = x.map((_, at) => at).filter((at) => low[at] !== null && high[at] !== null);
  if (there.length === 0) return '';
  const upper = there.map((at) => pointText(place(at), y.at(high[at] ?? 0)));
  const lower = [...there].reverse().map((at) => pointText(place(at), y.at(low[at] ?? 0)));
  return svgPath(`M${[...upper, ...lower].join('L')}Z`, { 'fill': color, 'fill-opacity': '0.15' });
}

function heatSvg({ heat, x, y }: Figure, xs: Scale, ys: Scale): string {
  if (heat === undefined) return '';
  const share = heatShares(heat.values);
  const width = Math.abs(xs.at(1) - xs.at(0));
  const height = Math.abs(ys.at(1) - ys.at(0));
  const cells = (y.names ?? []).flatMap((_, row) =>
    (x.names ?? []).map((_name, column) => {
      const value = heat.values[row]?.[column] ?? null;
      if (value === null) return '';
      const [left, top] = [xs.at(column) - width / 2, ys.at(row) - height / 2];
      const color = heatTextColor(share(value));
      return svgElement('rect', { x: left, y: top, width, height, fill: heatColor(share(value)) }) +
        svgText(xs.at(column), ys.at(row) + 4, String(Number(value.toPrecision(3))), { ...MIDDLE, fill: color });
    })
  );
  return cells.join('');
}

function legendOf({ lines, heat }: Figure): string[] {
  return heat === undefined ? lines.map(({ label }) => label) : [withUnit(heat.label, heat.unit)];
}

function legendSvg(figure: Figure, top: number): { content: string; rows: number } {
  const signPx = figure.heat === undefined ? 28 : 0;
  const entries = legendOf(figure).map((label) => ({ label, signPx }));
  const places = legendPlaces(entries, LEFT, WIDTH);
  const content = entries.map(({ label }, index) => {
    const { x, row } = places[index];
    const y = top + row * LEGEND_ROW + 8;
    const isScattered = figure.lines[index]?.isScattered === true;
    const sign = figure.heat !== undefined ? '' : isScattered ?
      dotSvg(x + 11, y - 4, colorOf(index)) :
      svgPath(`M${svgNumber(x)} ${svgNumber(y - 4)}h22`, strokeOf(index));
    return sign + svgText(x + signPx, y, label);
  });
  return { content: content.join('\n'), rows: (places.at(-1)?.row ?? 0) + 1 };
}

function colorOf(index: number): string {
  return COLORS[index % COLORS.length];
}

function strokeOf(index: number): SvgAttributes {
  return { 'stroke': colorOf(index), 'stroke-width': 2, 'stroke-dasharray': DASHES[index % DASHES.length] };
}

function ruleSvg(d: string, opacity: string): string {
  return svgPath(d, { 'stroke': INK, 'stroke-opacity': opacity });
}

function dotSvg(cx: number, cy: number, fill: string): string {
  return svgElement('circle', { cx, cy, r: 3, fill });
}

function pointText(x: number, y: number): string {
  return `${svgNumber(x)} ${svgNumber(y)}`;
}

/** The numbers in the units of the axes. A row for each point: the name of its line, x, y, and the range over seeds. */
export function* figureCsv(figure: Figure): Generator<string> {
  const { x, y, lines, heat } = figure;
  if (heat !== undefined) {
    yield csvLine([x.label, y.label, withUnit(heat.label, heat.unit)]);
    for (const [row, values] of heat.values.entries()) {
      for (const [column, value] of values.entries()) {
        yield csvLine([x.names?.[column] ?? column, y.names?.[row] ?? row, value]);
      }
    }
    return;
  }
  yield csvLine(['line', withUnit(x.label, x.unit), withUnit(y.label, y.unit), 'least', 'most']);
  for (const line of lines) {
    for (const [index, at] of line.x.entries()) {
      yield csvLine([
        line.label,
        placeText(x, at),
        line.y[index] ?? null,
        line.low?.[index] ?? null,
        line.high?.[index] ?? null,
      ]);
    }
  }
}

function placeText({ names }: FigureAxis, at: number): string | number {
  return names?.[at] ?? at;
}

/** A label with its unit: `Slowdown`, `Queue (kB)`. */
export function withUnit(label: string, unit: string): string {
  return unit === '' ? label : `${label} (${unit})`;
}
