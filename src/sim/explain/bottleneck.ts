/**
 * Whether congestion control or PFC kept the queues in check. Operators test for the same signs: notifications, no NAK, pauses
 * near zero.
 */
import type { SimResult } from '../result.js';
import type { Explanation } from './explanation.js';
import { answerOf, finding, type Finding } from './finding.js';
import { reason } from './reason.js';
import { familiesOf, notificationCount } from './settings.js';
import { wasSlowed } from './sender-rates.js';
import { activeShare } from './active-time.js';
import { maxBy } from './max-by.js';
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
    isSlowed: (totals.credits ?? 0) > 0 || result.flows.some((flow) => wasSlowed(result, flow)),
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
