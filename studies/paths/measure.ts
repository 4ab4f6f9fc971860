/** Runs of the study: one scenario, what the tables show of it. */
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { BPS_PER_GBPS, PS_PER_US } from '../../src/units.js';
import type { DetourCase, Reaction } from './source-ports.js';

export interface Seen {
  readonly unfinished: number;
  /** Of flows that are done; NaN: none is. */
  readonly p50Us: number;
  readonly p99Us: number;
  readonly goodputGbps: number;
  readonly sentAgain: number;
  /** Share of data packets that came ahead of the one expected. */
  readonly outOfOrder: number;
  readonly depth: number;
  readonly pathFairness: number;
  readonly detours: number;
  readonly maxQueueKB: number;
}

export function see(spec: ScenarioSpec): Seen {
  const { summary, totals } = runScenarioSync({ ...spec, record: { flows: 0, ports: [] } });
  return {
    unfinished: summary.flowsUnfinished,
    p50Us: (summary.completionPs?.p50 ?? NaN) / PS_PER_US,
    p99Us: (summary.completionPs?.p99 ?? NaN) / PS_PER_US,
    goodputGbps: summary.goodputBps / BPS_PER_GBPS,
    sentAgain: totals.retransmittedPackets,
    outOfOrder: (summary.outOfOrderPackets ?? 0) / Math.max(1, totals.dataPackets),
    depth: summary.reorderingDepthPackets ?? 0,
    pathFairness: summary.pathFairness ?? NaN,
    detours: summary.detours ?? 0,
    maxQueueKB: summary.maxQueueBytes / 1000,
  };
}

/** Means over the seeds of a case; the depth is the most. */
export function seeReaction({ spec, seeds }: DetourCase, { switches, hosts }: Reaction): Seen {
  const seen = seeds.map((seed) =>
    see({ ...spec, seed, switches: { ...spec.switches, ...switches }, hosts: { ...spec.hosts, ...hosts } })
  );
  const mean = (key: keyof Seen): number => seen.reduce((sum, one) => sum + one[key], 0) / seen.length;
  return {
    unfinished: mean('unfinished'),
    p50Us: mean('p50Us'),
    p99Us: mean('p99Us'),
    goodputGbps: mean('goodputGbps'),
    sentAgain: mean('sentAgain'),
    outOfOrder: mean('outOfOrder'),
    depth: Math.max(...seen.map(({ depth }) => depth)),
    pathFairness: mean('pathFairness'),
    detours: mean('detours'),
    maxQueueKB: mean('maxQueueKB'),
  };
}
