/** Adds charts to the benchmarks page: one before each table of times, and an overview, from bench/results.json. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../catalog.js';
import type { Bar, BarChart } from './bar-chart.js';
import { chartBlock } from './chart-block.js';

/** The parts of a table that charts need. */
interface BenchTable {
  readonly title: string;
  /** The timed operation: `event`, `lookup`, `packet`. */
  readonly unit: string;
  readonly base: string;
  readonly variants: readonly { readonly name: string; readonly medianNs: number }[];
}

/** A comparison: the tables for three numbers of QPs, and the variant in C. */
interface Overview {
  readonly title: string;
  readonly tables: readonly (readonly [qps: string, title: string])[];
  readonly native: string;
}

const WASM = 'wasm, batch 4096';

/** The first charts: the engine and native C. */
const OVERVIEW: readonly Overview[] = [
  { title: 'DCQCN, packets and CNPs mixed', tables: bySize('mix uniform'), native: 'native C, batch 4096' },
  { title: 'Raw frames to actions', tables: bySize('packets'), native: 'native C, one pass, batch 4096' },
  { title: 'HPCC, five hops', tables: bySize('hpcc 5 hops'), native: 'native C, batch 4096' },
];

function bySize(workload: string): Overview['tables'] {
  return [['1,000', `${workload} 1k`], ['64,000', `${workload} 64k`], ['1 million', `${workload} 1M`]];
}

/** All tables of times, in page order. */
function benchTables(): readonly BenchTable[] {
  const { suites } = JSON.parse(readFileSync(path.join(ROOT, 'bench/results.json'), 'utf8')) as {
    readonly suites: readonly { readonly cases: readonly BenchTable[] }[];
  };
  return suites.flatMap(({ cases }) => cases);
}

/** Adds blocks for the charts to the page's text. */
export function withCharts(text: string): string {
  const tables = benchTables();
  const charted = tables.filter(({ variants }) => variants.length > 1).reduce(withChart, text);
  return charted.replace('\n## Goals\n', `\n## Overview\n\n${overview(tables)}\n## Goals\n`);
}

/** @param text page text: the table's heading, a line about it, and its rows */
function withChart(text: string, table: BenchTable): string {
  const heading = text.indexOf(`\n### ${table.title}\n`);
  const rows = heading < 0 ? -1 : text.indexOf('\n|', heading);
  if (rows < 0) throw new Error(`bench/RESULTS.md has no table ${table.title}: run npm run docs`);
  return `${text.slice(0, rows + 1)}${chartBlock(chartOf(table))}\n${text.slice(rows + 1)}`;
}

function chartOf({ title, unit, base, variants }: BenchTable): BarChart {
  const bars = variants.map(({ name, medianNs }) => ({ label: name, value: medianNs, isBase: name === base }));
  return { title, unit: unitOf(unit), bars };
}

function unitOf(unit: string): string {
  return `ns per ${unit}`;
}

function overview(tables: readonly BenchTable[]): string {
  const charts = OVERVIEW.flatMap(({ title, tables: wanted, native }) => {
    const bars = wanted.flatMap(([qps, name]) => barsOf(tables.find((table) => table.title === name), qps, native));
    const unit = tables.find((table) => table.title === wanted[0][1])?.unit ?? '';
    return bars.length === 0 ? [] : [chartBlock({ title, unit: unitOf(unit), bars })];
  });
  return `The engine and the same algorithm in C, by the number of QPs; batches of 4096.\n\n${charts.join('\n')}`;
}

function barsOf(table: BenchTable | undefined, qps: string, native: string): Bar[] {
  if (table === undefined) return [];
  return ([[native, 'native C'], [WASM, 'wasm']] as const).map(([variant, label]) => ({
    label: `${label}, ${qps} QPs`,
    value: table.variants.find(({ name }) => name === variant)?.medianNs ?? NaN,
    isBase: variant === table.base,
  }));
}
