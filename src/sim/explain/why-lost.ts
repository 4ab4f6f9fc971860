/**
 * Where packets were lost, and why others were sent again.
 */
import type { DropReason, SimResult } from '../result.js';
import type { ScenarioSpec, Transport, WorkloadSpec } from '../scenario/spec.js';
import { countWords, listWords, reason, sentences, wereWords, wholeWords, type Explanation } from './explanation.js';
import { switchPorts, switchSettings } from './settings.js';

const REASONS: Readonly<Record<DropReason, string>> = {
  buffer: 'no memory was left',
  noRoute: 'there was no route to the destination',
  linkDown: 'a link was down',
  loss: 'the scenario loses them',
  corrupt: 'their ICRC was wrong',
  bitErrors: 'their frame check sequence was wrong (bit errors on a link)',
  receiveBuffer: 'the receive buffer of their host was full',
  watchdog: 'the PFC watchdog of a switch had taken their queue for stormed',
  accessList: 'an access list at a border denied a Fast CNP',
  tunnelEcn: 'their inner and outer ECN fields did not fit at the exit of a tunnel (RFC 6040)',
};
/** Ports that the answer names. */
const MOST_NAMED = 3;

const TRANSPORTS: Readonly<Record<Transport, string>> = {
  'go-back-n': 'Go-back-N',
  'selective-repeat': 'Selective repeat',
  irn: 'IRN',
};

/** Flows may have different ones. */
function transportWords({ hosts = {}, overrides = [], workload }: ScenarioSpec): string {
  const workloads = (Array.isArray(workload) ? workload : [workload]) as readonly WorkloadSpec[];
  const used = new Set<Transport>([
    hosts.transport ?? 'go-back-n',
    ...overrides.flatMap(({ host }) => host?.transport ?? []),
    ...workloads.flatMap((one) => [
      ...(one.transport === undefined ? [] : [one.transport]),
      ...(one.kind === 'flows' ? one.flows.flatMap(({ transport }) => transport ?? []) : []),
    ]),
  ]);
  return used.size === 1 ? TRANSPORTS[[...used][0]] : 'Senders';
}

export function explainLoss(result: SimResult): Explanation {
  const { scenario, fidelity, totals, ports } = result;
  const { drops, packetsDropped, retransmittedPackets, naks, timeouts } = totals;
  const because = [
    reason('packets dropped', packetsDropped, 'packets'),
    reason('packets sent again', retransmittedPackets, 'packets'),
    reason('NAKs', naks, 'packets'),
    reason('timeouts', timeouts, 'timeouts'),
  ];
  const transport = transportWords(scenario);
  const base = { topic: 'loss', because, missing: [] } as const;
  if (packetsDropped + retransmittedPackets + naks + timeouts === 0) {
    return {
      ...base,
      question: 'Were packets lost?',
      answer: 'No: 0 packets dropped, 0 sent again, 0 NAKs, 0 timeouts.',
    };
  }
  const kinds = (Object.keys(REASONS) as DropReason[]).filter((kind) => (drops[kind] ?? 0) > 0)
    .map((kind) => `${drops[kind] === packetsDropped ? '' : `${wholeWords(drops[kind] ?? 0)} `}since ${REASONS[kind]}`);
  const places = [...ports].filter((port) => port.drops > 0).sort((a, b) => b.drops - a.drops);
  const named = places.slice(0, MOST_NAMED).map(({ name, drops: count }) => `${name} (${wholeWords(count)})`);
  const full = switchPorts(result).filter((port) => drops.buffer > 0 && port.drops > 0);
  const lossless = full.find(({ node }) => switchSettings(scenario, node).pfc);
  const unprotected = full.find(({ node }) => !switchSettings(scenario, node).pfc);
  return {
    ...base,
    question: retransmittedPackets > 0 ? 'Why were packets sent again?' : 'Were packets lost?',
    answer: sentences(packetsDropped > 0 ?
      `${wereWords(packetsDropped, 'packet')} dropped${kinds.length > 1 ? ':' : ''} ${listWords(kinds)}.` :
      'No packet was dropped.', named.length > 0 && `Most at ${listWords(named)}.`, unprotected !== undefined &&
      `PFC is off at ${unprotected.node}: nothing holds senders back before memory is full.`, lossless !== undefined &&
      `PFC is on at ${lossless.node}, ${
        fidelity === 'reference-lossy' ?
          'but the limit of what waits for one exit (its pool) was met before pauses took hold, or a pause ended by itself.' :
          'so its headroom was too small for what arrived after a pause.'
      }`, retransmittedPackets > 0 &&
      `${transport} sent ${countWords(retransmittedPackets, 'packet')} again, after ${countWords(naks, 'NAK')} and ${
        countWords(timeouts, 'timeout')
      }.`, packetsDropped === 0 && timeouts > 0 &&
      'With nothing dropped, the timeouts were too short for the queues: see hosts.retransmitTimeoutUs.'),
    because: [
      ...because,
      ...places.slice(0, MOST_NAMED).map(({ name, drops: count }) => (reason(`drops at ${name}`, count, 'packets'))),
    ],
  };
}
