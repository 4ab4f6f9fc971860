/** docs/studies/multipath-study.md: findings, the figure, tables, and how it was made. */
import { table, tableRow } from '../../scripts/markdown-table.js';
import { CONDITION_KEYS, CONDITIONS, LARGE_SIDE, LONG_WORKLOADS, NETWORKS, ONE_PLANE, scenarioOf, SMALL_SIDE,
  STACK_KEYS, STACKS, WORKLOAD_KEYS, WORKLOADS, type ConditionKey, type NetworkCase, type StackKey,
  type WorkloadKey } from './cases.js';
import { pageFile, type StudyFile } from '../study-page.js';
import { planeFigure } from './figure.js';
import { findings, type Results } from './findings.js';
import { see, type Seen } from './measure.js';
import { DISTANCES, MECHANISM_KEYS, MECHANISMS, notifiedUs, type Distance } from './notified.js';
import { PUBLISHED, publishedRow } from './published.js';
import { reorderingTable } from './reordering.js';
import * as texts from './texts.js';
import { uetTable } from './uet-runs.js';

const PERCENT = 100;
const FIGURES = ['p50, µs', 'p99', 'all', 'retransmitted', 'lost', 'trimmed', 'timeouts', 'queue, kB', 'unfinished'];
const HEALTHY_HEADS = ['workload', 'ports of a host', 'transport', ...FIGURES];
const FAULT_HEADS = ['network', ...HEALTHY_HEADS];

/** Runs everything. */
export function multipathStudy(): StudyFile[] {
  return [pageFile('docs/studies/multipath-study.md', multipathPage()), {
    path: 'docs/images/multipath-study.svg',
    content: planeFigure(),
  }];
}

function multipathPage(): string {
  const seen = remembered();
  const large = WORKLOAD_KEYS.flatMap((workload) => rowsOf(seen, 'large', workload));
  const faults = CONDITION_KEYS.flatMap((condition) =>
    WORKLOAD_KEYS.flatMap((workload) => rowsOf(seen, condition, workload))
  );
  return [
    texts.TITLE,
    '![Share of flows complete over time, as one of four planes fails](../images/multipath-study.svg)',
    '',
    '## Findings',
    '',
    findings(seen, notifiedUs),
    '',
    texts.HEALTHY,
    table(HEALTHY_HEADS, large, 3),
    '',
    texts.FAULTS,
    table(FAULT_HEADS, faults, 4),
    '',
    texts.NOTIFIED,
    table(['receivers', 'notified by', 'first sender, µs', 'half of them, µs'], notifiedRows()),
    '',
    texts.FAST_CNP,
    table(['workload', 'transport', 'notified by', ...FIGURES], fastCnpRows(), 3),
    '',
    texts.REORDERING,
    reorderingTable(),
    '',
    texts.REORDERING_READING,
    texts.UET,
    uetTable(),
    '',
    texts.PUBLISHED,
    table(['figure', 'experiment', 'published', 'ours'], PUBLISHED.map(publishedRow), 4),
    '',
    texts.PUBLISHED_READING,
    texts.HOW,
  ].join('\n');
}

/** Each case runs once. @throws Error where a network has no such fault. */
function remembered(): Results {
  const known = new Map<string, Seen>();
  return (condition, workload, network, stack) => {
    const key = [condition, workload, network.name, stack].join();
    const seen = known.get(key) ?? seeCase(condition, workload, network, stack);
    if (seen === undefined) throw new Error(`${key}: no such fault`);
    known.set(key, seen);
    return seen;
  };
}

function seeCase(condition: ConditionKey | 'large', workload: WorkloadKey, network: NetworkCase, stack: StackKey): Seen
  | undefined {
  const isLarge = condition === 'large';
  const spec = scenarioOf(network, stack, workload, isLarge ? 'healthy' : condition, isLarge ? LARGE_SIDE : SMALL_SIDE);
  return spec && see(spec);
}

function rowsOf(seen: Results, condition: ConditionKey | 'large', workload: WorkloadKey): string[] {
  return NETWORKS.flatMap((network) => {
    if (condition !== 'large' && scenarioOf(network, 'mrc', workload, condition, SMALL_SIDE) === undefined) return [];
    return STACK_KEYS.map((stack) =>
      caseRow(condition, workload, network, stack, seen(condition, workload, network, stack))
    );
  });
}

/** A row; those of 1,024 hosts have no column of the condition. */
export function caseRow(condition: ConditionKey | 'large', workload: WorkloadKey, network: NetworkCase, stack: StackKey,
  seen = seeCase(condition, workload, network, stack)): string {
  if (seen === undefined) throw new Error(`${condition}, ${network.name}: no such fault`);
  return tableRow([
    ...(condition === 'large' ? [] : [CONDITIONS[condition].name]),
    WORKLOADS[workload].name,
    network.name,
    STACKS[stack].name,
    ...figures(seen),
  ]);
}

/** RC only: NSCC has no reaction to Fast CNPs. */
export function fastCnpRows(): string[] {
  return LONG_WORKLOADS.flatMap(({ name, workload }) =>
    (['goBackN', 'selectiveRepeat'] as const).flatMap((stack) =>
      [false, true].map((fastCnp) => {
        const spec = scenarioOf(ONE_PLANE, stack, 'permutation', 'healthy', SMALL_SIDE);
        if (spec === undefined) throw new Error('There is no scenario without a fault');
        const { switches } = spec;
        const seen = see({ ...spec, workload: workload(SMALL_SIDE), switches: { ...switches, fastCnp } });
        return tableRow([name, STACKS[stack].name, fastCnp ? 'Fast CNP' : 'CNP', ...figures(seen)]);
      })
    )
  );
}

function figures(seen: Seen): string[] {
  return [
    seen.p50Us.toFixed(1),
    seen.p99Us.toFixed(1),
    seen.allUs.toFixed(1),
    `${(PERCENT * seen.retransmittedShare).toFixed(1)} %`,
    String(seen.lost),
    String(seen.trimmed),
    String(seen.timeouts),
    seen.maxQueueKB.toFixed(0),
    String(seen.unfinished),
  ];
}

export function notifiedRows(): string[] {
  const us = (value: number): string => (Number.isFinite(value) ? value.toFixed(1) : 'never');
  return (Object.keys(DISTANCES) as Distance[]).flatMap((distance) =>
    MECHANISM_KEYS.map((key) => {
      const { first, half } = notifiedUs(distance, key);
      return tableRow([distance, MECHANISMS[key].name, us(first), us(half)]);
    })
  );
}
