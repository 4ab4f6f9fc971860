/** docs/studies/loss-study.md: the tables, and how to read them. */
import type { BarChart } from '../../site/charts/bar-chart.js';
import { table, tableRow } from '../markdown-table.js';
import { asShown, type StudyPage } from '../study-page.js';
import { caseOf, DCQCN, LOADS, NO_CONTROL, scenarioOf, WAYS } from './cases.js';
import { CLAIMS, scenarioOfSide, SIDES } from './claims.js';
import { see, type Seen } from './measure.js';
import { CLAIMS_READING, INTRODUCTION, READING } from './page-texts.js';

/** Mean slowdowns closer than this are called equal. */
const EQUAL = 0.02;
const CLAIM_COLUMNS = 3;
const ALGORITHMS = { 'no congestion control': NO_CONTROL, DCQCN } as const;

/** Runs everything. */
export function lossPage(): StudyPage {
  const loads = Object.keys(LOADS).map((load) => ({ load, rows: seenUnder(load) }));
  const text = [
    INTRODUCTION,
    ...loads.flatMap(({ load, rows }) => [
      `## ${load[0]?.toUpperCase()}${load.slice(1)}, DCQCN`,
      '',
      table(['configuration', 'transport', ...COLUMNS.map(([head]) => head)], rows.map(seenRow)),
      '',
    ]),
    READING,
    '## Claims of the IRN paper',
    '',
    sidesTable(),
    '',
    claimsTable(),
    '',
    CLAIMS_READING,
  ].join('\n');
  return { text, charts: loads.filter(({ load }) => load === CHART_LOAD).map(({ rows }) => tailChart(rows)) };
}

/** A configuration under a transport, and what was seen. */
interface SeenRow {
  readonly configuration: string;
  readonly way: string;
  readonly seen: Seen;
}

const CHART_LOAD = 'load 0.8';
const CHART_WAYS = ['go-back-n', 'selective-repeat', 'irn'];

function tailChart(rows: readonly SeenRow[]): BarChart {
  return {
    title: `99th percentile of completion, ${CHART_LOAD}`,
    unit: 'µs',
    bars: rows.filter(({ way }) => CHART_WAYS.includes(way)).map(({ configuration, way, seen }) => ({
      label: `${configuration}, ${way}`,
      value: asShown(seen.p99Us),
    })),
  };
}

const COLUMNS: readonly (readonly [string, (seen: Seen) => string])[] = [
  ['goodput, Gb/s', ({ goodputGbps }) => goodputGbps.toFixed(0)],
  ['completion, µs: p50', ({ p50Us }) => p50Us.toFixed(0)],
  ['p99', ({ p99Us }) => p99Us.toFixed(0)],
  ['mean slowdown', ({ meanSlowdown }) => meanSlowdown.toFixed(2)],
  ['retransmitted', ({ again }) => `${(100 * again).toFixed(1)} %`],
  ['timeouts', ({ timeouts }) => String(timeouts)],
  ['drops', ({ drops }) => String(drops)],
  ['pauses', ({ pauses }) => String(pauses)],
  ['not done', ({ unfinished }) => String(unfinished)],
];

function seenUnder(load: string): SeenRow[] {
  return (LOADS[load]?.configurations ?? []).flatMap(({ name }) => WAYS.map((way) => seenAs(load, name, way.name)));
}

function seenAs(load: string, configuration: string, way: string): SeenRow {
  return { configuration, way, seen: see(scenarioOf(caseOf(load, configuration, way))) };
}

/** A row of the first tables. */
export function loadRow(load: string, configuration: string, way: string): string {
  return seenRow(seenAs(load, configuration, way));
}

function seenRow({ configuration, way, seen }: SeenRow): string {
  return tableRow([configuration, way, ...COLUMNS.map(([, cell]) => cell(seen))]);
}

const seenOf = new Map<string, Seen>();

function seeSide(side: keyof typeof SIDES, algorithm: keyof typeof ALGORITHMS): Seen {
  const key = `${side} ${algorithm}`;
  const seen = seenOf.get(key) ?? see(scenarioOfSide(SIDES[side], ALGORITHMS[algorithm]));
  seenOf.set(key, seen);
  return seen;
}

function sidesTable(): string {
  const rows = (Object.keys(ALGORITHMS) as (keyof typeof ALGORITHMS)[]).flatMap((algorithm) =>
    (Object.keys(SIDES) as (keyof typeof SIDES)[]).map((side) => sideRow(side, algorithm))
  );
  return table(['congestion control', 'transport and network', ...COLUMNS.map(([head]) => head)], rows);
}

/** A row of the table that claims are judged by. */
export function sideRow(side: keyof typeof SIDES, algorithm: keyof typeof ALGORITHMS): string {
  const seen = seeSide(side, algorithm);
  return tableRow([algorithm, SIDES[side].name, ...COLUMNS.map(([, cell]) => cell(seen))]);
}

function claimsTable(): string {
  const names = Object.keys(ALGORITHMS) as (keyof typeof ALGORITHMS)[];
  const rows = CLAIMS.map(({ words, better, worse }) =>
    tableRow([words, ...names.map((name) => verdict(seeSide(better, name), seeSide(worse, name)))])
  );
  return table(['claim', ...names.map((name) => `what we find: ${name}`)], rows, CLAIM_COLUMNS);
}

/** By mean slowdown; a side with flows that did not end is the worse one. */
function verdict(better: Seen, worse: Seen): string {
  const numbers = `${better.meanSlowdown.toFixed(2)} against ${worse.meanSlowdown.toFixed(2)}`;
  if (worse.unfinished > better.unfinished) return `holds: ${numbers}, and ${worse.unfinished} flows not done`;
  const ratio = worse.meanSlowdown / better.meanSlowdown;
  if (ratio > 1 + EQUAL) return `holds: ${numbers}`;
  return ratio > 1 - EQUAL ? `no difference: ${numbers}` : `does not hold: ${numbers}`;
}
