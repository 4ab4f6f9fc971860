/**
 * Explains a run of fidelity `reference-uet` from its counters: uet-htsim records neither single ports nor anything over time.
 */
import type { SimResult } from '../../result.js';
import { type Explanation, answerOf, finding, reason } from '../../explain/explanation.js';

/** Explains the counters; undefined under another fidelity. */
export function explainUet({ uet }: SimResult): Explanation | undefined {
  if (uet === undefined) return undefined;
  const {
    new_pkts: newPackets,
    rtx_pkts: retransmittedPackets,
    trims,
    drops,
    header_drops: headerDrops,
    ecn_marks: marks,
    max_low_queue_bytes: queueBytes,
    timeouts,
  } = uet.totals;
  const packetsDropped = drops + headerDrops;
  const packets = finding('uet-packets-counted', {
    trimmedPackets: trims,
    packetsDropped,
    markedPackets: marks,
    retransmittedPackets,
  });
  return {
    topic: 'work',
    code: 'uet-counts',
    question: 'What did uet-htsim count?',
    ...answerOf(packets, finding('uet-timeouts', { timeouts }), finding('uet-longest-queue', { queueBytes })),
    inShort: packets.text,
    because: [
      reason('new-packets', newPackets),
      reason('packets-retransmitted', retransmittedPackets),
      reason('packets-trimmed', trims),
      reason('packets-dropped', packetsDropped),
      reason('marks', marks),
      reason('longest-queue-of-data', queueBytes),
      reason('timeouts', timeouts),
    ],
    missing: ['ports', 'series'],
  };
}
