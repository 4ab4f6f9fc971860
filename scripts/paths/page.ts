/** docs/studies/paths-study.md: the tables, and how to read them. */
import type { BarChart } from '../../site/charts/bar-chart.js';
import { table, tableRow } from '../markdown-table.js';
import { asShown, type StudyPage } from '../study-page.js';
import { detourCases, NETWORKS, REACTIONS, TRANSPORTS, type Balancer, type DetourCase, type Network,
  type Transport } from './cases.js';
import { scenarioOf, see, seeReaction, type Seen } from './measure.js';
import { DETOUR_READING, DETOURS, INTRODUCTION, LARGE, LARGE_READING, SPRAY_READING } from './texts.js';
import { thousandHosts } from './thousand-hosts.js';

const PERCENT = 100;

/** Runs everything. @param large the table of 1,024 hosts. */
export function pathsPage(large = thousandHosts()): StudyPage {
  const networks = NETWORKS.map((network) => ({ title: network.title, rows: seenIn(network) }));
  const text = [
    INTRODUCTION,
    ...networks.flatMap(({ title, rows }) => [`## ${title}`, '', table(HEADS, rows.map(transportRow), 2), '']),
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
  return { text, charts: [medianChart(networks[0].rows)] };
}

/** A transport under a balancer, and what was seen. */
interface SeenRow {
  readonly transport: Transport;
  readonly balancer: Balancer;
  readonly seen: Seen;
}

/** Transports and balancers of the chart: one that needs packets in order, and one that doesn't. */
const CHART_TRANSPORTS = ['go-back-n', 'tolerant'];
const CHART_BALANCERS = ['ecmp', 'flowlet', 'random', 'drill', 'conga'];

function medianChart(rows: readonly SeenRow[]): BarChart {
  const shown = rows.filter(({ transport, balancer }) =>
    CHART_TRANSPORTS.includes(transport.name) && CHART_BALANCERS.includes(balancer.name)
  );
  return {
    title: 'Median completion, leaf-spine',
    unit: 'µs',
    bars: shown.map(({ transport, balancer, seen }) => ({
      label: `${transport.name}, ${balancer.name}`,
      value: asShown(seen.p50Us),
    })),
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

function seenIn(network: Network, isWanted: (name: string) => boolean = () => true,
  only?: readonly string[]): SeenRow[] {
  return TRANSPORTS.filter(({ name }) => isWanted(name)).flatMap((transport) =>
    network.balancers.filter(({ name }) => only === undefined || only.includes(name)).map((balancer) => ({
      transport,
      balancer,
      seen: see(scenarioOf(network, balancer, transport)),
    }))
  );
}

/** Rows of a transport, one per balancer; some alone. */
export function transportRows(network: Network, transportName: string, only?: readonly string[]): string[] {
  return seenIn(network, (name) => name === transportName, only).map(transportRow);
}

function transportRow({ transport, balancer, seen }: SeenRow): string {
  return tableRow([
    transport.name,
    balancer.name,
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
