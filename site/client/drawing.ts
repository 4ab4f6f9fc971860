/** Draws the start page's two charts as SVG, the same at build time and in the browser. */
import { metricOf } from '../../src/sim/metrics.js';
import { PS_PER_US } from '../../src/units.js';
import { formatBytes, formatByUnit, formatDuration } from '../../src/view/format.js';
import { SITE_METRICS } from '../../src/view/metric-tables.js';
import { svgElement, svgNumber, svgText } from '../../src/view/svg.js';
import type { ExperimentResult } from './experiment.js';
import { readsMarks, type ExperimentSettings } from './scenario.js';

interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly curves: readonly (readonly number[])[];
  readonly className: string;
  readonly maxY: number;
  /** A horizontal line with its name. */
  readonly threshold?: { readonly value: number; readonly label: string };
}

const WIDTH = 560;
const LEFT = 58;
const RIGHT = 12;
const PANEL_HEIGHT = 128;
const PANEL_GAP = 44;
const TOP = 24;
const BOTTOM = 40;
const TICKS = 4;
const LINE_RATE_GBPS = 100;
const MIDDLE = { 'class': 'axis', 'text-anchor': 'middle' };
const END = { 'class': 'axis', 'text-anchor': 'end' };

/** Draws both charts over one time axis. */
export function drawing(result: ExperimentResult, settings: ExperimentSettings): string {
  const { kminKB, senders } = settings;
  const hasMarks = readsMarks(settings);
  const maxQueueBytes = result.metrics.maxQueueBytes ?? 0;
  const panels: Panel[] = [
    {
      title: 'Queue before the receiver',
      unit: 'kB',
      curves: [result.queueKB],
      className: 'queue',
      maxY: roundUp(Math.max(maxQueueBytes / 1000, hasMarks ? kminKB : 0)),
      ...(hasMarks && { threshold: { value: kminKB, label: `Kmin ${kminKB} kB` } }),
    },
    {
      title: `Rates of the ${senders} flows`,
      unit: 'Gb/s',
      curves: result.ratesGbps,
      className: 'rate',
      maxY: LINE_RATE_GBPS,
    },
  ];
  const maxX = roundUp(result.timesUs.at(-1) ?? 1);
  const height = TOP + panels.length * PANEL_HEIGHT + PANEL_GAP + BOTTOM;
  const charts = panels.map((panel, index) =>
    svgElement('g', { transform: `translate(${LEFT} ${TOP + index * (PANEL_HEIGHT + PANEL_GAP)})` },
      panelSvg(panel, result.timesUs, maxX))
  );
  const words = `Queue before the receiver, at most ${formatBytes(maxQueueBytes)}, and rates of ${senders} flows, ` +
    `over ${formatDuration(maxX * PS_PER_US)}`;
  return svgElement('svg', { 'viewBox': `0 0 ${WIDTH} ${height}`, 'role': 'img', 'aria-label': words },
    charts.join('') + timeAxis(maxX, height));
}

/** Key numbers of the run with units: a title and a text each. */
export function keyNumbers({ metrics }: ExperimentResult): readonly (readonly [title: string, text: string])[] {
  return SITE_METRICS.map((key) => {
    const { title, unit } = metricOf(key);
    return [title, formatByUnit(metrics[key] ?? 0, unit)];
  });
}

function panelSvg({ title, unit, curves, className, maxY, threshold }: Panel, times: readonly number[],
  maxX: number): string {
  const width = WIDTH - LEFT - RIGHT;
  const y = (value: number): number => PANEL_HEIGHT * (1 - Math.min(value / maxY, 1));
  const rule = (value: number, name: string): string =>
    svgElement('path', { class: name, d: `M0 ${svgNumber(y(value))}H${width}` });
  const grid = [0, 0.5, 1].map((share) =>
    rule(share * maxY, 'tick') + svgText(-6, y(share * maxY) + 4, (share * maxY).toLocaleString('en'), END)
  );
  const lines = curves.map((curve, index) => {
    const points = pointsOf(curve, times, className === 'rate').map(([time, value]) =>
      `${svgNumber((time / maxX) * width)},${svgNumber(y(value))}`
    );
    return svgElement('polyline', { class: `${className} c${index % 4}`, points: points.join(' ') });
  });
  const mark = threshold === undefined ?
    '' :
    rule(threshold.value, 'threshold') + svgText(width, y(threshold.value) - 5, threshold.label, END);
  return svgText(0, -9, `${title}, ${unit}`, { class: 'panel-title' }) + grid.join('') + lines.join('') + mark;
}

/** Points of a curve, without those on a straight line between their neighbours; a rate only while its flow runs. */
function pointsOf(curve: readonly number[], times: readonly number[], onlyRunning: boolean): [number, number][] {
  const points = curve.map((value, index): [number, number] => [times[index] ?? 0, value]);
  const kept = onlyRunning ? points.filter(([, value]) => value > 0) : points;
  return kept.filter(([, value], index) => kept[index - 1]?.[1] !== value || kept[index + 1]?.[1] !== value);
}

function timeAxis(maxX: number, height: number): string {
  const width = WIDTH - LEFT - RIGHT;
  const labels = Array.from({ length: TICKS + 1 }, (_, index) => {
    const timeUs = (index / TICKS) * maxX;
    const text = (timeUs / 1000).toLocaleString('en', { maximumFractionDigits: 3 });
    return svgText(LEFT + (index / TICKS) * width, height - 22, text, index === TICKS ? END : MIDDLE);
  });
  return labels.join('') + svgText(LEFT + width / 2, height - 4, 'time, ms', MIDDLE);
}

/** Rounds up to a number of the form 1, 2, 4, 5 or 8 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return ([1, 2, 4, 5, 8, 10].find((factor) => factor * power >= value) ?? 10) * power;
}
