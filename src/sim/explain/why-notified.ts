/**
 * Why senders were not notified of congestion, step by step from the sender's algorithm to the queue; or how often they
 * were.
 */
import type { PortResult, SimResult } from '../result.js';
import { DEFAULT_MARK_AT } from '../scenario/defaults.js';
import { withNetworkPreset } from '../scenario/network-presets.js';
import type { ScenarioSpec } from '../scenario/spec.js';
import { bytesWords, countWords, reason, timeWords, wereWords, wholeWords, type Explanation,
  type Reason } from './explanation.js';
import { maxBy } from './max-by.js';
import { customPointOf, familiesOf, changesMarking, markingThresholds, notificationCount, switchNames, switchPorts,
  switchSettings } from './settings.js';
import { findingsOf, instantText, listWords, portText, sentences, text, type Text } from './text.js';

/** How algorithms that don't use CNPs detect congestion. */
const NOTIFIED_BY: Readonly<Record<string, string>> = {
  hpcc: 'telemetry in ACKs',
  'hpcc-pint': 'telemetry in ACKs',
  timely: 'round-trip times',
  swift: 'delays',
  nscc: 'delays and marks that ACKs repeat',
  rccc: 'credit that receivers grant',
  dctcp: 'marks that ACKs repeat',
};

export function explainNotifications(result: SimResult): Explanation {
  const { totals } = result;
  if (notificationCount(result) === 0 && totals.cnps > 0 && usesNoCnps(result)) return ignoredCnps(result);
  if (notificationCount(result) + totals.cnps + totals.fastCnps > 0) return howNotified(result);
  const { words, because } = whyNone(result);
  const question = 'Why was no CNP sent?';
  return { topic: 'notification', code: 'no-cnps', question, ...findingsOf(words), because, missing: [] };
}

/** Whether all algorithms detect congestion otherwise. */
export function usesNoCnps(result: SimResult): boolean {
  const families = familiesOf(result);
  return families.length > 0 && families.every((family) => NOTIFIED_BY[family] !== undefined);
}

function ignoredCnps(result: SimResult): Explanation {
  const { dataMarks, cnps } = result.totals;
  return {
    topic: 'notification',
    code: 'cnps-ignored',
    question: 'How did senders learn of congestion?',
    ...findingsOf(`By ${listWords(signalsOf(result))}, not by CNPs.`,
      `${wereWords(dataMarks, 'data packet')} marked; receivers sent ${
        countWords(cnps, 'CNP')
      }, which senders ignored.`),
    because: [
      reason('algorithms', familiesOf(result).join(', '), ''),
      reason('marked data packets', dataMarks, 'packets'),
      reason('CNPs', cnps, 'packets'),
    ],
    missing: [],
  };
}

/** How the algorithms detect congestion, each way once. */
function signalsOf(result: SimResult): string[] {
  return [...new Set(familiesOf(result).flatMap((family) => NOTIFIED_BY[family] ?? []))];
}

function howNotified(result: SimResult): Explanation {
  const { totals, flows } = result;
  const notified = flows.filter(({ cnps, fastCnps }) => cnps + fastCnps > 0);
  const first = notified.reduce((least, { firstNotificationPs }) => Math.min(least, firstNotificationPs ?? Infinity),
    Infinity);
  const duplicates = flows.reduce((sum, { duplicateNotifications }) => sum + duplicateNotifications, 0);
  const repeated = result.fidelity !== 'standard' ?
    ' (marks that ACKs repeat, as the reference has no CNP packets)' :
    '';
  return {
    topic: 'notification',
    code: 'senders-notified',
    question: 'How often were senders notified of congestion?',
    ...findingsOf(
      `${wholeWords(notified.length)} of ${countWords(flows.length, 'flow')} were notified, ${
        wholeWords(notificationCount(result))
      } times in all${repeated}: ` +
        `${countWords(totals.dataMarks, 'data packet')} marked, ${countWords(totals.cnps, 'CNP')}, ${
          countWords(totals.fastCnps, 'Fast CNP')
        }.`,
      Number.isFinite(first) && text`The first arrived ${instantText(first)} into the run.`,
      duplicates > 0 && `${wholeWords(duplicates)} were for congestion already reported and were ignored.`,
    ),
    because: [
      reason('notifications that senders reacted to', notificationCount(result), 'packets'),
      reason('marked data packets', totals.dataMarks, 'packets'),
      reason('CNPs', totals.cnps, 'packets'),
      reason('Fast CNPs', totals.fastCnps, 'packets'),
    ],
    missing: [],
  };
}

interface Cause {
  readonly words: Text;
  readonly because: readonly Reason[];
}

function whyNone(result: SimResult): Cause {
  const { totals, scenario } = result;
  if (totals.dataPackets === 0) return { words: 'No data was sent.', because: [reason('data packets', 0, 'packets')] };
  if (usesNoCnps(result)) {
    const families = familiesOf(result);
    const words = families.map((family) => `${family} by ${NOTIFIED_BY[family]}`);
    return {
      words: `No flow's algorithm uses CNPs; they learn of congestion otherwise: ${listWords(words)}.`,
      because: [reason('algorithms', families.join(', '), '')],
    };
  }
  const switches = switchNames(result);
  if (switches.every((node) => !switchSettings(scenario, node).ecn.enabled)) {
    return {
      words: `No switch marks: ECN is off at all of them (${switches.length}).`,
      because: [reason('switches with ECN', 0, 'switches')],
    };
  }
  if (totals.marks === 0) return whyNoMark(result);
  if (totals.dataMarks === 0) {
    const words = `${
      wereWords(totals.marks, 'packet')
    } marked, but none with data: marks on ACKs and other control packets notify no sender.`;
    return { words, because: [reason('marks', totals.marks, 'packets'), reason('marks on data', 0, 'packets')] };
  }
  return whyMarksWereLost(result);
}

/** @param none begins the answer: what didn't happen. */
function whyNoMark(result: SimResult, none = 'No packet was marked'): Cause {
  const { scenario } = result;
  const able = switchPorts(result).filter(({ node }) => switchSettings(scenario, node).ecn.enabled);
  const port = maxBy(able, ({ maxClassQueueBytes }) => maxClassQueueBytes);
  if (!port) {
    return { words: 'There is no switch that could mark.', because: [reason('switches with ECN', 0, 'switches')] };
  }
  const { kminBytes, kmaxBytes } = markingThresholds(scenario, port);
  const queue = port.maxClassQueueBytes;
  const because = [
    reason(`longest queue, at ${port.name}`, queue, 'bytes'),
    reason(`Kmin at ${port.name}`, kminBytes, 'bytes'),
    reason(`Kmax at ${port.name}`, kmaxBytes, 'bytes'),
  ];
  if (changesMarking(scenario)) {
    const words = text`${none}: the longest queue was ${bytesWords(queue)}, at ${
      portText(port.name)
    }; Kmin and Kmax change during the run.`;
    return { words, because };
  }
  const point = customPointOf(scenario, port.node);
  if (point !== undefined) {
    const words = `${none}: the congestion point ${point} decides at ${port.node}, where the longest queue was ${
      bytesWords(queue)
    }.`;
    return { words, because: [...because, reason('congestion point', point, '')] };
  }
  if (queue <= kminBytes) {
    return {
      words: text`${none}: the longest queue, ${bytesWords(queue)} at ${portText(port.name)}, never passed Kmin, ${
        bytesWords(kminBytes)
      } there.`,
      because,
    };
  }
  const reached = text`${none}, although the queue at ${portText(port.name)} reached ${
    bytesWords(queue)
  }, above Kmin, ${bytesWords(kminBytes)}`;
  if (queue <= kmaxBytes) {
    const chance = `up to Kmax, ${bytesWords(kmaxBytes)}, marking is random, and too few packets saw it`;
    return { words: text`${reached}: ${chance}.`, because };
  }
  const { words, because: why } = whyUnmarkedAbove(scenario, port);
  return {
    words: text`${reached}, and above Kmax, ${bytesWords(kmaxBytes)}: ${words}.`,
    because: [...because, ...why],
  };
}

/** Why a queue above Kmax marked nothing. */
function whyUnmarkedAbove(scenario: ScenarioSpec, port: PortResult): { words: string; because: Reason[] } {
  const ecn = withNetworkPreset(scenario).switches?.ecn;
  const { markAt = DEFAULT_MARK_AT } = typeof ecn === 'object' ? ecn : {};
  if (markAt !== 'dequeue' || port.pausedPs === 0)
    return { words: "the packets that saw it can't have been data", because: [] };
  return {
    words: `marking is at dequeue, and the port was paused for ${timeWords(port.pausedPs)} while packets waited`,
    because: [reason(`time that ${port.name} was paused`, port.pausedPs, 'ps')],
  };
}

function whyMarksWereLost({ totals, fidelity, scenario, ended, ports }: SimResult): Cause {
  const { cnpDelayUs = 0, notificationPoint = true } = scenario.hosts ?? {};
  const words = sentences(`${wereWords(totals.dataMarks, 'data packet')} marked, yet no sender was notified.`,
    !notificationPoint && fidelity === 'standard' &&
      'Receivers send no CNPs for marks: hosts.notificationPoint is false.',
    fidelity !== 'standard' && 'ACKs repeat marks only of packets that are acknowledged: those out of order get none.',
    totals.packetsDropped > 0 &&
      `${wereWords(totals.packetsDropped, 'packet')} dropped, possibly marked ones among them.`,
    cnpDelayUs > 0 && `Receivers delay CNPs by ${cnpDelayUs} µs, and the run may have ended before.`,
    ended !== 'all-flows-done' && ports.some(({ pausedPs }) => pausedPs > 0) &&
      'Receivers send CNPs for marked packets that arrive: when the run ended, packets still waited at paused ports.');
  return {
    words,
    because: [
      reason('marks on data', totals.dataMarks, 'packets'),
      reason('packets dropped', totals.packetsDropped, 'packets'),
    ],
  };
}

/** Only for scenarios with switches that may send Fast CNPs. */
export function explainFastCnps(result: SimResult): Explanation | undefined {
  const { scenario, totals, flows } = result;
  const builtIn = switchNames(result).filter((node) => switchSettings(scenario, node).fastCnp);
  const custom = switchNames(result).filter((node) => customPointOf(scenario, node) !== undefined);
  const able = [...new Set([...builtIn, ...custom])];
  if (builtIn.length === 0 && totals.fastCnps === 0) return undefined;
  const accepted = flows.reduce((sum, { fastCnps }) => sum + fastCnps, 0);
  const because = [
    reason('switches that may send them', able.length, 'switches'),
    reason('Fast CNPs sent', totals.fastCnps, 'packets'),
    reason('Fast CNPs reacted to', accepted, 'packets'),
  ];
  const base = { topic: 'fast-cnp', because, missing: [] } as const;
  if (totals.fastCnps === 0) {
    const { words, because: why } = whyNoMark(result, 'No switch sent one');
    const blame = totals.marks === 0 ?
      words :
      'Packets were marked, but not at a switch that may send them, or its buckets hold them all back.';
    return {
      ...base,
      because: [...because, ...(totals.marks === 0 ? why : [])],
      code: 'no-fast-cnps',
      question: 'Why was no Fast CNP sent?',
      ...findingsOf(blame),
    };
  }
  const isRejected = scenario.hosts?.acceptFastCnp === false;
  const found = findingsOf(
    `${wereWords(totals.fastCnps, 'Fast CNP')} sent; senders reacted to ${
      accepted === totals.fastCnps ? 'all of them' : wholeWords(accepted)
    }.`,
    isRejected && 'Hosts accept none: hosts.acceptFastCnp is false.',
  );
  return { ...base, code: 'fast-cnps-sent', question: 'What did Fast CNPs do?', ...found };
}
