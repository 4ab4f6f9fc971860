/** docs/paths-study.md: the tables, and how to read them. */
import { table, tableRow } from '../markdown-table.js';
import { detourCases, NETWORKS, REACTIONS, TRANSPORTS, type DetourCase, type Network } from './cases.js';
import { scenarioOf, see, seeReaction, type Seen } from './measure.js';
import { DETOUR_READING, DETOURS, INTRODUCTION, LARGE, LARGE_READING, SPRAY_READING } from './texts.js';
import { thousandHosts } from './thousand-hosts.js';

const PERCENT = 100;

/** Runs everything. @param large the table of 1,024 hosts. */
export function pathsPage(large = thousandHosts()): string {
  return [
    INTRODUCTION,
    ...NETWORKS.flatMap((network) => [`## ${network.title}`, '', networkTable(network), '']),
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

function networkTable(network: Network): string {
  return table(HEADS, TRANSPORTS.flatMap(({ name }) => transportRows(network, name)), 2);
}

/** Rows of a transport, one per balancer; some alone. */
export function transportRows(network: Network, transportName: string, only?: readonly string[]): string[] {
  return TRANSPORTS.filter(({ name }) => name === transportName).flatMap((transport) =>
    network.balancers.filter(({ name }) => only === undefined || only.includes(name)).map((balancer) => {
      const seen = see(scenarioOf(network, balancer, transport));
      return tableRow([
        transport.name,
        balancer.name,
        ...figures(seen),
        seen.pathFairness.toFixed(3),
        count(seen.unfinished),
      ]);
    })
  );
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
