/** docs/studies/paths-study.md: the tables, and how to read them. */
import type { BarChart } from '../../site/charts/bar-chart.js';
import { table, tableRow } from '../../scripts/markdown-table.js';
import type { PlannedRun, SweepPlan } from '../../src/sweep/plan.js';
import { planOfStudy } from '../sweep.js';
import { asShown, studyFiles, type StudyFile } from '../study-page.js';
import { detourCases, REACTIONS, type DetourCase } from './source-ports.js';
import { see, seeReaction, type Seen } from './measure.js';
import { DETOUR_READING, DETOURS, INTRODUCTION, LARGE, LARGE_READING, SPRAY_READING } from './texts.js';
import { thousandHosts } from './thousand-hosts.js';

const PERCENT = 100;

/** Transport and balancer, in each network. */
export const LEAF_SPINE = planOfStudy('paths/leaf-spine.json');
export const FAT_TREE = planOfStudy('paths/fat-tree.json');
const NETWORKS: readonly (readonly [string, SweepPlan])[] = [
  ['Leaf-spine, 16 hosts, 4 spines', LEAF_SPINE],
  ['Fat-tree, k = 4, 16 hosts', FAT_TREE],
];

/** Runs everything. @param large the table of 1,024 hosts. */
export function pathsStudy(large = thousandHosts()): StudyFile[] {
  const networks = NETWORKS.map(([title, { runs }]) => ({
    title,
    rows: runs.map((run) => ({ run, seen: see(run.scenario) })),
  }));
  const text = [
    INTRODUCTION,
    ...networks.flatMap(({ title, rows }) => [
      `## ${title}`,
      '',
      table(HEADS, rows.map(({ run, seen }) => sprayRow(run, seen)), 2),
      '',
    ]),
    SPRAY_READING,
    LARGE,
    large,
    '',
    LARGE_READING,
    DETOURS,
    table(DETOUR_HEADS, detourCases().flatMap(detourRows)),
    '',
    DETOUR_READING,
  ].join('\n');
  return studyFiles('paths', { text, charts: [medianChart(networks[0].rows)] });
}

/** A transport under a balancer, and what was seen. */
interface SeenRun {
  readonly run: PlannedRun;
  readonly seen: Seen;
}

/** Transports and balancers of the chart: one that needs packets in order, and one that doesn't. */
const CHART_TRANSPORTS = ['go-back-n', 'tolerant'];
const CHART_BALANCERS = ['ecmp', 'flowlet', 'random', 'drill', 'conga'];

function medianChart(rows: readonly SeenRun[]): BarChart {
  const shown = rows.filter(({ run: { values: [transport, balancer] } }) =>
    CHART_TRANSPORTS.includes(String(transport)) && CHART_BALANCERS.includes(String(balancer))
  );
  return {
    title: 'Median completion, leaf-spine',
    unit: 'µs',
    bars: shown.map(({ run, seen }) => ({ label: run.values.join(', '), value: asShown(seen.p50Us) })),
  };
}

/** Column heads for `figures`. */
const FIGURES = [
  'completion, µs: p50',
  'p99',
  'goodput, Gb/s',
  'retransmitted',
  'out of order',
  'depth, packets',
  'longest queue, kB',
];
const HEADS = ['transport', 'balancer', ...FIGURES, 'evenness', 'unfinished'];

/** A row of the first tables. @param seen default: measured now. */
export function sprayRow({ values, scenario }: PlannedRun, seen = see(scenario)): string {
  return tableRow([
    ...values.map(String),
    ...figures(seen),
    seen.pathFairness.toFixed(3),
    count(seen.unfinished),
  ]);
}

const DETOUR_HEADS = ['network', 'notified by', ...FIGURES, 'detours'];

/** Rows of a case, one per reaction. */
export function detourRows(one: DetourCase): string[] {
  return REACTIONS.map((reaction) => {
    const seen = seeReaction(one, reaction);
    return tableRow([one.name, reaction.name, ...figures(seen), count(seen.detours)]);
  });
}

function figures(seen: Seen): string[] {
  return [
    seen.p50Us.toFixed(0),
    seen.p99Us.toFixed(0),
    seen.goodputGbps.toFixed(0),
    count(seen.sentAgain),
    `${(PERCENT * seen.outOfOrder).toFixed(1)} %`,
    count(seen.depth),
    seen.maxQueueKB.toFixed(0),
  ];
}

const count = (value: number): string => value.toFixed(0);
