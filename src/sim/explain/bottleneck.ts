/**
 * Whether congestion control or PFC kept the queues in check. Operators test for the same signs: notifications, no NAK, pauses
 * near zero.
 */
import type { SimResult, FlowResult } from '../result.js';
import { type Explanation, answerOf, finding, type Finding, reason, maxBy } from './explanation.js';
import { familiesOf, notificationCount } from './settings.js';
import { allUseNoCnps } from './why-notified.js';

/** The longest-paused port counts as hardly paused up to this share of the run. */
const HARDLY_PAUSED_SHARE = 0.01;

export function explainWork(result: SimResult): Explanation {
  const { totals, ports } = result;
  const notifications = notificationCount(result);
  const stopped = maxBy(ports, ({ pausedPs }) => pausedPs);
  const pausedShare = activeShare(result, stopped?.pausedPs ?? 0);
  const verdict = verdictOn({
    notifications,
    pausedShare,
    pauses: totals.pauses,
    lost: totals.packetsDropped - totals.drops.buffer + totals.naks,
    drops: totals.drops.buffer,
    isSlowed: (totals.credits ?? 0) > 0 || isAnySenderSlowed(result),
  }, familiesOf(result));
  return {
    topic: 'work',
    code: 'control-or-pfc',
    inShort: verdict.text,
    question: 'Did congestion control do the work, or PFC?',
    ...answerOf(verdict, finding('work-counts', {
      // If all algorithms ignore CNPs, a count of 0 means nothing.
      notifications: allUseNoCnps(result) && notifications === 0 ? null : notifications,
      pauses: totals.pauses,
      pausedShare,
      naks: totals.naks,
      bufferDrops: totals.drops.buffer,
    })),
    because: [
      reason('notifications', notifications),
      reason('pauses', totals.pauses),
      reason('share-paused', pausedShare, { port: stopped && stopped.pausedPs > 0 ? stopped.name : null }),
      reason('naks', totals.naks),
      reason('buffer-drops', totals.drops.buffer),
    ],
    missing: [],
  };
}

interface Facts {
  readonly notifications: number;
  readonly pausedShare: number;
  readonly pauses: number;
  /** Packets lost for reasons other than lack of memory, and NAKs. */
  readonly lost: number;
  readonly drops: number;
  /** Whether congestion control lowered the rate of any sender, or receivers granted credit. */
  readonly isSlowed: boolean;
}

function verdictOn({ notifications, pausedShare, pauses, lost, drops, isSlowed }: Facts,
  families: readonly string[]): Finding {
  const byAcks = families.filter((family) => family !== 'dcqcn');
  if (drops > 0) return finding('buffers-overflowed');
  if (!isSlowed) return pauses > 0 ? finding('pfc-alone', { algorithms: byAcks }) : finding('nothing-to-do');
  const algorithms = notifications > 0 ? [] : byAcks;
  if (pauses === 0) return finding('control-alone', { algorithms, packetsLost: lost });
  return pausedShare <= HARDLY_PAUSED_SHARE ? finding('control-mostly', { algorithms }) : finding('control-and-pfc');
}

/* The active time of a run. */

/** Time from the first flow's start to the end of the run, picoseconds; 0 if no flow started. */
export function activePs({ flows, simulatedPs }: SimResult): number {
  return simulatedPs - flows.reduce((least, { startPs }) => Math.min(least, startPs), simulatedPs);
}

/** A time as a share of the active time. */
export function activeShare(result: SimResult, timePs: number): number {
  const wholePs = activePs(result);
  return wholePs > 0 ? timePs / wholePs : 0;
}

/* Compares the rates that congestion control allowed senders with the rates of their ports. */

/** Tolerance: a rounding error of a double is not a rate cut. */
const NEARLY = 1 - 1e-9;

/** Line rates by flow, for results with many flows. */
function lineRatesOf({ ports }: SimResult): (flow: FlowResult) => number | undefined {
  const [byPort, byNode] = [new Map<string, number>(), new Map<string, number>()];
  for (const { name, node, rateBps } of ports) {
    byPort.set(name, rateBps);
    if (!byNode.has(node)) byNode.set(node, rateBps);
  }
  return ({ from, path }) => (path?.[0] === undefined ? byNode.get(from) : byPort.get(path[0]));
}

/** Rate of the sending host's port; undefined if the result does not include that port. */
export function lineRateBps(result: SimResult, flow: FlowResult): number | undefined {
  return lineRatesOf(result)(flow);
}

/** Whether congestion control lowered the rate of a sender: it was notified, or its last or a recorded rate is below the port's. */
export function isAnySenderSlowed(result: SimResult): boolean {
  const lineRateOf = lineRatesOf(result);
  return result.flows.some((flow) => {
    if (flow.cnps + flow.fastCnps > 0) return true;
    const lineBps = lineRateOf(flow);
    if (lineBps === undefined) return false;
    const rates = (result.series.rateBps[flow.index] ?? []).filter((rateBps) => rateBps > 0);
    return [...rates, flow.finalRateBps ?? lineBps].some((rateBps) => rateBps < lineBps * NEARLY);
  });
}
