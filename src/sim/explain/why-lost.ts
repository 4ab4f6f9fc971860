/** Explains where packets were lost, and why others were retransmitted. */
import type { SimResult } from '../result.js';
import { statedTransport } from '../features/transports/check.js';
import type { ScenarioSpec, Transport, WorkloadSpec } from '../scenario/spec.js';
import { type Explanation, answerOf, finding, type Finding, reason } from './explanation.js';
import { DROP_REASONS, type LossSignals } from './sentences/losses.js';
import { retransmitTimeoutUs, switchPorts, switchSettings } from './settings.js';

/** Maximum number of ports that the answer names. */
const MOST_NAMED = 3;

/** The transports in use, which may differ between flows. */
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

/** Whether senders detect losses by SACKs of later packets, without NAKs. */
function findsByDistance({ hosts: { tolerant = {} } = {} }: ScenarioSpec, used: ReadonlySet<Transport>): boolean {
  const { distancePackets = 0, lossTimeUs = 0 } = tolerant;
  return used.has('tolerant') && (distancePackets > 0 || lossTimeUs > 0);
}

export function explainLoss(result: SimResult): Explanation {
  const { totals, ports } = result;
  const { packetsDropped, retransmittedPackets, naks, timeouts, trimmedPackets = 0, nacks = 0 } = totals;
  const because = [
    reason('packets-dropped', packetsDropped),
    reason('packets-retransmitted', retransmittedPackets),
    reason('naks', naks),
    ...(trimmedPackets > 0 ? [reason('packets-trimmed', trimmedPackets)] : []),
    ...(nacks > 0 ? [reason('nacks', nacks)] : []),
    reason('timeouts', timeouts),
  ];
  const base = { topic: 'loss', because, missing: [] } as const;
  const discarded = discardedFinding(result);
  if (packetsDropped + retransmittedPackets + naks + timeouts + trimmedPackets === 0 && discarded === false) {
    return {
      ...base,
      code: 'nothing-lost',
      question: 'Were packets lost?',
      ...answerOf(finding('nothing-lost', { hasTimeouts: hasTimeouts(result) })),
    };
  }
  const places = [...ports].filter((port) => port.drops > 0).sort((a, b) => b.drops - a.drops).slice(0, MOST_NAMED)
    .map(({ name, drops }) => ({ port: name, packets: drops }));
  return {
    ...base,
    ...(retransmittedPackets > 0 ?
      { code: 'packets-retransmitted', question: 'Why were packets retransmitted?' } :
      { code: 'packets-lost', question: 'Were packets lost?' }),
    ...answerOf(dropsOf(totals), places.length > 0 && finding('most-drops', { ports: places }),
      ...memoryFindings(result), ...trimmedFindings(result), discarded,
      retransmittedPackets > 0 && retransmissionsOf(result),
      packetsDropped === 0 && timeouts > 0 && timeoutsOf(result)),
    because: [...because, ...places.map(({ port, packets }) => reason('drops-at', packets, { port }))],
  };
}

function dropsOf({ drops, packetsDropped }: SimResult['totals']): Finding {
  if (packetsDropped === 0) return finding('nothing-dropped');
  const kinds = DROP_REASONS.flatMap((kind) => {
    const packets = drops[kind] ?? 0;
    return packets > 0 ? [{ reason: kind, packets }] : [];
  });
  return finding('packets-dropped', { packets: packetsDropped, drops: kinds });
}

/** Why a switch had no memory left, with PFC and without. */
function memoryFindings(result: SimResult): (Finding | false)[] {
  const { scenario, fidelity, totals: { drops } } = result;
  const full = switchPorts(result).filter((port) => drops.buffer > 0 && port.drops > 0);
  const lossless = full.find(({ node }) => switchSettings(scenario, node).pfc);
  const unprotected = full.find(({ node }) => !switchSettings(scenario, node).pfc);
  return [
    unprotected !== undefined && finding('memory-unprotected', { node: unprotected.node }),
    lossless !== undefined && finding('headroom-too-small', { node: lossless.node, fidelity }),
  ];
}

/** Packets that receivers discarded and reported in NACKs. */
function discardedFinding({ flows }: SimResult): Finding | false {
  const packets = flows.reduce((sum, { discardedPackets = 0 }) => sum + discardedPackets, 0);
  const hosts = new Set(flows.flatMap(({ discardedPackets = 0, to }) => discardedPackets > 0 ? [to] : []));
  return packets > 0 && finding('discarded-by-receivers', { packets, hosts: [...hosts] });
}

/** Where packets were trimmed, and what that indicates. */
function trimmedFindings(result: SimResult): (Finding | false)[] {
  const { totals: { trimmedPackets = 0, trimmedDropped = 0 }, ports } = result;
  if (trimmedPackets === 0) return [];
  const switches = new Set(switchPorts(result).map(({ node }) => node));
  const last = ports.filter(({ peer }) => !switches.has(peer)).reduce((sum, port) => sum + (port.trimmedPackets ?? 0),
    0);
  const most = [...ports].sort((a, b) => (b.trimmedPackets ?? 0) - (a.trimmedPackets ?? 0))[0];
  return [
    finding('packets-trimmed', { packets: trimmedPackets, port: most.name, packetsThere: most.trimmedPackets ?? 0 }),
    last * 2 > trimmedPackets ? finding('trimmed-at-last-hop') : finding('trimmed-between-switches'),
    trimmedDropped > 0 && finding('trimmed-dropped', { packets: trimmedDropped }),
  ];
}

/** Whether any sender has a retransmission timeout. */
function hasTimeouts({ scenario, flows }: SimResult): boolean {
  return flows.some(({ from }) => retransmitTimeoutUs(scenario, from) > 0);
}

function retransmissionsOf(result: SimResult): Finding {
  const { scenario, flows, totals: { retransmittedPackets, naks, timeouts, rnrNaks = 0, nacks = 0 } } = result;
  const used = transportsOf(scenario);
  const repeated = flows.reduce((sum, { readRequests = 1 }) => sum + readRequests - 1, 0);
  const signals: LossSignals = {
    ...(used.size > 1 || !(used.has('tolerant') || used.has('mrc')) ? { naks } : {}),
    ...(used.has('mrc') ? { nacks } : {}),
    ...(findsByDistance(scenario, used) ? { sacks: null } : {}),
    ...(rnrNaks > 0 ? { rnrNaks } : {}),
    ...(repeated > 0 ? { readRequests: repeated } : {}),
    ...(hasTimeouts(result) ? { timeouts } : {}),
  };
  return finding('packets-retransmitted', { transports: [...used], packets: retransmittedPackets, signals });
}

/** Why timeouts expired although nothing was dropped. */
function timeoutsOf({ deadlocks = [], scenario: { faults = [] } }: SimResult): Finding {
  const isStorm = faults.some(({ kind }) => kind === 'pause-storm');
  return finding('timeouts-without-drops', {
    held: deadlocks.length > 0 ? 'deadlock' : isStorm ? 'pause-storm' : 'queues',
  });
}
