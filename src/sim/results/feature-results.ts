/**
 * What a result says of features: how equal paths were shared, QPs of several messages, PFC hazards, and a WAN. A member is
 * present only if its feature was in use, of hazards if they occurred.
 */
import { decapsulateEcn } from '../../tunnel/ecn.js';
import type { CompiledScenario } from '../compile/compile-scenario.js';
import type { HazardReader } from '../features/hazards/memory.js';
import type { RawWanNode, WanReader } from '../features/wan/memory.js';
import type { WanPlan } from '../features/wan/plan.js';
import type { SimKernel } from '../kernel/kernel.js';
import type { NetworkPlan } from '../plan.js';
import type { FlowResult, PortResult, EqualPathsResult, QpResult, SimResult, ArnPortResult, HeldResult, WanNodeResult,
  WanResult } from '../result.js';
import type { ScenarioSpec } from '../scenario/spec.js';
import { jainIndex } from './summary.js';

/** Number of ECN codes. */
const ECN_CODES = 4;

/** The sets of equal paths that carried traffic; none if the scenario sets neither load balancing nor path selection. */
export function equalPathsResults({ groups }: NetworkPlan, scenario: ScenarioSpec,
  ports: readonly PortResult[]): { readonly equalPaths?: readonly EqualPathsResult[] } {
  if (!setsBalancing(scenario)) return {};
  return {
    equalPaths: distinct(groups).filter((group) => group.length > 1 && group.some((port) => ports[port].txBytes > 0))
      .map((group) => {
        const txBytes = group.map((port) => ports[port].txBytes);
        return {
          node: ports[group[0]].node,
          ports: group.map((port) => ports[port].name),
          txBytes,
          fairness: jainIndex(txBytes),
        };
      }),
  };
}

/** Removes groups that differ only in their weights from another group. */
function distinct(groups: NetworkPlan['groups']): NetworkPlan['groups'] {
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

function setsBalancing({ switches, hosts, overrides = [] }: ScenarioSpec): boolean {
  return switches?.loadBalancing !== undefined || hosts?.pathSelection !== undefined ||
    overrides.some((one) => one.switch?.loadBalancing !== undefined || one.host?.pathSelection !== undefined);
}

/** Results by QP, summed over its flows; empty if no QP carries several messages. */
export function qpResults(flows: readonly FlowResult[]): Pick<SimResult, 'qps'> {
  const messages = new Map<number, FlowResult[]>();
  for (const flow of flows) {
    if (flow.qp === undefined) continue;
    const known = messages.get(flow.qp);
    if (known === undefined) messages.set(flow.qp, [flow]);
    else known.push(flow);
  }
  if (messages.size === 0) return {};
  return { qps: [...messages].map(([qp, ofQp]) => qpOf(qp, ofQp)) };
}

function qpOf(qp: number, flows: readonly FlowResult[]): QpResult {
  const [{ from, to, finalRateBps }] = flows;
  const sum = (of: (flow: FlowResult) => number): number => flows.reduce((total, flow) => total + of(flow), 0);
  const done = flows.filter(({ completionPs }) => completionPs !== null);
  const began = flows.filter(({ beganPs = null }) => beganPs !== null);
  return {
    qp,
    from,
    to,
    messages: flows.length,
    messagesDone: done.length,
    sizeBytes: sum(({ sizeBytes }) => sizeBytes),
    deliveredBytes: sum(({ deliveredBytes }) => deliveredBytes),
    openedPs: least(began.map(({ startPs }) => startPs)),
    lastAckPs: done.length === 0 ?
      null :
      largest(done.map(({ startPs, completionPs }) => startPs + (completionPs ?? 0))),
    retransmittedPackets: sum(({ retransmittedPackets }) => retransmittedPackets),
    timeouts: sum(({ timeouts }) => timeouts),
    cnps: sum(({ cnps }) => cnps),
    restarts: flows.filter(({ restarted }) => restarted === true).length,
    minBeganRateBps: least(began.map(({ beganRateBps = 0 }) => beganRateBps)),
    finalRateBps: finalRateBps ?? 0,
  };
}

function least(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((a, b) => Math.min(a, b));
}

function largest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}

/** Deadlocks, by the names of their ports. */
export function deadlockResults({ portNames }: CompiledScenario, kernel: SimKernel): Pick<SimResult, 'deadlocks'> {
  const found = kernel.hazards?.deadlocks() ?? [];
  if (found.length === 0) return {};
  return {
    deadlocks: found.map(({ formedPs, foundPs, resolvedPs, length, cycle }) => ({
      formedPs,
      foundPs,
      resolvedPs,
      ports: cycle.map(({ port }) => portNames[port]),
      trafficClasses: cycle.map(({ trafficClass }) => trafficClass),
      length,
    })),
  };
}

/** How long a flow was held by pauses unrelated to its own path. */
export function victimOf(hazards: HazardReader, index: number,
  portNames: readonly string[]): Pick<FlowResult, 'heldPs' | 'heldAt' | 'heldBy'> {
  const victim = hazards.victim(index);
  if (victim.heldPs === 0) return {};
  const { heldPs, heldAt, root } = victim;
  return { heldPs, heldAt: portNames[heldAt], ...(root < 0 ? {} : { heldBy: portNames[root] }) };
}

type OfPort = Pick<
  PortResult,
  'watchdogStorms' | 'watchdogRestored' | 'watchdogDrops' | 'stormedPs' | 'maxReceiveBytes' | 'receiveDrops'
>;

/** Counters of the watchdog at a port, and of a slow receiver's buffer. */
export function hazardsOfPort(hazards: HazardReader | undefined, index: number): OfPort {
  if (hazards === undefined) return {};
  const raw = hazards.port(index);
  const { storms, restored, watchdogDrops, stormedPs, maxReceiveBytes, receiveDrops } = raw;
  return {
    ...(storms + watchdogDrops > 0 ?
      { watchdogStorms: storms, watchdogRestored: restored, watchdogDrops, stormedPs } :
      {}),
    ...(maxReceiveBytes > 0 ? { maxReceiveBytes, receiveDrops } : {}),
  };
}

/** Tunnels, borders and ARNs; empty for a network without provider edges. */
export function wanResults(compiled: CompiledScenario, kernel: SimKernel): Pick<SimResult, 'wan'> {
  const { wan } = compiled.plan;
  const reader = kernel.wan;
  if (wan === undefined || reader === undefined) return {};
  const { nodes } = compiled.plan;
  const arnPorts = arnPortResults(compiled, reader);
  const held = heldResults(wan, reader);
  return {
    wan: {
      nodes: nodes.flatMap(({ name }, i) => nodeResult(name, reader.node(i))),
      services: serviceResults(compiled, wan),
      ...(arnPorts.length === 0 ? {} : { arnPorts }),
      ...(held.length === 0 ? {} : { held }),
    },
  };
}

function nodeResult(node: string, raw: RawWanNode): WanNodeResult[] {
  const { encapsulated, decapsulated, wrapped, unwrapped, deniedIn, deniedOut, cells } = raw;
  if (encapsulated + decapsulated + wrapped + unwrapped + deniedIn + deniedOut === 0) return [];
  const counted = cells.map((packets, i) => ({
    packets,
    outcome: decapsulateEcn(Math.floor(i / ECN_CODES), i % ECN_CODES),
  }));
  const sum = (counts: (cell: (typeof counted)[number]) => boolean): number =>
    counted.filter(counts).reduce((all, { packets }) => all + packets, 0);
  return [{
    node,
    encapsulated,
    decapsulated,
    endConSent: wrapped,
    endConReceived: unwrapped,
    fastCnpsDeniedIn: deniedIn,
    fastCnpsDeniedOut: deniedOut,
    ecnUnused: sum(({ outcome }) => outcome.warning === 'unused-combination'),
    ecnDangerous: sum(({ outcome }) => outcome.warning === 'dangerous'),
    ecnDropped: sum(({ outcome }) => outcome.ecn === 'drop'),
  }];
}

function serviceResults({ plan: { nodes, flows } }: CompiledScenario,
  { services, serviceOfFlow, domains }: WanPlan): WanResult['services'] {
  const counts = services.map(() => 0);
  serviceOfFlow.forEach((service, i) => {
    if (domains[flows.source[i]] !== domains[flows.destination[i]]) counts[service] += 1;
  });
  return services.map(({ name, edges, segments, overheadBytes }, i) => ({
    name,
    edges: edges.map((edge) => nodes[edge].name),
    via: segments.map((router) => nodes[router].name),
    overheadBytes,
    flows: counts[i],
  }));
}

function arnPortResults({ plan, portNames }: CompiledScenario, reader: WanReader): ArnPortResult[] {
  return plan.ports.flatMap((_, i) => {
    const { arnHeldPs, ...counts } = reader.port(i);
    if (counts.arnsSent + counts.arnsReceived === 0) return [];
    return [{ port: portNames[i], ...counts, heldPs: arnHeldPs }];
  });
}

function heldResults({ services, flowControl: { level } }: WanPlan, reader: WanReader): HeldResult[] {
  return reader.heldPs()
    .map((heldPs, key) => ({ level, key, name: level === 'service' ? services[key].name : String(key), heldPs }))
    .filter(({ heldPs }) => heldPs > 0)
    .sort((a, b) => b.heldPs - a.heldPs || a.key - b.key);
}
