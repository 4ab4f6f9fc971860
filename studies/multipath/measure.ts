/** Runs of the study: one scenario, what the tables show of it. */
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_US } from '../../src/units.js';

export interface Seen {
  readonly unfinished: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** When the last flow or job is done. */
  readonly allUs: number;
  /** Share of retransmissions in all data packets. */
  readonly retransmittedShare: number;
  readonly lost: number;
  readonly trimmed: number;
  readonly timeouts: number;
  readonly maxQueueKB: number;
}

export function see(spec: ScenarioSpec): Seen {
  const { summary, totals, jobs = [], flows } = runScenarioSync(spec);
  const ends = flows.map(({ startPs, completionPs }) => startPs + (completionPs ?? 0));
  const jobEnds = jobs.map(({ endPs }) => endPs ?? NaN);
  process.stderr.write(`${spec.name}\n`);
  return {
    unfinished: summary.flowsUnfinished,
    p50Us: (summary.completionPs?.p50 ?? NaN) / PS_PER_US,
    p99Us: (summary.completionPs?.p99 ?? NaN) / PS_PER_US,
    allUs: [...ends, ...jobEnds].reduce((last, end) => Math.max(last, end), 0) / PS_PER_US,
    retransmittedShare: totals.retransmittedPackets / Math.max(1, totals.dataPackets),
    lost: totals.packetsDropped,
    trimmed: totals.trimmedPackets ?? 0,
    timeouts: totals.timeouts,
    maxQueueKB: summary.maxQueueBytes / 1000,
  };
}
