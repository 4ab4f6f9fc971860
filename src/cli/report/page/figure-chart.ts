/** Draws figures with uPlot: lines with bands, points, heat maps. */
import uPlot from 'uplot';
import type { Figure, FigureAxis, FigureLine } from '../../../sweep/figures/figure.js';
import { logSplits } from '../../../view/log-axis.js';
import { heatColor, heatShares, heatTextColor, type Range, xRange, yRange } from '../../figures/scales.js';
import { runColor, runDash, styleColor } from '../../../view/charts/palette.js';

const HEIGHT_PX = 340;
const FONT = '13px system-ui, sans-serif';
const LABEL_FONT = '600 13px system-ui, sans-serif';
const POINTS_MAX = 40;
const MARK_PX = 4;
const BAND_ALPHA = 0.15;
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- uPlot's enum is there for the compiler alone
const LOGARITHMIC = { distr: 3 } as uPlot.Scale;

/** Draws into `host`, at its current width; the caller resizes and destroys the returned chart. */
export function drawFigure(host: HTMLElement, figure: Figure): uPlot {
  const chart = new uPlot(options(host, figure), data(figure), host);
  chart.root.querySelector('.u-legend')?.setAttribute('role', 'presentation');
  host.dataset.drawn = 'true';
  host.dataset.xLabel = labelOf(figure.x);
  host.dataset.yLabel = labelOf(figure.y);
  host.dataset.lines = String(figure.lines.length);
  return chart;
}

/** The lines as uPlot's data. A heat map has no lines; a hook draws its cells. */
function data({ lines, x }: Figure): uPlot.AlignedData {
  if (lines.length === 0) return [(x.names ?? []).map((_, index) => index)];
  return uPlot.join(lines.map((line) => [[...line.x], [...line.y]]), lines.map(() => [0, 2]));
}

function options(host: HTMLElement, figure: Figure): uPlot.Options {
  return {
    width: Math.max(280, host.clientWidth),
    height: HEIGHT_PX,
    scales: { x: { time: false, ...scaleOf(figure.x, xRange(figure)) }, y: scaleOf(figure.y, yRange(figure)) },
    axes: [axisOf(figure.x, xRange(figure), 34), axisOf(figure.y, yRange(figure), 68)],
    series: [
      { label: figure.x.label, value: (_chart, value: number | null) => placeText(figure.x, value) },
      ...figure.lines.map((line, index) => seriesOf(line, index, figure.y.unit)),
    ],
    legend: { show: figure.heat === undefined },
    cursor: { drag: { x: figure.x.scale !== 'names', y: false } },
    hooks: {
      drawAxes: [(chart) => {
        if (figure.heat === undefined) figure.lines.forEach((line, index) => drawBand(chart, line, runColor(index)));
        else drawHeat(chart, figure);
      }],
      draw: [(chart) => {
        figure.lines.forEach((line, index) => {
          if (line.isScattered === true) drawMarks(chart, line, runColor(index));
        });
      }],
    },
  };
}

function scaleOf({ scale }: FigureAxis, { low, high }: Range): uPlot.Scale {
  return scale === 'log' ? { ...LOGARITHMIC, range: [low, high] } : { range: [low, high] };
}

function axisOf(axis: FigureAxis, { low, high }: Range, size: number): uPlot.Axis {
  const line = { stroke: styleColor('--grid'), width: 1 };
  const base: uPlot.Axis = {
    label: labelOf(axis),
    stroke: styleColor('--text'),
    font: FONT,
    labelFont: LABEL_FONT,
    labelSize: 26,
    grid: line,
    ticks: line,
    size,
  };
  const { names, scale } = axis;
  if (names !== undefined) {
    return {
      ...base,
      splits: () => names.map((_, at) => at),
      values: () => [...names],
      space: 10,
      grid: { show: false },
    };
  }
  if (scale === 'linear') return base;
  const splits = logSplits(low, high);
  return splits.length < 2 ? base : {
    ...base,
    splits: () => splits,
    filter: (_chart, values) => values,
    values: (_chart, values) => values.map(String),
  };
}

function seriesOf(line: FigureLine, index: number, unit: string): uPlot.Series {
  const isScattered = line.isScattered === true;
  return {
    label: line.label,
    stroke: runColor(index),
    width: 2,
    points: { show: !isScattered && line.x.length <= POINTS_MAX, size: 2 * MARK_PX },
    value: (_chart, value: number | null) => (value === null || value === undefined ? '–' : withUnit(value, unit)),
    ...(isScattered ? { paths: () => null } : { dash: runDash(index) }),
  };
}

function drawBand(chart: uPlot, { x, low, high }: FigureLine, color: string): void {
  if (low === undefined || high === undefined) return;
  const there = x.map((_, at) => at).filter((at) => low[at] !== null && high[at] !== null);
  const { ctx } = chart;
  ctx.save();
  ctx.globalAlpha = BAND_ALPHA;
  ctx.fillStyle = color;
  ctx.beginPath();
  for (const at of there) ctx.lineTo(chart.valToPos(x[at] ?? 0, 'x', true), chart.valToPos(high[at] ?? 0, 'y', true));
  for (const at of [...there].reverse()) {
    ctx.lineTo(chart.valToPos(x[at] ?? 0, 'x', true), chart.valToPos(low[at] ?? 0, 'y', true));
  }
  ctx.fill();
  ctx.restore();
}

/** Draws all points; uPlot would draw only one of several with the same x. */
function drawMarks(chart: uPlot, { x, y }: FigureLine, color: string): void {
  const { ctx } = chart;
  ctx.save();
  ctx.fillStyle = color;
  y.forEach((value, at) => {
    if (value === null) return;
    ctx.beginPath();
    ctx.arc(chart.valToPos(x[at] ?? 0, 'x', true), chart.valToPos(value, 'y', true), MARK_PX * devicePixelRatio, 0,
      2 * Math.PI);
    ctx.fill();
  });
  ctx.restore();
}

function drawHeat(chart: uPlot, { heat }: Figure): void {
  if (heat === undefined) return;
  const { ctx } = chart;
  const share = heatShares(heat.values);
  const width = Math.abs(chart.valToPos(1, 'x', true) - chart.valToPos(0, 'x', true));
  const height = Math.abs(chart.valToPos(1, 'y', true) - chart.valToPos(0, 'y', true));
  ctx.save();
  ctx.font = `${13 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  heat.values.forEach((row, at) => {
    row.forEach((value, column) => {
      if (value === null) return;
      const [x, y] = [chart.valToPos(column, 'x', true), chart.valToPos(at, 'y', true)];
      ctx.fillStyle = heatColor(share(value));
      ctx.fillRect(x - width / 2, y - height / 2, width, height);
      ctx.fillStyle = heatTextColor(share(value));
      ctx.fillText(String(Number(value.toPrecision(3))), x, y);
    });
  });
  ctx.restore();
}

function placeText({ names, unit }: FigureAxis, value: number | null): string {
  if (value === null || value === undefined) return '–';
  return names?.[Math.round(value)] ?? withUnit(value, unit);
}

function withUnit(value: number, unit: string): string {
  return `${Number(value.toPrecision(4)).toLocaleString('en-US')}${unit === '' ? '' : ` ${unit}`}`;
}

function labelOf({ label, unit }: FigureAxis): string {
  return unit === '' ? label : `${label} (${unit})`;
}
