/**
 * A figure as data, for a page, an SVG or a CSV, with numbers in the units of the axes; and the figures of slowdown by
 * flow size, as figures 10 and 11 of Li et al., "HPCC", SIGCOMM 2019.
 */
import { type SizeBucket, shortBytes } from '../metrics.js';

export interface Figure {
  /** Unique among all figures; part of its file names. */
  readonly id: string;
  readonly title: string;
  /** Description, one or two sentences. */
  readonly caption: string;
  readonly x: FigureAxis;
  readonly y: FigureAxis;
  readonly lines: readonly FigureLine[];
  /** A heat map, instead of lines. */
  readonly heat?: HeatMap;
}

export interface FigureAxis {
  readonly label: string;
  /** Empty for no unit. */
  readonly unit: string;
  readonly scale: 'linear' | 'log' | 'names';
  /** For scale `names`: the labels at 0, 1, 2, … */
  readonly names?: readonly string[];
}

export interface FigureLine {
  readonly label: string;
  readonly x: readonly number[];
  /** Values; null is a gap. */
  readonly y: readonly (number | null)[];
  /** Band around the line: minimum and maximum over seeds. */
  readonly low?: readonly (number | null)[];
  readonly high?: readonly (number | null)[];
  /** Whether it is drawn as points without a connecting line. */
  readonly isScattered?: boolean;
}

export interface HeatMap {
  /** Rows from the bottom up, columns from left to right, in the order of the axes' names; null for no value. */
  readonly values: readonly (readonly (number | null)[])[];
  /** What the values are. */
  readonly label: string;
  readonly unit: string;
}

/** One line: buckets for each seed, all with the same edges. */
export interface SizeSeries {
  readonly label: string;
  readonly seeds: readonly (readonly SizeBucket[])[];
}

export type SizePercentile = 'p50' | 'p95' | 'p99';

export const SIZE_PERCENTILES: readonly SizePercentile[] = ['p50', 'p95', 'p99'];
const WORDS: Readonly<Record<SizePercentile, string>> = {
  p50: 'median',
  p95: '95th percentile',
  p99: '99th percentile',
};
/** Ratio of values from which the axis is logarithmic: on a linear one, small values would be on the axis. */
const LINEAR_RATIO = 20;

/** A figure with one percentile, and a line for each series. */
export function sizeFigure(id: string, title: string, series: readonly SizeSeries[],
  percentile: SizePercentile): Figure {
  const edges = longestEdges(series);
  const lines = series.map(({ label, seeds }) => sizeLine(label, seeds, percentile, edges));
  const bands = series.some(({ seeds }) => seeds.length > 1) ?
    ' Mean over seeds; the band is their minimum and maximum.' :
    '';
  return figureOf(id, title, edges, lines,
    `Completion time over that of the flow alone in the network, ${
      WORDS[percentile]
    } of the flows of each size.${bands}`);
}

/** A figure with one series, and a line for each percentile. */
export function sizePercentileFigure(id: string, title: string, one: SizeSeries): Figure {
  const edges = longestEdges([one]);
  const lines = SIZE_PERCENTILES.map((percentile) => sizeLine(WORDS[percentile], one.seeds, percentile, edges));
  return figureOf(id, title, edges, lines,
    'Completion time over that of the flow alone in the network, by the size of flows.');
}

function figureOf(id: string, title: string, edges: readonly number[], lines: readonly FigureLine[],
  caption: string): Figure {
  const values = lines.flatMap(({ y, high = [] }) => [...y, ...high]).filter((value) => value !== null);
  const isWide = values.length > 0 && Math.max(...values) > LINEAR_RATIO * Math.min(...values);
  return {
    id,
    title,
    caption,
    x: { label: 'Flow size, up to', unit: 'bytes', scale: 'names', names: edges.map(shortBytes) },
    y: { label: 'Slowdown', unit: '', scale: isWide ? 'log' : 'linear' },
    lines,
  };
}

function longestEdges(series: readonly SizeSeries[]): number[] {
  const all = series.flatMap(({ seeds }) => seeds.map((buckets) => buckets.map(({ toBytes }) => toBytes)));
  return all.reduce((longest, edges) => (edges.length > longest.length ? edges : longest), []);
}

function sizeLine(label: string, seeds: SizeSeries['seeds'], percentile: SizePercentile,
  edges: readonly number[]): FigureLine {
  const columns = edges.map((edge) =>
    seeds.flatMap((buckets) => buckets.find(({ toBytes }) => toBytes === edge)?.[percentile] ?? [])
  );
  const over = (pick: (values: readonly number[]) => number): (number | null)[] =>
    columns.map((values) => (values.length === 0 ? null : pick(values)));
  const line = { label, x: edges.map((_, index) => index), y: over(meanOf) };
  if (seeds.length < 2) return line;
  return { ...line, low: over((values) => Math.min(...values)), high: over((values) => Math.max(...values)) };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
