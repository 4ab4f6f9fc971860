/** Which flows waited for receivers that had posted no receive. */
import type { FlowResult, SimResult } from '../../result.js';
import { type Explanation, answerOf, finding, type Finding, reason, maxBy } from '../../explain/explanation.js';

/** Explains waits for receivers; undefined if no sender received an RNR NAK. */
export function explainReceivers({ flows, totals }: SimResult): Explanation | undefined {
  const waiting = flows.filter(({ rnrNaks = 0 }) => rnrNaks > 0);
  const longest = maxBy(waiting, ({ rnrWaitPs = 0 }) => rnrWaitPs);
  if (longest === undefined) return undefined;
  const failed = waiting.filter(({ failure }) => failure === 'rnr-retry-exceeded').length;
  const wait = waitFinding(longest);
  return {
    topic: 'receiver',
    code: 'receivers-not-ready',
    question: 'Why did flows wait for their receivers?',
    ...answerOf(finding('receivers-not-ready', { flows: waiting.length, rnrNaks: totals.rnrNaks ?? 0 }), wait,
      failed > 0 && finding('rnr-retries-exhausted', { flows: failed }), finding('rnr-is-no-loss')),
    inShort: wait.text,
    because: [
      reason('rnr-naks', totals.rnrNaks ?? 0),
      reason('flows-not-ready', waiting.length),
      reason('time-flow-waited', longest.rnrWaitPs ?? 0, { flow: longest.index }),
    ],
    missing: [],
  };
}

/** The finding on a flow's waits in total. */
export function waitFinding({ index, to, rnrNaks = 0, rnrWaitPs = 0 }: FlowResult): Finding {
  return finding('flow-waited-for-receiver', { flow: index, to, waitPs: rnrWaitPs, rnrNaks });
}
