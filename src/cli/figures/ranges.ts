/** Ranges of a figure's axes, shared by the page and the SVG file. */
import type { Figure, FigureAxis, FigureLine } from '../../sweep/figures/figure.js';

export interface Range {
  readonly low: number;
  readonly high: number;
}

const ROOM = 0.05;
const NAME_ROOM = 0.5;

export function xRange({ x, lines }: Figure): Range {
  return rangeOf(x, lines.flatMap((line) => [...line.x]), false);
}

export function yRange({ y, lines }: Figure): Range {
  return rangeOf(y, lines.flatMap(valuesOf), true);
}

function valuesOf({ y, low = [], high = [] }: FigureLine): number[] {
  return [...y, ...low, ...high].flatMap((value) => value ?? []);
}

function rangeOf({ scale, names = [] }: FigureAxis, values: readonly number[], isFromZero: boolean): Range {
  if (scale === 'names') return { low: -NAME_ROOM, high: names.length - NAME_ROOM };
  const least = values.reduce((low, value) => Math.min(low, value), Infinity);
  const most = values.reduce((high, value) => Math.max(high, value), -Infinity);
  if (values.length === 0) return { low: 0, high: 1 };
  if (scale === 'log') return { low: least / 1.1, high: most * 1.1 };
  const low = isFromZero ? Math.min(0, least) : least;
  const room = (most - low) * ROOM || Math.abs(most) * ROOM || 1;
  return { low: isFromZero ? low : least - room, high: most + room };
}
