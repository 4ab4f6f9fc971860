/**
 * Why pause frames were sent, or why none was.
 *
 * If the result has no record of thresholds, a bound is used: no ingress can hold more than all queues of its switch
 * at their maximum, and the threshold is never below (memory - reserve - headroom - those queues) / 8.
 */
import { activeShare } from './active-time.js';
import { maxBy } from './max-by.js';
import { tightestPort, type IngressFill } from '../../analysis/tightest-port.js';
import { RULES } from '../compile/rules.js';
import { DEFAULT_BUFFER_BYTES } from '../scenario/defaults.js';
import type { PortResult, SimResult } from '../result.js';
import { bytesWords, countWords, percentWords, reason, timeWords, type Explanation,
  type Reason } from './explanation.js';
import { algorithmOf, dataClasses, headroomBytes, notificationCount, switchNames, switchPorts,
  switchSettings } from './settings.js';
import { findingsOf, portText, text, type Text } from './text.js';

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
  const longest = timeWords(stopped?.pausedPs ?? 0);
  const share = percentWords(activeShare(result, stopped?.pausedPs ?? 0));
  return {
    topic: 'pause',
    code: 'pauses-sent',
    question: 'Why were pause frames sent?',
    ...findingsOf(bySwitches > 0 &&
      `Frames came in faster than they went out until their share of memory passed the pause threshold: ${
        countWords(bySwitches, 'pause')
      } ${byHosts > 0 ? 'from switches' : 'in all'}.`,
      byHosts > 0 && `${countWords(byHosts, 'pause')} came from hosts.`, sender !== undefined && bySwitches > 0 &&
      text`${portText(sender.name)} sent most, ${countWords(sender.pausesSent, 'pause')}, to ${sender.peer}.`,
      sender?.minPauseThresholdBytes !== undefined && bySwitches > 0 &&
        `As the switch filled up, the threshold there fell to ${
          bytesWords(sender.minPauseThresholdBytes)
        } at its lowest.`,
      stopped !== undefined && text`${portText(stopped.name)} was paused longest, ${longest} (${share} of the run).`),
    because: [
      reason('pause frames', totals.pauses, 'packets'),
      reason('time paused, all ports and classes', summary.pausedPs, 'ps'),
      reason(`longest queue, at ${summary.maxQueuePort}`, summary.maxQueueBytes, 'bytes'),
    ],
    missing: result.pauses === undefined ? ['pauses'] : [],
  };
}

function whyNotPaused(result: SimResult): Explanation {
  const base = { topic: 'pause', code: 'no-pauses', question: 'Why was no pause frame sent?' } as const;
  const switches = switchNames(result);
  const withPfc = switches.filter((node) => switchSettings(result.scenario, node).pfc);
  if (withPfc.length === 0) {
    const because = [reason('switches with PFC', 0, 'switches')];
    const answer = switches.length === 0 ?
      'There is no switch.' :
      `PFC is off at ${
        switches.length === 1 ? 'the only switch' : `all ${switches.length} switches`
      }: switches.pfc is false.`;
    return { ...base, ...findingsOf(answer), because, missing: [] };
  }
  const ports = switchPorts(result).filter(({ node }) => withPfc.includes(node));
  const known = tightestPort(ports);
  const nearness = known ? recordedNearness(known) : boundedNearness(result, ports);
  const window = windowWords(result);
  const notifications = notificationCount(result);
  return {
    ...base,
    ...findingsOf(nearness.words, window.words,
      notifications > 0 && `Senders were notified of congestion ${countWords(notifications, 'time')}.`),
    because: [...nearness.because, ...window.because, reason('notifications', notifications, 'packets')],
    missing: [...(known ? [] : ['ports[].maxIngressBytes', 'ports[].minPauseThresholdBytes']), ...window.missing],
  };
}

type Part = Pick<Explanation, 'because' | 'missing'> & { readonly words: Text };

function recordedNearness({ name, maxIngressBytes, minPauseThresholdBytes }: PortResult & Required<IngressFill>): Part {
  const share = percentWords(maxIngressBytes / Math.max(1, minPauseThresholdBytes));
  return {
    words: text`PFC is on, but no port reached its threshold: nearest was ${
      portText(name)
    }, whose incoming frames held at most ${
      bytesWords(maxIngressBytes)
    } of shared memory, ${share} of the lowest threshold there, ${bytesWords(minPauseThresholdBytes)}.`,
    because: [
      reason(`largest shared memory of arrivals at ${name}`, maxIngressBytes, 'bytes'),
      reason(`lowest pause threshold at ${name}`, minPauseThresholdBytes, 'bytes'),
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
    ofNode.reduce((sum, port) => sum + RULES[fidelity].reservedBytes + headroomBytes(scenario, port), 0);
  const thresholdBytes = Math.max(0, (memoryBytes - setAsideBytes - heldBytes) * THRESHOLD_SHARE);
  const verdict = heldBytes < thresholdBytes ? 'so none can have been reached' : 'which alone does not rule it out';
  return {
    words:
      `PFC is on, but no port reached its threshold. At ${node}, the fullest switch, all queues at their longest add up to ` +
      `${bytesWords(heldBytes)}; the threshold was never below an eighth of what that leaves free, ${
        bytesWords(thresholdBytes)
      }, ${verdict}.`,
    because: [
      reason(`queues of ${node} at their longest, together`, heldBytes, 'bytes'),
      reason(`memory of ${node}`, memoryBytes, 'bytes'),
      reason(`reserve and headroom of ${node}, as in the scenario`, setAsideBytes, 'bytes'),
      reason('least pause threshold', thresholdBytes, 'bytes'),
    ],
    missing: [],
  };
}

/** Flows with windows can't fill a queue beyond the sum of these. */
function windowWords(result: SimResult): Part {
  const { flows, ports, scenario, summary } = result;
  const last = ports.find(({ name }) => name === summary.maxQueuePort)?.peer;
  // Without its path a flow passes the port if that is the last one before the receiver.
  const there = flows.filter(({ path, to }) => path?.includes(summary.maxQueuePort) ?? to === last);
  const windowed = there.filter((flow) => (flow.windowBytes ?? 0) > 0);
  const isUnknown = there.some((flow) =>
    flow.windowBytes === undefined && algorithmOf(scenario, flow).window !== 'none'
  );
  if (there.length === 0 || windowed.length < there.length) {
    return { words: '', because: [], missing: isUnknown ? ['flows[].windowBytes'] : [] };
  }
  const boundBytes = windowed.reduce((sum, { windowBytes = 0 }) => sum + windowBytes, 0);
  const because: Reason[] = [
    reason(`windows of the flows through ${summary.maxQueuePort}, together`, boundBytes, 'bytes'),
  ];
  const words = text`Windows hold the ${countWords(there.length, 'flow')} through ${
    portText(summary.maxQueuePort)
  } to ${
    bytesWords(boundBytes)
  } of payload in flight together, and queues can hold no more than that (headers and a packet per flow aside).`;
  return { words, because, missing: [] };
}
