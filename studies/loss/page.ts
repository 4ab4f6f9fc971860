/** docs/studies/loss-study.md: the tables, and how to read them. */
import type { BarChart } from '../../site/charts/bar-chart.js';
import { table, tableRow } from '../../scripts/markdown-table.js';
import { planOfStudy, runWith, valuesOf } from '../sweep.js';
import { asShown, studyFiles, type StudyFile } from '../study-page.js';
import { CLAIMS, SIDES } from './claims.js';
import { see, type Seen } from './measure.js';
import { CLAIMS_READING, INTRODUCTION, READING } from './texts.js';

/** Load, configuration of the network, transport. */
export const PLAN = planOfStudy('loss/sweep.json');
/** Congestion control; transport and network. */
export const CLAIMS_PLAN = planOfStudy('loss/claims.json');

/** Without slow receivers, adapters never pause: the two configurations have the same results, and one row. */
const SHARED_ROW = { 'semi-lossless': undefined, 'lossy-1': 'semi-lossless, lossy-1' };
const SLOW_RECEIVERS = 'slow receivers';

/** Mean slowdowns closer than this are called equal. */
const EQUAL = 0.02;
const CLAIM_COLUMNS = 3;
const CHART_LOAD = 'load 0.8';
const CHART_TRANSPORTS = ['go-back-n', 'selective-repeat', 'irn'];

/** Runs everything. */
export function lossStudy(): StudyFile[] {
  const loads = valuesOf(PLAN, 'load').map((load) => ({ load, rows: seenUnder(load) }));
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
  const charts = loads.filter(({ load }) => load === CHART_LOAD).map(({ rows }) => tailChart(rows));
  return studyFiles('loss', { text, charts });
}

/** A configuration under a transport, and what was seen. */
interface SeenRow {
  /** As the table names it. */
  readonly configuration: string;
  readonly transport: string;
  readonly seen: Seen;
}

function tailChart(rows: readonly SeenRow[]): BarChart {
  return {
    title: `99th percentile of completion, ${CHART_LOAD}`,
    unit: 'µs',
    bars: rows.filter(({ transport }) => CHART_TRANSPORTS.includes(transport))
      .map(({ configuration, transport, seen }) => ({
        label: `${configuration}, ${transport}`,
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

/** Configurations that have a row under a load, by name and as the table names them. */
export function configurationsUnder(load: string): readonly (readonly [string, string])[] {
  return valuesOf(PLAN, 'configuration').flatMap((name): [string, string][] => {
    if (load === SLOW_RECEIVERS || !(name in SHARED_ROW)) return [[name, name]];
    const shown = SHARED_ROW[name as keyof typeof SHARED_ROW];
    return shown === undefined ? [] : [[name, shown]];
  });
}

function seenUnder(load: string): SeenRow[] {
  return configurationsUnder(load).flatMap(([configuration, shown]) =>
    valuesOf(PLAN, 'transport').map((transport) => ({
      configuration: shown,
      transport,
      seen: see(runWith(PLAN, { load, configuration, transport }).scenario),
    }))
  );
}

/** The cells of a run after its names, measured now. */
export function measuredCells(load: string, configuration: string, transport: string): string[] {
  return cellsOf(see(runWith(PLAN, { load, configuration, transport }).scenario));
}

function seenRow({ configuration, transport, seen }: SeenRow): string {
  return tableRow([configuration, transport, ...cellsOf(seen)]);
}

function cellsOf(seen: Seen): string[] {
  return COLUMNS.map(([, cell]) => cell(seen));
}

const seenOf = new Map<string, Seen>();

function seeSide(side: keyof typeof SIDES, control: string): Seen {
  const values = { 'congestion control': control, 'transport and network': SIDES[side] };
  const key = JSON.stringify(values);
  const seen = seenOf.get(key) ?? see(runWith(CLAIMS_PLAN, values).scenario);
  seenOf.set(key, seen);
  return seen;
}

const controls = (): string[] => valuesOf(CLAIMS_PLAN, 'congestion control');

function sidesTable(): string {
  const rows = controls().flatMap((control) =>
    (Object.keys(SIDES) as (keyof typeof SIDES)[]).map((side) => sideRow(side, control))
  );
  return table(['congestion control', 'transport and network', ...COLUMNS.map(([head]) => head)], rows);
}

/** A row of the table that claims are judged by. */
export function sideRow(side: keyof typeof SIDES, control: string): string {
  return tableRow([control, SIDES[side], ...cellsOf(seeSide(side, control))]);
}

function claimsTable(): string {
  const rows = CLAIMS.map(({ words, better, worse }) =>
    tableRow([words, ...controls().map((name) => verdict(seeSide(better, name), seeSide(worse, name)))])
  );
  return table(['claim', ...controls().map((name) => `what we find: ${name}`)], rows, CLAIM_COLUMNS);
}

/** By mean slowdown; a side with flows that did not end is the worse one. */
function verdict(better: Seen, worse: Seen): string {
  const numbers = `${better.meanSlowdown.toFixed(2)} against ${worse.meanSlowdown.toFixed(2)}`;
  if (worse.unfinished > better.unfinished) return `holds: ${numbers}, and ${worse.unfinished} flows not done`;
  const ratio = worse.meanSlowdown / better.meanSlowdown;
  if (ratio > 1 + EQUAL) return `holds: ${numbers}`;
  return ratio > 1 - EQUAL ? `no difference: ${numbers}` : `does not hold: ${numbers}`;
}
