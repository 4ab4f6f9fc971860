/** Explains a WAN between data centres: tunnels, access lists, Fast CNPs by END.CON compared with CNPs, and pauses. */
import type { FlowResult, SimResult, WanNodeResult, WanResult } from '../../result.js';
import type { TopologySpec } from '../../scenario/spec.js';
import { buildNetwork } from '../../topology/build-network.js';
import { WAN_DOMAIN } from '../../topology/network.js';
import { type Explanation, answerOf, finding, type Finding, type FindingFigures,
  reason } from '../../explain/explanation.js';

/** Maximum number of ports of each kind that the answer names. */
const MOST_NAMED = 3;

/** Explains the WAN; undefined if the scenario has none with provider edges. */
export function explainWan(result: SimResult): Explanation | undefined {
  const { wan } = result;
  if (wan === undefined) return undefined;
  const { nodes } = wan;
  const held = heldFinding(result, wan);
  return {
    topic: 'wan',
    code: 'wan-effects',
    question: 'What did the WAN do to the flows?',
    ...answerOf(tunnelFinding(nodes), ecnFinding(nodes), accessFinding(nodes), endConFinding(nodes),
      firstFinding(result.flows), held),
    ...(held === undefined ? {} : { inShort: held.text }),
    because: [
      reason('packets-encapsulated', sum(nodes, ({ encapsulated }) => encapsulated)),
      reason('fast-cnps-denied', sum(nodes, denied)),
      reason('fast-cnps-to-end-con', sum(nodes, ({ endConReceived }) => endConReceived)),
    ],
    missing: [],
  };
}

function tunnelFinding(nodes: readonly WanNodeResult[]): Finding {
  const entries = nodes.filter(({ encapsulated }) => encapsulated > 0);
  return entries.length === 0 ? finding('tunnels-unused') : finding('tunnels-entered', {
    packets: sum(entries, ({ encapsulated }) => encapsulated),
    nodes: entries.map(({ node }) => node),
  });
}

function ecnFinding(nodes: readonly WanNodeResult[]): Finding | undefined {
  const unequal = nodes.flatMap(({ node, ecnUnused, ecnDangerous, ecnDropped }) => {
    const packets = ecnUnused + ecnDangerous;
    return packets > 0 ? [{ node, packets, packetsDropped: ecnDropped }] : [];
  });
  return unequal.length === 0 ? undefined : finding('tunnel-ecn-mismatch', { nodes: unequal });
}

function accessFinding(nodes: readonly WanNodeResult[]): Finding | undefined {
  const places = nodes.flatMap(({ node, fastCnpsDeniedIn, fastCnpsDeniedOut }) => [
    ...(fastCnpsDeniedIn > 0 ? [{ node, way: 'in' as const, fastCnps: fastCnpsDeniedIn }] : []),
    ...(fastCnpsDeniedOut > 0 ? [{ node, way: 'out' as const, fastCnps: fastCnpsDeniedOut }] : []),
  ]);
  return places.length === 0 ? undefined : finding('fast-cnps-denied', { places });
}

function endConFinding(nodes: readonly WanNodeResult[]): Finding | undefined {
  const sent = nodes.filter(({ endConSent }) => endConSent > 0)
    .map(({ node, endConSent }) => ({ node, fastCnps: endConSent }));
  const received = nodes.filter(({ endConReceived }) => endConReceived > 0)
    .map(({ node, endConReceived }) => ({ node, fastCnps: endConReceived }));
  return sent.length === 0 ? undefined : finding('fast-cnps-by-end-con', { sent, received });
}

/** The earliest notification among flows that received only Fast CNPs, and among those that received only CNPs. */
function firstFinding(flows: readonly FlowResult[]): Finding | undefined {
  const byFastCnp = earliest(flows.filter(({ cnps, fastCnps }) => fastCnps > 0 && cnps === 0));
  const byCnp = earliest(flows.filter(({ cnps, fastCnps }) => cnps > 0 && fastCnps === 0));
  if (byFastCnp === undefined && byCnp === undefined) return undefined;
  return finding('first-notified', { byFastCnp: notified(byFastCnp), byCnp: notified(byCnp) });
}

function notified(flow: FlowResult | undefined): FindingFigures<'first-notified'>['byCnp'] {
  return flow === undefined ?
    null :
    { host: flow.from, timePs: flow.firstNotificationPs ?? 0, flow: flow.index };
}

function earliest(flows: readonly FlowResult[]): FlowResult | undefined {
  const at = ({ firstNotificationPs }: FlowResult): number => firstNotificationPs ?? Infinity;
  return flows.reduce<FlowResult | undefined>((best, flow) => (best === undefined || at(flow) < at(best) ? flow : best),
    undefined);
}

/** Pauses by ARNs and by PFC: what was held, for how long, where, and by which node. */
function heldFinding(result: SimResult, { held = [], arnPorts = [] }: WanResult): Finding | undefined {
  const byArns = held.slice(0, MOST_NAMED).map(({ level, name, heldPs }) => ({ level, name, heldPs }));
  const ports = [...arnPorts].filter(({ heldPs }) => heldPs > 0).sort((a, b) => b.heldPs - a.heldPs)
    .slice(0, MOST_NAMED).map(({ port, heldPs }) => ({ port, heldPs, by: peerOf(result, port) }));
  const arnsExpired = sum(arnPorts, (port) => port.arnsExpired);
  const byPfc = pausedBetween(result);
  const victims = result.flows.filter(({ heldPs = 0 }) => heldPs > 0).length;
  if (byArns.length + ports.length + arnsExpired + byPfc.length + victims === 0) return undefined;
  return finding('traffic-held', { byArns, ports, arnsExpired, byPfc, victims });
}

/** Ports between the data centres that PFC paused, the longest-paused first. */
function pausedBetween({ ports, pauses = [], scenario: { topology } }: SimResult): FindingFigures<
  'traffic-held'
>['byPfc'] {
  const between = nodesBetweenCenters(topology);
  const paused = ports.filter(({ node, peer, pausedPs }) => pausedPs > 0 && between.has(node) && between.has(peer));
  return paused.sort((a, b) => b.pausedPs - a.pausedPs).slice(0, MOST_NAMED).map(({ name, peer, pausedPs }) => ({
    port: name,
    pausedPs,
    by: peer,
    firstPs: pauses.find(({ port }) => port === name)?.fromPs ?? null,
  }));
}

/** Gateways, provider edges and routers. */
function nodesBetweenCenters(topology: TopologySpec): ReadonlySet<string> {
  const { nodes, wan } = buildNetwork(topology);
  if (wan === undefined) return new Set();
  const isBetween = (node: number): boolean => wan.domains[node] === WAN_DOMAIN || wan.gateways.includes(node);
  return new Set(nodes.filter((_, node) => isBetween(node)).map(({ name }) => name));
}

function denied({ fastCnpsDeniedIn, fastCnpsDeniedOut }: WanNodeResult): number {
  return fastCnpsDeniedIn + fastCnpsDeniedOut;
}

function peerOf({ ports }: SimResult, port: string): string {
  return ports.find(({ name }) => name === port)?.peer ?? 'its peer';
}

function sum<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
