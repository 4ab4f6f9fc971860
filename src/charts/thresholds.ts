/** Thresholds of a chart: levels across it with names that do not touch, and how far the axis reaches for them. */
import type uPlot from 'uplot';
import { palette } from './palette.js';

/** A level across the whole chart. */
export interface Level {
  readonly label: string;
  readonly value: number;
  readonly dash: readonly number[];
}

/** Thresholds of a port's queue; what is left out it does not have. */
export interface QueueThresholds {
  readonly kminBytes?: number | undefined;
  readonly kmaxBytes?: number | undefined;
  /** Of the input of its switch that came nearest to a pause: what comes in there is paused when it holds so much. */
  readonly pauseBytes?: number | undefined;
  /** The name of that input. */
  readonly pauseInput?: string | undefined;
}

/** A level this many times as high as all lines would flatten them: the legend names it, it is not drawn. */
const BEYOND = 2;
const FONT_PX = 11;
/** Names of levels nearer than that would lie on each other. */
const NAME_PX = 14;
const GAP_PX = 24;
const PAD_PX = 4;

/** The levels of ports that a chart shows, each once, from the lowest up; of pauses at one input, which move all the time, the lowest. */
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

/** Top of the axis, so that levels near the lines are in the chart. */
export function topWithLevels(most: number, levels: readonly Level[]): number {
  return levels.reduce((top, { value }) => (value <= BEYOND * most ? Math.max(top, value) : top), most);
}

/** Where a level's name is drawn: pixels to the left of the chart's right edge, and on which side of its line. */
export interface NamePlace {
  readonly rightPx: number;
  readonly isBelow: boolean;
}

/**
 * Places of names, so that those of neighbours do not touch: below the line where the neighbour above is near and there
 * is room, else to the left of the name before.
 *
 * @param ysPx of the levels, from the top down. @param widthsPx of their names. @param bottomPx of the chart.
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
    // A name below its line reaches down to where the next one's would begin.
    lastPx = isBelow ? y + NAME_PX : y;
  });
  return places;
}

/** Draws the levels over a chart, whose values have their unit. */
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
  // After all lines, or the next level would strike the name of this one through.
  ctx.setLineDash([]);
  ctx.font = `${FONT_PX * scale}px system-ui, sans-serif`;
  ctx.textAlign = 'right';
  // uPlot leaves it as its axes have it.
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
