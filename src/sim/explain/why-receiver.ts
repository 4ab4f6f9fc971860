/** Which flows waited for receivers that had posted no receive. */
import type { FlowResult, SimResult } from '../result.js';
import { countWords, reason, timeWords, type Explanation } from './explanation.js';
import { maxBy } from './max-by.js';
import { findingsOf, flowText, plainText, text, type Text } from './text.js';

/** Undefined: no sender received an RNR NAK. */
export function explainReceivers({ flows, totals }: SimResult): Explanation | undefined {
  const waiting = flows.filter(({ rnrNaks = 0 }) => rnrNaks > 0);
  const longest = maxBy(waiting, ({ rnrWaitPs = 0 }) => rnrWaitPs);
  if (longest === undefined) return undefined;
  const failed = waiting.filter(({ failure }) => failure === 'rnr-retry-exceeded').length;
  const found = findingsOf(
    `${countWords(waiting.length, 'flow')} reached a receiver that had posted no receive: ${
      countWords(totals.rnrNaks ?? 0, 'RNR NAK')
    }.`,
    waitWords(longest),
    failed > 0 && `${countWords(failed, 'flow')} failed with exhausted RNR retries (hosts.rnrRetryCount).`,
    'Nothing was lost in the network for that, and congestion control was not notified.',
  );
  return {
    topic: 'receiver',
    code: 'receivers-not-ready',
    question: 'Why did flows wait for their receivers?',
    ...found,
    inShort: plainText(waitWords(longest)),
    because: [
      reason('RNR NAKs', totals.rnrNaks ?? 0, 'packets'),
      reason('flows that received one', waiting.length, 'flows'),
      reason(`time that flow ${longest.index} waited`, longest.rnrWaitPs ?? 0, 'ps'),
    ],
    missing: [],
  };
}

/** The total of a flow's waits. */
export function waitWords({ index, to, rnrNaks = 0, rnrWaitPs = 0 }: FlowResult): Text {
  return text`${flowText(index, 'Flow')} waited ${timeWords(rnrWaitPs)} for ${to}, after ${
    countWords(rnrNaks, 'RNR NAK')
  }.`;
}
