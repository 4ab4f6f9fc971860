/**
 * Where packets were lost, and why others were retransmitted.
 */
import type { DropReason, SimResult } from '../result.js';
import { statedTransport } from '../scenario/reordering.js';
import type { ScenarioSpec, Transport, WorkloadSpec } from '../scenario/spec.js';
import { countWords, reason, wereWords, wholeWords, type Explanation } from './explanation.js';
import { retransmitTimeoutUs, switchPorts, switchSettings } from './settings.js';
import { findingsOf, listText, listWords, portText, text, type Text } from './text.js';

const REASONS: Readonly<Record<DropReason, string>> = {
  buffer: 'no memory was left',
  noRoute: 'there was no route to the destination',
  linkDown: 'a link was down',
  loss: 'the scenario loses them',
  corrupt: 'their ICRC was wrong',
  bitErrors: 'their frame check sequence was wrong (bit errors on a link)',
  receiveBuffer: 'the receive buffer of their host was full',
  watchdog: 'the PFC watchdog of a switch had declared their queue stormed',
  accessList: 'an access list at a border denied a Fast CNP',
  tunnelEcn: 'their inner and outer ECN fields did not match where a tunnel ends (RFC 6040)',
};
/** Maximum number of ports that the answer names. */
const MOST_NAMED = 3;

const TRANSPORTS: Readonly<Record<Transport, string>> = {
  'go-back-n': 'Go-back-N',
  'selective-repeat': 'Selective repeat',
  irn: 'IRN',
  tolerant: 'The tolerant transport',
  mrc: 'MRC',
};

/** May differ between flows. */
function transportsOf({ hosts = {}, overrides = [], workload }: ScenarioSpec): ReadonlySet<Transport> {
  const workloads = (Array.isArray(workload) ? workload : [workload]) as readonly WorkloadSpec[];
  return new Set<Transport>([
    statedTransport(hosts) ?? 'go-back-n',
    ...overrides.flatMap(({ host }) => statedTransport(host ?? {}) ?? []),
    ...workloads.flatMap((one) => [
      ...(one.transport === undefined ? [] : [one.transport]),
      ...(one.kind === 'flows' ? one.flows.flatMap(({ transport }) => transport ?? []) : []),
    ]),
  ]);
}

function transportWords(used: ReadonlySet<Transport>): string {
  return used.size === 1 ? TRANSPORTS[[...used][0]] : 'Senders';
}

/** Whether senders find losses by the SACKs of later packets, without NAKs. */
function findsByDistance({ hosts: { tolerant = {} } = {} }: ScenarioSpec, used: ReadonlySet<Transport>): boolean {
  const { distancePackets = 0, lossTimeUs = 0 } = tolerant;
  return used.has('tolerant') && (distancePackets > 0 || lossTimeUs > 0);
}

export function explainLoss(result: SimResult): Explanation {
  const { totals, ports } = result;
  const { packetsDropped, retransmittedPackets, naks, timeouts, trimmedPackets = 0, nacks = 0 } = totals;
  const because = [
    reason('packets dropped', packetsDropped, 'packets'),
    reason('packets retransmitted', retransmittedPackets, 'packets'),
    reason('NAKs', naks, 'packets'),
    ...(trimmedPackets > 0 ? [reason('packets trimmed', trimmedPackets, 'packets')] : []),
    ...(nacks > 0 ? [reason('NACKs', nacks, 'packets')] : []),
    reason('timeouts', timeouts, 'timeouts'),
  ];
  const base = { topic: 'loss', because, missing: [] } as const;
  if (packetsDropped + retransmittedPackets + naks + timeouts + trimmedPackets === 0) {
    return {
      ...base,
      code: 'nothing-lost',
      question: 'Were packets lost?',
      ...findingsOf(
        `No: 0 packets dropped, 0 retransmitted, ${hasTimeouts(result) ? '0 NAKs, 0 timeouts' : '0 NAKs'}.`,
      ),
    };
  }
  const places = [...ports].filter((port) => port.drops > 0).sort((a, b) => b.drops - a.drops).slice(0, MOST_NAMED);
  return {
    ...base,
    ...(retransmittedPackets > 0 ?
      { code: 'packets-retransmitted', question: 'Why were packets retransmitted?' } :
      { code: 'packets-lost', question: 'Were packets lost?' }),
    ...findingsOf(dropWords(totals), places.length > 0 &&
      text`Most at ${listText(places.map(({ name, drops }) => text`${portText(name)} (${wholeWords(drops)})`))}.`,
      ...memoryWords(result), ...trimmedWords(result), retransmittedPackets > 0 && againWords(result),
      packetsDropped === 0 && timeouts > 0 && timeoutWords(result)),
    because: [
      ...because,
      ...places.map(({ name, drops }) => reason(`drops at ${name}`, drops, 'packets')),
    ],
  };
}

function dropWords({ drops, packetsDropped }: SimResult['totals']): string {
  if (packetsDropped === 0) return 'No packet was dropped.';
  const kinds = (Object.keys(REASONS) as DropReason[]).filter((kind) => (drops[kind] ?? 0) > 0)
    .map((kind) =>
      `${drops[kind] === packetsDropped ? '' : `${wholeWords(drops[kind] ?? 0)} `}because ${REASONS[kind]}`
    );
  return `${wereWords(packetsDropped, 'packet')} dropped${kinds.length > 1 ? ':' : ''} ${listWords(kinds)}.`;
}

/** Why a switch had no memory left, with PFC and without. */
function memoryWords(result: SimResult): (string | false)[] {
  const { scenario, fidelity, totals: { drops } } = result;
  const full = switchPorts(result).filter((port) => drops.buffer > 0 && port.drops > 0);
  const lossless = full.find(({ node }) => switchSettings(scenario, node).pfc);
  const unprotected = full.find(({ node }) => !switchSettings(scenario, node).pfc);
  const why = fidelity === 'reference-lossy' ?
    'but the limit of an egress queue (its pool) was reached before pauses took effect, or a pause expired.' :
    'so its headroom was too small for what arrived after a pause.';
  return [
    unprotected !== undefined &&
    `PFC is off at ${unprotected.node}: nothing stops senders before memory is full.`,
    lossless !== undefined && `PFC is on at ${lossless.node}, ${why}`,
  ];
}

/** Where packets were trimmed, and of what that is a sign. */
function trimmedWords(result: SimResult): (Text | false)[] {
  const { totals: { trimmedPackets = 0, trimmedDropped = 0 }, ports } = result;
  if (trimmedPackets === 0) return [];
  const switches = new Set(switchPorts(result).map(({ node }) => node));
  const last = ports.filter(({ peer }) => !switches.has(peer)).reduce((sum, port) => sum + (port.trimmedPackets ?? 0),
    0);
  const most = [...ports].sort((a, b) => (b.trimmedPackets ?? 0) - (a.trimmedPackets ?? 0))[0];
  return [
    text`${wereWords(trimmedPackets, 'packet')} trimmed for lack of room, most at ${portText(most.name)} (${
      wholeWords(most.trimmedPackets ?? 0)
    }).`,
    last * 2 > trimmedPackets && 'Most of these at the last hop: several senders share a receiver (incast).',
    last * 2 <= trimmedPackets && 'Most of these between switches: paths are loaded unequally, or too few.',
    trimmedDropped > 0 && `${wereWords(trimmedDropped, 'trimmed packet')} dropped, so no NACK asked for them.`,
  ];
}

/** Whether any sender has a retransmission timeout. */
function hasTimeouts({ scenario, flows }: SimResult): boolean {
  return flows.some(({ from }) => retransmitTimeoutUs(scenario, from) > 0);
}

function againWords(result: SimResult): string {
  const { scenario, flows, totals: { retransmittedPackets, naks, timeouts, rnrNaks = 0, nacks = 0 } } = result;
  const used = transportsOf(scenario);
  const repeated = flows.reduce((sum, { readRequests = 1 }) => sum + readRequests - 1, 0);
  const causes = [
    ...(used.size > 1 || !(used.has('tolerant') || used.has('mrc')) ? [countWords(naks, 'NAK')] : []),
    ...(used.has('mrc') ? [countWords(nacks, 'NACK')] : []),
    ...(findsByDistance(scenario, used) ? ['SACKs of later packets'] : []),
    ...(rnrNaks > 0 ? [countWords(rnrNaks, 'RNR NAK')] : []),
    ...(repeated > 0 ? [countWords(repeated, 'repeated READ request')] : []),
    ...(hasTimeouts(result) ? [countWords(timeouts, 'timeout')] : []),
  ];
  const what = `${transportWords(used)} retransmitted ${countWords(retransmittedPackets, 'packet')}`;
  return causes.length === 0 ? `${what}.` : `${what}, after ${listWords(causes)}.`;
}

/** Nothing was dropped, yet timeouts expired. */
function timeoutWords({ deadlocks = [], scenario: { faults = [] } }: SimResult): string {
  if (deadlocks.length > 0) return 'With nothing dropped, timeouts expired for packets that the deadlock held.';
  if (faults.some(({ kind }) => kind === 'pause-storm')) {
    return 'With nothing dropped, timeouts expired for packets that the pause storm held.';
  }
  return 'With nothing dropped, the timeouts were too short for the queues: see hosts.retransmitTimeoutUs.';
}
