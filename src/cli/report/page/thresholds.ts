/** Thresholds in a chart: dashed lines with names, and a sentence that has those too that lie beyond it. */
import type uPlot from 'uplot';
import type { PagePort } from '../page-data.js';
import { styleColor } from './colors.js';
import { BYTE_UNITS, unitFor, withUnit, type Unit } from './units.js';

/** One level of a chart's vertical axis. */
export interface Threshold {
  readonly label: string;
  /** In the axis's unit. */
  readonly value: number;
}

/** A level this many times as high as all lines would flatten them: it is named, not drawn. */
const BEYOND = 2;
const FONT_PX = 12;
const PAD_PX = 4;
/** Names of neighbours stand side by side. */
const NAME_PX = 96;
const DASH = [2, 3];

/** The levels of the ports that a chart shows, each once; of pause thresholds, which move all the time, the lowest. */
export function thresholdsOf(ports: readonly PagePort[], unit: Unit): Threshold[] {
  const pauses = ports.flatMap(({ pauseBytes }) => pauseBytes ?? []);
  const levels = [
    ...ports.flatMap(({ kminBytes, kmaxBytes }) => [['Kmin', kminBytes] as const, ['Kmax', kmaxBytes] as const]),
    ...(pauses.length === 0 ? [] : [['pause', Math.min(...pauses)] as const]),
  ];
  const byText = new Map<string, Threshold>();
  for (const [label, bytes] of levels) {
    if (bytes !== undefined) byText.set(`${label} ${bytes}`, { label, value: bytes / unit.size });
  }
  return [...byText.values()].sort((a, b) => a.value - b.value);
}

/** Top of the axis, so that levels near the lines are in the chart. */
export function withThresholds(yMax: number, thresholds: readonly Threshold[]): number {
  return thresholds.reduce((top, { value }) => (value <= BEYOND * yMax ? Math.max(top, value) : top), yMax);
}

/** Draws the levels over a chart. */
export function drawThresholds(chart: uPlot, thresholds: readonly Threshold[]): void {
  const { ctx, bbox } = chart;
  const scale = window.devicePixelRatio;
  ctx.save();
  ctx.font = `${FONT_PX * scale}px system-ui, sans-serif`;
  ctx.strokeStyle = styleColor('--text');
  ctx.fillStyle = styleColor('--text');
  ctx.textAlign = 'right';
  ctx.textBaseline = 'bottom';
  ctx.setLineDash(DASH.map((length) => length * scale));
  thresholds.forEach(({ label, value }, index) => {
    const y = chart.valToPos(value, 'y', true);
    if (y < bbox.top || y > bbox.top + bbox.height) return;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    const x = bbox.left + bbox.width - (PAD_PX + (index % 3) * NAME_PX) * scale;
    ctx.fillText(label, x, y - scale);
  });
  ctx.restore();
}

/** Says all levels below the chart; none: nothing. */
export function tellThresholds(figure: Element | null, thresholds: readonly Threshold[], unit: Unit): void {
  figure?.querySelector('.thresholds')?.remove();
  if (figure === null || thresholds.length === 0) return;
  const text = document.createElement('p');
  text.className = 'thresholds';
  text.textContent = `Thresholds: ${
    thresholds.map(({ label, value }) => {
      const bytes = value * unit.size;
      const shown = unitFor(bytes, BYTE_UNITS);
      return `${label} ${withUnit(bytes / shown.size, shown)}`;
    }).join(', ')
  }.`;
  figure.append(text);
}
