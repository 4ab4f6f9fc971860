/** Results of a case's run. */
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_US } from '../../src/units.js';

export interface Seen {
  readonly goodputGbps: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly meanUs: number;
  readonly meanSlowdown: number;
  /** Share of data packets that were retransmitted. */
  readonly again: number;
  readonly drops: number;
  readonly timeouts: number;
  readonly pauses: number;
  /** Flows that did not end. */
  readonly unfinished: number;
}

/** Completion is that of the flows that are done. */
export function see(scenario: ScenarioSpec): Seen {
  const { summary, totals } = runScenarioSync(scenario);
  const { completionPs, slowdown } = summary;
  return {
    goodputGbps: summary.goodputBps / 1e9,
    p50Us: (completionPs?.p50 ?? NaN) / PS_PER_US,
    p99Us: (completionPs?.p99 ?? NaN) / PS_PER_US,
    meanUs: (completionPs?.mean ?? NaN) / PS_PER_US,
    meanSlowdown: slowdown?.mean ?? NaN,
    again: totals.retransmittedPackets / totals.dataPackets,
    drops: totals.packetsDropped,
    timeouts: totals.timeouts,
    pauses: totals.pauses,
    unfinished: summary.flowsUnfinished,
  };
}
