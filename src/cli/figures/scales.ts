/** Ranges of a figure's axes and colours of its heat map, shared by the page and the SVG file. */
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

/** Ticks of a linear axis. */

const STEPS = [1, 2, 5, 10];

/** Multiples of 1, 2 or 5 times a power of ten, from `low` to `high`, approximately `count` of them. */
export function linearTicks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((factor) => factor * power >= rough) ?? 1) * power;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/**
 * Viridis of matplotlib (CC0), from its light end, in nine steps: light for the least, dark for the most, distinguishable
 * by lightness alone.
 */
const STOPS = [[253, 231, 37], [170, 220, 50], [93, 201, 99], [39, 173, 129], [33, 144, 141], [44, 114, 142], [
  59,
  82,
  139,
], [
  71,
  44,
  122,
], [68, 1, 84]] as const;
/** From this share up, text in a cell is white. */
const DARK_FROM = 0.45;

/** @param share 0 (lightest) to 1 (darkest). */
export function heatColor(share: number): string {
  const place = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const from = Math.min(STOPS.length - 2, Math.floor(place));
  const [a, b] = [STOPS[from], STOPS[from + 1]];
  const mixed = a.map((channel, index) => Math.round(channel + (b[index] - channel) * (place - from)));
  return `rgb(${mixed.join(',')})`;
}

export function heatTextColor(share: number): string {
  return share >= DARK_FROM ? '#fff' : '#000';
}

/** Maps a heat map's values to 0 (the smallest) to 1 (the largest). */
export function heatShares(values: readonly (readonly (number | null)[])[]): (value: number) => number {
  const all = values.flat().flatMap((value) => value ?? []);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return (value) => (most > least ? (value - least) / (most - least) : 0.5);
}
