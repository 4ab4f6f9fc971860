/**
 * Explains damage by PFC: deadlocked queues, hosts that paused their switches, watchdogs that intervened, and flows held by
 * pauses that began outside their path.
 */
import { PS_PER_US } from '../../../units.js';
import type { DeadlockResult, FlowResult, PortResult, SimResult } from '../../result.js';
import type { PauseStormSpec, SlowReceiverSpec } from '../../scenario/spec.js';
import { type Explanation, answerOf, finding, type Finding, reason, type Reason,
  maxBy } from '../../explain/explanation.js';
import type { Culprit } from '../../explain/sentences/pfc.js';

/** Maximum number of ports of a cycle, and of flows, that the answer names. */
const MOST_NAMED = 8;
const MOST_VICTIMS = 3;

/** Explains hazards; undefined if the scenario has none and none occurred. */
export function explainHazards(result: SimResult): Explanation | undefined {
  const { deadlocks = [], flows, ports } = result;
  const victims = flows.filter(({ heldPs = 0 }) => heldPs > 0);
  const causes = [
    ...deadlocks.slice(0, 1).map((deadlock) => deadlockFinding(deadlock, deadlocks.length)),
    ...hostFindings(result),
  ];
  const watched = ports.filter(({ watchdogStorms = 0, watchdogDrops = 0 }) => watchdogStorms + watchdogDrops > 0);
  if (causes.length + watched.length + victims.length === 0) return undefined;
  return {
    topic: 'hazard',
    ...questionOf(result),
    ...answerOf(...causes, ...watchdogFindings(watched), victims.length > 0 && victimFinding(result, victims)),
    ...(causes[0] === undefined ? {} : { inShort: causes[0].text }),
    because: [
      ...deadlocks.slice(0, 1).flatMap(deadlockReasons),
      ...watched.slice(0, 1).map((port) => reason('queues-stormed', port.watchdogStorms ?? 0, { port: port.name })),
      reason('flows-held', victims.length),
    ],
    missing: [],
  };
}

function questionOf({ deadlocks = [], scenario: { faults = [] } }: SimResult): Pick<Explanation, 'code' | 'question'> {
  if (deadlocks.length > 0) return { code: 'deadlock', question: 'Why did queues stop for good?' };
  return faults.some(({ kind }) => kind === 'pause-storm') ?
    { code: 'pause-storm', question: 'What did the pause storm do?' } :
    { code: 'held-by-pauses', question: 'What did pauses do beyond their cause?' };
}

function deadlockFinding({ ports, length, formedPs, foundPs, resolvedPs }: DeadlockResult, count: number): Finding {
  const named = ports.slice(0, MOST_NAMED);
  return finding('deadlock', {
    ports: named,
    morePorts: length - named.length,
    formedPs,
    foundPs,
    resolvedPs,
    moreDeadlocks: count - 1,
  });
}

function deadlockReasons({ formedPs, length }: DeadlockResult): Reason[] {
  return [reason('deadlock-formed', formedPs), reason('ports-in-cycle', length)];
}

function hostFindings(result: SimResult): Finding[] {
  const { faults = [] } = result.scenario;
  return faults.flatMap((fault) => {
    if (fault.kind === 'pause-storm') return [stormFinding(result, fault)];
    return fault.kind === 'slow-receiver' ? [slowFinding(result, fault)] : [];
  });
}

function stormFinding({ ports }: SimResult, { host, fromUs, lastsUs }: PauseStormSpec): Finding {
  const own = ports.filter(({ node }) => node === host);
  return finding('pause-storm', {
    host,
    peers: own.map(({ peer }) => peer),
    fromPs: fromUs * PS_PER_US,
    lastsPs: lastsUs === undefined ? null : lastsUs * PS_PER_US,
    pauses: own.reduce((sum, { pausesSent }) => sum + pausesSent, 0),
  });
}

function slowFinding({ ports }: SimResult, { host, rateGbps }: SlowReceiverSpec): Finding {
  const own = maxBy(ports.filter(({ node }) => node === host), ({ maxReceiveBytes = 0 }) => maxReceiveBytes);
  return finding('slow-receiver', {
    host,
    rateGbps,
    peer: own?.peer ?? null,
    heldBytes: own?.maxReceiveBytes ?? 0,
    pauses: own?.pausesSent ?? 0,
    packetsDropped: own?.receiveDrops ?? 0,
  });
}

function watchdogFindings(watched: readonly PortResult[]): Finding[] {
  return watched.slice(0, MOST_VICTIMS).map((
    { name, watchdogStorms = 0, watchdogRestored = 0, watchdogDrops = 0, stormedPs = 0 },
  ) =>
    finding('watchdog', {
      port: name,
      storms: watchdogStorms,
      stormedPs,
      restored: watchdogRestored,
      packetsDropped: watchdogDrops,
    })
  );
}

function victimFinding(result: SimResult, victims: readonly FlowResult[]): Finding {
  const longest = [...victims].sort((a, b) => (b.heldPs ?? 0) - (a.heldPs ?? 0) || a.index - b.index);
  const named = longest.slice(0, MOST_VICTIMS).map((flow) => ({
    flow: flow.index,
    from: flow.from,
    to: flow.to,
    heldPs: flow.heldPs ?? 0,
    port: String(flow.heldAt),
    culprit: culpritOf(result, flow),
  }));
  return finding('victims', { flows: victims.length, longest: named });
}

/** The origin of the pauses that held a flow. */
function culpritOf({ ports, scenario: { faults = [] } }: SimResult, { heldBy: port }: FlowResult): Culprit {
  if (port === undefined) return { kind: 'cycle' };
  const root = ports.find(({ name }) => name === port);
  const fault = faults.find((one) => 'host' in one && one.host === root?.peer);
  if (fault?.kind === 'pause-storm' || fault?.kind === 'slow-receiver')
    return { kind: fault.kind, host: fault.host, port };
  return { kind: 'queue', port };
}
