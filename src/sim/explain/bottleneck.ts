/**
 * Whether congestion control or PFC kept the queues in check. Operators test for it: notifications, no NAK, pauses near
 * zero.
 */
import type { SimResult } from '../result.js';
import { countWords, percentWords, reason, type Explanation } from './explanation.js';
import { familiesOf, notificationCount } from './settings.js';
import { wasSlowed } from './sender-rates.js';
import { activeShare } from './active-time.js';
import { maxBy } from './max-by.js';
import { findingsOf, listWords } from './text.js';
import { usesNoCnps } from './why-notified.js';

/** Share of the run up to which the longest paused port counts as hardly paused. */
const HARDLY_PAUSED_SHARE = 0.01;

export function explainWork(result: SimResult): Explanation {
  const { totals, ports } = result;
  const notifications = notificationCount(result);
  const stopped = maxBy(ports, ({ pausedPs }) => pausedPs);
  const pausedShare = activeShare(result, stopped?.pausedPs ?? 0);
  const lost = totals.packetsDropped - totals.drops.buffer;
  const facts = {
    notifications,
    pausedShare,
    pauses: totals.pauses,
    lost: lost + totals.naks,
    drops: totals.drops.buffer,
    isSlowed: (totals.credits ?? 0) > 0 || result.flows.some((flow) => wasSlowed(result, flow)),
  };
  const inShort = verdict(facts, familiesOf(result));
  // Of algorithms that ignore CNPs, their number says nothing.
  const notified = usesNoCnps(result) && notifications === 0 ? '' : `${countWords(notifications, 'notification')}, `;
  return {
    topic: 'work',
    code: 'control-or-pfc',
    inShort,
    question: 'Did congestion control do the work, or PFC?',
    ...findingsOf(inShort, `${notified}${countWords(totals.pauses, 'pause')}` +
      (totals.pauses > 0 ?
        ` (the longest paused port was paused for ${percentWords(pausedShare)} of the run)` :
        '') +
      `, ${countWords(totals.naks, 'NAK')}, ${countWords(totals.drops.buffer, 'buffer-overflow drop')}.`),
    because: [
      reason('notifications', notifications, 'packets'),
      reason('pauses', totals.pauses, 'packets'),
      {
        what: `share of the run paused${stopped && stopped.pausedPs > 0 ? `, at ${stopped.name}` : ', at most'}`,
        value: pausedShare,
        unit: 'share',
      },
      reason('NAKs', totals.naks, 'packets'),
      reason('buffer-overflow drops', totals.drops.buffer, 'packets'),
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

function verdict({ notifications, pausedShare, pauses, lost, drops, isSlowed }: Facts,
  families: readonly string[]): string {
  const byAcks = families.filter((family) => family !== 'dcqcn');
  if (drops > 0) return 'Neither well enough: packets were dropped as buffers overflowed.';
  const congestionControl = notifications > 0 || byAcks.length === 0 ?
    'Congestion control' :
    `Congestion control by ${signalWords(byAcks)} (${listWords(byAcks)})`;
  if (!isSlowed) return pauses > 0 ? pfcAlone(byAcks) : 'Neither was needed: no sender was slowed down.';
  if (pauses === 0) {
    return lost === 0 ?
      `${congestionControl} did the work; PFC never fired.` :
      `${congestionControl} did the work, and PFC never fired, but packets were lost otherwise.`;
  }
  if (pausedShare <= HARDLY_PAUSED_SHARE) return `${congestionControl} did the work; PFC hardly fired.`;
  return 'PFC paused links before congestion control slowed the senders: both did the work.';
}

function signalWords(families: readonly string[]): string {
  return families.every((family) => family === 'rccc') ? 'receiver credit' : 'acknowledgements';
}

function pfcAlone(byAcks: readonly string[]): string {
  return byAcks.length > 0 ?
    `PFC alone: congestion control (${listWords(byAcks)}) lowered the rate of no sender.` :
    'PFC alone: no sender was notified of congestion.';
}
