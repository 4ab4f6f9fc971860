/** The tables of bench/RESULTS.md, each with a chart of its times before it, and an overview at the top. */
import type { Bar } from './bar-chart.js';
import { chartBlock } from './chart-block.js';

interface BenchTable {
  readonly title: string;
  /** Quantity of the times, such as `ns per event`. */
  readonly unit: string;
  readonly base: string;
  /** Variants with their time, in ns. */
  readonly rows: ReadonlyMap<string, number>;
}

/** Heading, unit and base, and the rows of a table. */
const TABLE = /^### (.+)\n\n(ns per [\w-]+); ratio to (.+)\.\n\n((?:\|.*\n)+)/gm;

/** Comparison of the first chart: the engine and native C, in the tables of three numbers of QPs. */
const OVERVIEW: readonly (readonly [title: string, tables: readonly string[], variants: readonly string[]])[] = [
  [
    'DCQCN, packets and CNPs mixed',
    ['mix uniform 1k', 'mix uniform 64k', 'mix uniform 1M'],
    ['native C, batch 4096', 'wasm, batch 4096'],
  ],
  [
    'Raw frames to actions',
    ['packets 1k', 'packets 64k', 'packets 1M'],
    ['native C, one pass, batch 4096', 'wasm, batch 4096'],
  ],
  ['HPCC, five hops', ['hpcc 5 hops 1k', 'hpcc 5 hops 64k', 'hpcc 5 hops 1M'], [
    'native C, batch 4096',
    'wasm, batch 4096',
  ]],
];

/** The page's text with blocks for the charts in it. */
export function withCharts(text: string): string {
  const tables = benchTables(text);
  const charted = text.replaceAll(TABLE, (whole: string, title: string) => {
    const table = tables.get(title);
    if (table === undefined || table.rows.size < 2) return whole;
    const bars = [...table.rows].map(([label, value]) => ({ label, value, isBase: label === table.base }));
    return whole.replace(/\n\n\|/, `\n\n${chartBlock({ title, unit: table.unit, bars })}\n|`);
  });
  return charted.replace('\n## Goals\n', `\n## Overview\n\n${overview(tables)}\n## Goals\n`);
}

/** All tables of times, by their headings. */
export function benchTables(text: string): Map<string, BenchTable> {
  return new Map([...text.matchAll(TABLE)].map(([, title, unit, base, table]) => {
    const [, , ...lines] = table.trimEnd().split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    return [title, { title, unit, base, rows: new Map(lines.map(([, variant, ns]) => [variant, Number(ns)])) }];
  }));
}

function overview(tables: ReadonlyMap<string, BenchTable>): string {
  const charts = OVERVIEW.map(([title, names, variants]) => {
    const found = names.flatMap((name) => tables.get(name) ?? []);
    const bars = found.flatMap((table): Bar[] =>
      variants.map((variant) => ({
        label: `${variant.replace(/,.*/, '')}, ${qpCount(table.title)} QPs`,
        value: table.rows.get(variant) ?? NaN,
        isBase: variant === table.base,
      }))
    );
    return found.length === 0 ? '' : chartBlock({ title, unit: found[0].unit, bars });
  });
  return `The engine and the same algorithm in C, by the number of QPs; batches of 4096.\n\n${charts.join('\n')}`;
}

function qpCount(title: string): string {
  return ({ '1k': '1,000', '64k': '64,000', '1M': '1 million' } as Record<string, string>)[
    title.split(' ').at(-1) ?? ''
  ] ??
    title;
}
