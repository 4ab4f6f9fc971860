/** Runs of the study: one scenario, what the tables show of it. */
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { SimResult } from '../../src/sim/result.js';
import { PS_PER_MS, PS_PER_US } from '../../src/units.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

export interface Seen {
  /** Of the first flow that is notified of congestion, from its start on; NaN: none is. */
  readonly firstNoticeUs: number;
  readonly longestQueueMB: number;
  readonly drops: number;
  readonly sentAgain: number;
  /** Pause frames, and ARNs sent. */
  readonly pauses: number;
  readonly arns: number;
  /** Mean of the flows over the WAN that are done; NaN: none is. */
  readonly completionMs: number;
  readonly unfinished: number;
  /** Of the flow that stays in its data centre. */
  readonly bystanderMs: number;
  /** Time for which pauses held it although its own path was free. */
  readonly bystanderHeldMs: number;
}

/** The bystander is the last flow. */
export function see(scenario: ScenarioSpec): Seen {
  const { flows, summary, totals, wan } = runScenarioSync(scenario);
  const bystander = flows[flows.length - 1];
  const across = flows.slice(0, -1);
  const done = across.flatMap(({ completionPs }) => (completionPs === null ? [] : [completionPs]));
  const notices = flows.flatMap(({ firstNotificationPs }) => firstNotificationPs ?? []);
  return {
    firstNoticeUs: notices.length === 0 ? NaN : Math.min(...notices) / PS_PER_US,
    longestQueueMB: summary.maxQueueBytes / 1e6,
    drops: totals.packetsDropped,
    sentAgain: totals.retransmittedPackets,
    pauses: totals.pauses,
    arns: arnsOf(wan),
    completionMs: mean(done) / PS_PER_MS,
    unfinished: across.length - done.length,
    bystanderMs: (bystander.completionPs ?? NaN) / PS_PER_MS,
    bystanderHeldMs: (bystander.heldPs ?? 0) / PS_PER_MS,
  };
}

function arnsOf(wan: SimResult['wan']): number {
  return (wan?.arnPorts ?? []).reduce((sum, { arnsSent }) => sum + arnsSent, 0);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}
