/**
 * Why pause frames were sent, or why none was.
 *
 * If the result has no record of thresholds, a bound is used: no ingress can hold more than all queues of its switch
 * at their maximum, and the threshold is never below (memory - reserve - headroom - those queues) / 8.
 */
import { activeShare } from './bottleneck.js';
import { maxBy, type Explanation, answerOf, finding, type Finding, reason, type Reason } from './explanation.js';
import { type IngressFill, tightestPort } from '../results/summary.js';
import { RULES } from '../compile/rules.js';
import { DEFAULT_BUFFER_BYTES } from '../scenario/defaults.js';
import type { KernelFidelity } from '../scenario/setting-words.js';
import type { PortResult, SimResult } from '../result.js';
import { algorithmOf, dataClasses, headroomBytes, notificationCount, switchNames, switchPorts,
  switchSettings } from './settings.js';

const THRESHOLD_SHARE = 1 / 8;

export function explainPauses(result: SimResult): Explanation {
  return result.totals.pauses > 0 ? whyPaused(result) : whyNotPaused(result);
}

function whyPaused(result: SimResult): Explanation {
  const { totals, ports, summary } = result;
  const ofSwitches = switchPorts(result);
  const sender = maxBy(ofSwitches, ({ pausesSent }) => pausesSent);
  const sum = (some: typeof ports): number => some.reduce((pauses, { pausesSent }) => pauses + pausesSent, 0);
  const byHosts = sum(ports) - sum(ofSwitches);
  const bySwitches = totals.pauses - byHosts;
  const stopped = maxBy(ports, ({ pausedPs }) => pausedPs);
  return {
    topic: 'pause',
    code: 'pauses-sent',
    question: 'Why were pause frames sent?',
    ...answerOf(bySwitches > 0 && finding('pauses-of-switches', { pauses: bySwitches, others: byHosts }),
      byHosts > 0 && finding('pauses-of-hosts', { pauses: byHosts }),
      ...(sender === undefined || bySwitches === 0 ? [] : senderFindings(sender)), stopped !== undefined &&
      finding('paused-longest', {
        port: stopped.name,
        pausedPs: stopped.pausedPs,
        share: activeShare(result, stopped.pausedPs),
      })),
    because: [
      reason('pause-frames', totals.pauses),
      reason('time-paused', summary.pausedPs),
      reason('longest-queue', summary.maxQueueBytes, { port: summary.maxQueuePort }),
    ],
    missing: result.pauses === undefined ? ['pauses'] : [],
  };
}

function senderFindings({ name: port, pausesSent, peer, minPauseThresholdBytes }: PortResult): Finding[] {
  return [
    finding('most-pauses', { port, pauses: pausesSent, peer }),
    ...(minPauseThresholdBytes === undefined ?
      [] :
      [finding('threshold-fell', { port, thresholdBytes: minPauseThresholdBytes })]),
  ];
}

function whyNotPaused(result: SimResult): Explanation {
  const base = { topic: 'pause', code: 'no-pauses', question: 'Why was no pause frame sent?' } as const;
  const switches = switchNames(result);
  const withPfc = switches.filter((node) => switchSettings(result.scenario, node).pfc);
  if (withPfc.length === 0) {
    const because = [reason('switches-with-pfc', 0)];
    const found = switches.length === 0 ?
      finding('no-switch-to-pause') :
      finding('pfc-off', { switches: switches.length });
    return { ...base, ...answerOf(found), because, missing: [] };
  }
  const ports = switchPorts(result).filter(({ node }) => withPfc.includes(node));
  const known = tightestPort(ports);
  const nearness = known ? recordedNearness(known) : boundedNearness(result, ports);
  const window = windowsOf(result);
  const notifications = notificationCount(result);
  return {
    ...base,
    ...answerOf(nearness.found, window.found, notifications > 0 && finding('notified-instead', { notifications })),
    because: [...nearness.because, ...window.because, reason('notifications', notifications)],
    missing: [...(known ? [] : ['ports[].maxIngressBytes', 'ports[].minPauseThresholdBytes']), ...window.missing],
  };
}

type Part = Pick<Explanation, 'because' | 'missing'> & { readonly found?: Finding };

function recordedNearness(
  { name: port, maxIngressBytes: heldBytes, minPauseThresholdBytes: thresholdBytes }: PortResult & Required<
    IngressFill
  >,
): Part {
  return {
    found: finding('threshold-not-reached', { port, heldBytes, thresholdBytes }),
    because: [
      reason('shared-memory-of-arrivals', heldBytes, { port }),
      reason('lowest-pause-threshold', thresholdBytes, { port }),
    ],
    missing: [],
  };
}

function boundedNearness({ scenario, fidelity }: SimResult, ports: readonly PortResult[]): Part {
  const queuesOf = (node: string) =>
    ports.filter((port) => port.node === node).reduce((sum, { maxQueueBytes }) => sum + maxQueueBytes, 0);
  const node = maxBy([...new Set(ports.map((port) => port.node))], queuesOf) ?? '';
  const heldBytes = queuesOf(node);
  const memoryBytes = switchSettings(scenario, node).bufferBytes ?? DEFAULT_BUFFER_BYTES;
  const ofNode = ports.filter((port) => port.node === node);
  const classes = fidelity === 'standard' ? dataClasses(scenario).size : 1;
  const setAsideBytes = classes *
    ofNode.reduce((sum, port) => sum + RULES[fidelity as KernelFidelity].reservedBytes + headroomBytes(scenario, port),
      0);
  const thresholdBytes = Math.max(0, (memoryBytes - setAsideBytes - heldBytes) * THRESHOLD_SHARE);
  return {
    found: finding('threshold-not-reached-by-bound', { node, heldBytes, thresholdBytes }),
    because: [
      reason('queues-of-node', heldBytes, { node }),
      reason('memory-of-node', memoryBytes, { node }),
      reason('memory-set-aside', setAsideBytes, { node }),
      reason('least-pause-threshold', thresholdBytes),
    ],
    missing: [],
  };
}

/** The sum of the flows' windows, which a queue can't exceed. */
function windowsOf(result: SimResult): Part {
  const { flows, ports, scenario, summary } = result;
  const last = ports.find(({ name }) => name === summary.maxQueuePort)?.peer;
  // If a flow's path is unknown, it is assumed to cross the port if that leads to its receiver.
  const there = flows.filter(({ path, to }) => path?.includes(summary.maxQueuePort) ?? to === last);
  const windowed = there.filter((flow) => (flow.windowBytes ?? 0) > 0);
  const isUnknown = there.some((flow) =>
    flow.windowBytes === undefined && algorithmOf(scenario, flow).window !== 'none'
  );
  if (there.length === 0 || windowed.length < there.length) {
    return { because: [], missing: isUnknown ? ['flows[].windowBytes'] : [] };
  }
  const windowBytes = windowed.reduce((sum, { windowBytes: bytes = 0 }) => sum + bytes, 0);
  const port = summary.maxQueuePort;
  const because: Reason[] = [reason('windows-through-port', windowBytes, { port })];
  return { found: finding('windows-hold-queues', { port, flows: there.length, windowBytes }), because, missing: [] };
}
