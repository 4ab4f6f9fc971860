/**
 * Draws lines across a chart: thresholds, horizontal, with names that do not overlap and an axis extended to include
 * them; and the instants at which settings change, vertical.
 */
import type uPlot from 'uplot';
import { palette } from './palette.js';

/** A horizontal line across the whole chart. */
export interface Level {
  readonly label: string;
  readonly value: number;
  readonly dash: readonly number[];
}

/** Thresholds of a port's queue; absent ones do not apply. */
export interface QueueThresholds {
  readonly kminBytes?: number | undefined;
  readonly kmaxBytes?: number | undefined;
  /**
   * Pause threshold of the ingress port of its switch that came nearest to a pause: PFC pauses that port's peer when
   * its ingress occupancy reaches this.
   */
  readonly pauseBytes?: number | undefined;
  /** Name of that ingress port. */
  readonly pauseInput?: string | undefined;
}

/**
 * A level above this multiple of the highest value is not drawn, as it would flatten the lines; the legend still names
 * it.
 */
const BEYOND = 2;
const FONT_PX = 11;
/** Minimum distance of levels whose names would not overlap. */
const NAME_PX = 14;
const GAP_PX = 24;
const PAD_PX = 4;

/**
 * The levels of the shown ports, without duplicates, lowest first. Pause thresholds change with the buffer's filling,
 * so each ingress port has only its lowest.
 */
export function queueLevels(ports: readonly QueueThresholds[]): Level[] {
  const all = ports.flatMap(({ kminBytes, kmaxBytes }) => [
    levelOf('Kmin', kminBytes, [2, 3]),
    levelOf('Kmax', kmaxBytes, [6, 3]),
  ]);
  const pauses = ports.map(({ pauseBytes, pauseInput }) =>
    levelOf(`pause, input ${pauseInput ?? ''}`, pauseBytes, [12, 4])
  );
  const byText = new Map<string, Level>();
  for (const level of all) if (level !== undefined) byText.set(`${level.label} ${level.value}`, level);
  for (const level of pauses) {
    if (level !== undefined && !(level.value >= (byText.get(level.label)?.value ?? Infinity)))
      byText.set(level.label, level);
  }
  return [...byText.values()].sort((a, b) => a.value - b.value);
}

function levelOf(label: string, value: number | undefined, dash: readonly number[]): Level | undefined {
  return value !== undefined && value > 0 ? { label, value, dash } : undefined;
}

/** Top of the axis that includes levels near the lines. */
export function topWithLevels(most: number, levels: readonly Level[]): number {
  return levels.reduce((top, { value }) => (value <= BEYOND * most ? Math.max(top, value) : top), most);
}

/** Position of a level's name: distance in pixels from the chart's right edge, and the side of its line. */
export interface NamePlace {
  readonly rightPx: number;
  readonly isBelow: boolean;
}

/**
 * Places names so that they do not overlap. If the level above is near, a name goes below its line if there is space,
 * or else to the left of the name before.
 *
 * @param ysPx vertical positions of the levels, from the top down.
 * @param widthsPx widths of their names.
 * @param bottomPx bottom of the chart.
 */
export function namePlaces(ysPx: readonly number[], widthsPx: readonly number[], bottomPx: number): NamePlace[] {
  const places: NamePlace[] = [];
  let usedPx = PAD_PX;
  let lastPx = -Infinity;
  ysPx.forEach((y, index) => {
    const isNear = y - lastPx < NAME_PX;
    const next = Math.min(ysPx[index + 1] ?? Infinity, bottomPx + NAME_PX);
    const isBelow = isNear && next - y >= 2 * NAME_PX;
    if (!isNear || isBelow) usedPx = PAD_PX;
    places.push({ rightPx: usedPx, isBelow });
    usedPx += (widthsPx[index] ?? 0) + GAP_PX;
    // A name below its line occupies the space above the next line.
    lastPx = isBelow ? y + NAME_PX : y;
  });
  return places;
}

/** Draws the levels over a chart; both have the same unit. */
export function drawLevels(plot: uPlot, levels: readonly Level[]): void {
  const colors = palette();
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  const seen = levels.map((level) => ({ ...level, y: plot.valToPos(level.value, 'y', true) }))
    .filter(({ y }) => y >= bbox.top && y <= bbox.top + bbox.height).sort((a, b) => a.y - b.y);
  ctx.save();
  ctx.strokeStyle = colors.muted;
  ctx.lineWidth = scale;
  for (const { dash, y } of seen) {
    ctx.setLineDash(dash.map((part) => part * scale));
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  // Draw names after all lines, or the next level's line would cross this name.
  ctx.setLineDash([]);
  ctx.font = `${FONT_PX * scale}px system-ui, sans-serif`;
  ctx.textAlign = 'right';
  // uPlot leaves the baseline set for its axes.
  ctx.textBaseline = 'alphabetic';
  const widths = seen.map(({ label }) => ctx.measureText(label).width);
  const places = namePlaces(seen.map(({ y }) => y / scale), widths.map((width) => width / scale),
    (bbox.top + bbox.height) / scale);
  seen.forEach(({ label, y }, index) => {
    const { rightPx = PAD_PX, isBelow = false } = places[index] ?? {};
    const right = bbox.left + bbox.width - rightPx * scale;
    const base = isBelow ? y + (FONT_PX + 1) * scale : y - 4 * scale;
    ctx.fillStyle = colors.paper;
    ctx.fillRect(right - (widths[index] ?? 0) - 2 * scale, base - 9 * scale, (widths[index] ?? 0) + 4 * scale,
      FONT_PX * scale);
    ctx.fillStyle = colors.muted;
    ctx.fillText(label, right, base);
  });
  ctx.restore();
}

const DASH = [4, 3] as const;

/** Draws the instants at which settings change. */
export function drawMoments(plot: uPlot, momentsPs: readonly number[]): void {
  if (momentsPs.length === 0) return;
  const { ctx, bbox } = plot;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = palette().text;
  ctx.lineWidth = scale;
  ctx.setLineDash(DASH.map((part) => part * scale));
  for (const timePs of momentsPs) {
    const x = plot.valToPos(timePs, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
