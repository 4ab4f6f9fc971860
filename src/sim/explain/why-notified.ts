/**
 * Why senders were not notified of congestion, step by step from the sender's algorithm to the queue; or how often they
 * were.
 */
import type { PortResult, SimResult } from '../result.js';
import { DEFAULT_MARK_AT } from '../scenario/defaults.js';
import { withNetworkPreset } from '../scenario/network-presets.js';
import type { ScenarioSpec } from '../scenario/spec.js';
import { type Explanation, answerOf, finding, type Finding, reason, type Reason, maxBy } from './explanation.js';
import { usesNoCnps } from './sentences/congestion.js';
import { customPointOf, familiesOf, changesMarking, markingThresholds, notificationCount, switchNames, switchPorts,
  switchSettings } from './settings.js';

export function explainNotifications(result: SimResult): Explanation {
  const { totals } = result;
  if (notificationCount(result) === 0 && totals.cnps > 0 && allUseNoCnps(result)) return ignoredCnps(result);
  if (notificationCount(result) + totals.cnps + totals.fastCnps > 0) return howNotified(result);
  const { found, because } = whyNone(result);
  const question = 'Why was no CNP sent?';
  return { topic: 'notification', code: 'no-cnps', question, ...answerOf(found), because, missing: [] };
}

/** Whether all algorithms detect congestion by other means than CNPs. */
export function allUseNoCnps(result: SimResult): boolean {
  const families = familiesOf(result);
  return families.length > 0 && families.every(usesNoCnps);
}

function ignoredCnps(result: SimResult): Explanation {
  const { dataMarks, cnps } = result.totals;
  const algorithms = familiesOf(result);
  return {
    topic: 'notification',
    code: 'cnps-ignored',
    question: 'How did senders learn of congestion?',
    ...answerOf(finding('signals-other-than-cnps', { algorithms }),
      finding('cnps-ignored', { markedPackets: dataMarks, cnps })),
    because: [
      reason('algorithms', algorithms.join(', ')),
      reason('marked-data-packets', dataMarks),
      reason('cnps', cnps),
    ],
    missing: [],
  };
}

function howNotified(result: SimResult): Explanation {
  const { totals: { dataMarks, cnps, fastCnps }, flows } = result;
  const notified = flows.filter((flow) => flow.cnps + flow.fastCnps > 0);
  const firstPs = notified.reduce((least, { firstNotificationPs }) => Math.min(least, firstNotificationPs ?? Infinity),
    Infinity);
  const duplicates = flows.reduce((sum, { duplicateNotifications }) => sum + duplicateNotifications, 0);
  const notifications = notificationCount(result);
  return {
    topic: 'notification',
    code: 'senders-notified',
    question: 'How often were senders notified of congestion?',
    ...answerOf(finding('flows-notified', {
      notified: notified.length,
      flows: flows.length,
      notifications,
      byAcks: result.fidelity !== 'standard',
      markedPackets: dataMarks,
      cnps,
      fastCnps,
    }), Number.isFinite(firstPs) && finding('first-notification', { timePs: firstPs }),
      duplicates > 0 && finding('duplicate-notifications', { notifications: duplicates })),
    because: [
      reason('notifications-reacted-to', notifications),
      reason('marked-data-packets', dataMarks),
      reason('cnps', cnps),
      reason('fast-cnps', fastCnps),
    ],
    missing: [],
  };
}

interface Cause {
  readonly found: Finding;
  readonly because: readonly Reason[];
}

function whyNone(result: SimResult): Cause {
  const { totals, scenario } = result;
  if (totals.dataPackets === 0) return { found: finding('no-data-sent'), because: [reason('data-packets', 0)] };
  if (allUseNoCnps(result)) {
    const algorithms = familiesOf(result);
    const found = finding('no-algorithm-with-cnps', { algorithms });
    return { found, because: [reason('algorithms', algorithms.join(', '))] };
  }
  const switches = switchNames(result);
  if (switches.every((node) => !switchSettings(scenario, node).ecn.enabled)) {
    return { found: finding('ecn-off', { switches: switches.length }), because: [reason('switches-with-ecn', 0)] };
  }
  if (totals.marks === 0) return whyNoMark(result);
  if (totals.dataMarks === 0) {
    const found = finding('only-control-marked', { markedPackets: totals.marks });
    return { found, because: [reason('marks', totals.marks), reason('marks-on-data', 0)] };
  }
  return whyMarksWereLost(result);
}

/** Why no packet was marked, or no Fast CNP sent. @param none what did not happen */
function whyNoMark(result: SimResult, none: 'mark' | 'fast-cnp' = 'mark'): Cause {
  const { scenario } = result;
  const able = switchPorts(result).filter(({ node, kminBytes }) => {
    const { enabled, lastHop } = switchSettings(scenario, node).ecn;
    return enabled && (lastHop || kminBytes !== undefined);
  });
  const longest = maxBy(able, ({ maxClassQueueBytes }) => maxClassQueueBytes);
  if (!longest) return { found: finding('no-marking-switch'), because: [reason('switches-with-ecn', 0)] };
  const { name: port, node, maxClassQueueBytes: queueBytes } = longest;
  const { kminBytes, kmaxBytes } = markingThresholds(scenario, longest);
  const because = [
    reason('longest-queue', queueBytes, { port }),
    reason('kmin', kminBytes, { port }),
    reason('kmax', kmaxBytes, { port }),
  ];
  if (changesMarking(scenario)) return { found: finding('thresholds-change', { none, port, queueBytes }), because };
  const congestionPoint = customPointOf(scenario, node);
  if (congestionPoint !== undefined) {
    const found = finding('congestion-point-decides', { none, congestionPoint, node, queueBytes });
    return { found, because: [...because, reason('congestion-point', congestionPoint)] };
  }
  const above = { none, port, queueBytes, kminBytes };
  if (queueBytes <= kminBytes) return { found: finding('kmin-not-passed', above), because };
  if (queueBytes <= kmaxBytes) return { found: finding('marking-by-chance', { ...above, kmaxBytes }), because };
  const pausedPs = pausedBeforeMarking(scenario, longest);
  return {
    found: finding('unmarked-above-kmax', { ...above, kmaxBytes, pausedPs }),
    because: [...because, ...(pausedPs === null ? [] : [reason('time-paused-while-waiting', pausedPs, { port })])],
  };
}

/** How long a port that marks at dequeue was paused; null if that does not explain unmarked packets. */
function pausedBeforeMarking(scenario: ScenarioSpec, { pausedPs }: PortResult): number | null {
  const ecn = withNetworkPreset(scenario).switches?.ecn;
  const { markAt = DEFAULT_MARK_AT } = typeof ecn === 'object' ? ecn : {};
  return markAt !== 'dequeue' || pausedPs === 0 ? null : pausedPs;
}

function whyMarksWereLost({ totals, fidelity, scenario, ended, ports }: SimResult): Cause {
  const { cnpDelayUs = 0, notificationPoint = true } = scenario.hosts ?? {};
  const found = finding('marks-lost', {
    markedPackets: totals.dataMarks,
    isSilent: !notificationPoint && fidelity === 'standard',
    byAcks: fidelity !== 'standard',
    packetsDropped: totals.packetsDropped,
    cnpDelayUs,
    isPaused: ended !== 'all-flows-done' && ports.some(({ pausedPs }) => pausedPs > 0),
  });
  return {
    found,
    because: [reason('marks-on-data', totals.dataMarks), reason('packets-dropped', totals.packetsDropped)],
  };
}

/** Explains Fast CNPs; undefined if no switch of the scenario may send them. */
export function explainFastCnps(result: SimResult): Explanation | undefined {
  const { scenario, totals, flows } = result;
  const builtIn = switchNames(result).filter((node) => switchSettings(scenario, node).fastCnp);
  const custom = switchNames(result).filter((node) => customPointOf(scenario, node) !== undefined);
  const able = [...new Set([...builtIn, ...custom])];
  if (builtIn.length === 0 && totals.fastCnps === 0) return undefined;
  const reactedTo = flows.reduce((sum, { fastCnps }) => sum + fastCnps, 0);
  const because = [
    reason('switches-that-send-fast-cnps', able.length),
    reason('fast-cnps-sent', totals.fastCnps),
    reason('fast-cnps-reacted-to', reactedTo),
  ];
  const base = { topic: 'fast-cnp', because, missing: [] } as const;
  if (totals.fastCnps === 0) {
    const why = totals.marks === 0 ?
      whyNoMark(result, 'fast-cnp') :
      { found: finding('marked-elsewhere'), because: [] };
    return {
      ...base,
      because: [...because, ...why.because],
      code: 'no-fast-cnps',
      question: 'Why was no Fast CNP sent?',
      ...answerOf(why.found),
    };
  }
  return {
    ...base,
    code: 'fast-cnps-sent',
    question: 'What did Fast CNPs do?',
    ...answerOf(finding('fast-cnps-sent', { fastCnps: totals.fastCnps, reactedTo }),
      scenario.hosts?.acceptFastCnp === false && finding('fast-cnps-not-accepted')),
  };
}
