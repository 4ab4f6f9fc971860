/** Effects of a WAN between data centres: tunnels, access lists, Fast CNPs by END.CON compared with CNPs, and pauses. */
import type { FlowResult, SimResult, WanNodeResult, WanResult } from '../result.js';
import type { TopologySpec } from '../scenario/spec.js';
import { buildNetwork } from '../topology/build-network.js';
import { WAN_DOMAIN } from '../topology/network.js';
import { countWords, reason, timeWords, type Explanation } from './explanation.js';
import { findingsOf, flowText, instantText, listText, listWords, plainText, portText, sentences, text,
  type Text } from './text.js';

/** Ports that the answer names of each kind. */
const MOST_NAMED = 3;

/** Undefined: the scenario has no WAN with provider edges. */
export function explainWan(result: SimResult): Explanation | undefined {
  const { wan } = result;
  if (wan === undefined) return undefined;
  const { nodes } = wan;
  const held = heldWords(result, wan);
  const inShort = plainText(held);
  return {
    topic: 'wan',
    code: 'wan-effects',
    question: 'What did the WAN do to the flows?',
    ...findingsOf(tunnelWords(nodes), ecnWords(nodes), accessWords(nodes), endConWords(nodes), firstWords(result.flows),
      held),
    ...(inShort === '' ? {} : { inShort }),
    because: [
      reason('packets that entered tunnels', sum(nodes, ({ encapsulated }) => encapsulated), 'packets'),
      reason('Fast CNPs denied by access lists', sum(nodes, denied), 'packets'),
      reason('Fast CNPs to END.CON SIDs', sum(nodes, ({ endConReceived }) => endConReceived), 'packets'),
    ],
    missing: [],
  };
}

function tunnelWords(nodes: readonly WanNodeResult[]): string {
  const entries = nodes.filter(({ encapsulated }) => encapsulated > 0);
  if (entries.length === 0) return 'No packet entered a tunnel.';
  return `${countWords(sum(entries, ({ encapsulated }) => encapsulated), 'packet')} entered tunnels at ${
    listWords(entries.map(({ node }) => node))
  }.`;
}

function ecnWords(nodes: readonly WanNodeResult[]): Text {
  return sentences(...nodes.map(({ node, ecnUnused, ecnDangerous, ecnDropped }) =>
    ecnUnused + ecnDangerous > 0 &&
    `${node} warns of ${
      countWords(ecnUnused + ecnDangerous, 'packet')
    } whose inner and outer ECN fields do not go together (RFC 6040)${
      ecnDropped > 0 ? `, and dropped ${ecnDropped} of them: marked outside, not ECN-capable inside` : ''
    }.`
  ));
}

function accessWords(nodes: readonly WanNodeResult[]): string {
  const places = nodes.flatMap(({ node, fastCnpsDeniedIn, fastCnpsDeniedOut }) => [
    ...(fastCnpsDeniedIn > 0 ? [`${fastCnpsDeniedIn} at ${node} on the way in`] : []),
    ...(fastCnpsDeniedOut > 0 ? [`${fastCnpsDeniedOut} at ${node} on the way out`] : []),
  ]);
  if (places.length === 0) return '';
  return `Access lists rejected Fast CNPs: ${listWords(places)}; wan.accessLists names those that may pass.`;
}

function endConWords(nodes: readonly WanNodeResult[]): string {
  const from = nodes.filter(({ endConSent }) => endConSent > 0);
  const to = nodes.filter(({ endConReceived }) => endConReceived > 0);
  if (from.length === 0) return '';
  const sent = from.map(({ node, endConSent }) => `${node} sent ${endConSent}`);
  const received = to.map(({ node, endConReceived }) => `${node} received ${endConReceived}`);
  return `Fast CNPs went by END.CON: ${listWords(sent)}, ${
    received.length === 0 ? 'none arrived' : listWords(received)
  }.`;
}

/** First notification of flows that were notified in a single way. */
function firstWords(flows: readonly FlowResult[]): Text {
  const byFastCnp = earliest(flows.filter(({ cnps, fastCnps }) => fastCnps > 0 && cnps === 0));
  const byCnp = earliest(flows.filter(({ cnps, fastCnps }) => cnps > 0 && fastCnps === 0));
  const words = (flow: FlowResult, kind: string): Text =>
    text`a ${kind} notified ${flow.from} first at ${instantText(flow.firstNotificationPs ?? 0)} (${
      flowText(flow.index)
    })`;
  const parts = [
    ...(byFastCnp === undefined ? [] : [words(byFastCnp, 'Fast CNP')]),
    ...(byCnp === undefined ? [] : [words(byCnp, 'CNP')]),
  ];
  return parts.length === 0 ? '' : text`Of flows notified in one way only, ${listText(parts)}.`;
}

function earliest(flows: readonly FlowResult[]): FlowResult | undefined {
  const at = ({ firstNotificationPs }: FlowResult): number => firstNotificationPs ?? Infinity;
  return flows.reduce<FlowResult | undefined>((best, flow) => (best === undefined || at(flow) < at(best) ? flow : best),
    undefined);
}

/** Pauses by ARNs and by PFC: what was held, for how long, where, and by which node. */
function heldWords(result: SimResult, { held = [], arnPorts = [] }: WanResult): Text {
  const what = held.slice(0, MOST_NAMED).map(({ level, name, heldPs }) => `${level} ${name} for ${timeWords(heldPs)}`);
  const ports = [...arnPorts].filter(({ heldPs }) => heldPs > 0).sort((a, b) => b.heldPs - a.heldPs);
  const expired = sum(arnPorts, ({ arnsExpired }) => arnsExpired);
  return sentences(what.length > 0 && `ARNs held ${listWords(what)}.`, ports.length > 0 &&
    text`${
      listText(ports.slice(0, MOST_NAMED).map(({ port, heldPs }) =>
        text`${portText(port)} waited ${timeWords(heldPs)} because ${peerOf(result, port)} paused it`
      ))
    }.`, expired > 0 && `${countWords(expired, 'pause')} by ARNs expired.`, pfcWords(result),
    victimWords(result.flows));
}

function pfcWords({ ports, pauses = [], scenario: { topology } }: SimResult): Text {
  const between = nodesBetweenCenters(topology);
  const paused = ports.filter(({ node, peer, pausedPs }) => pausedPs > 0 && between.has(node) && between.has(peer));
  const most = paused.sort((a, b) => b.pausedPs - a.pausedPs).slice(0, MOST_NAMED);
  const named = most.map(({ name, peer, pausedPs }) => {
    const first = pauses.find(({ port }) => port === name);
    return text`${portText(name)} for ${timeWords(pausedPs)} by ${peer}${
      first === undefined ? '' : text`, first at ${instantText(first.fromPs)}`
    }`;
  });
  return named.length === 0 ? '' : text`PFC paused ${listText(named)}.`;
}

/** Gateways, provider edges and routers. */
function nodesBetweenCenters(topology: TopologySpec): ReadonlySet<string> {
  const { nodes, wan } = buildNetwork(topology);
  if (wan === undefined) return new Set();
  const isBetween = (node: number): boolean => wan.domains[node] === WAN_DOMAIN || wan.gateways.includes(node);
  return new Set(nodes.filter((_, node) => isBetween(node)).map(({ name }) => name));
}

function victimWords(flows: readonly FlowResult[]): string {
  const victims = flows.filter(({ heldPs = 0 }) => heldPs > 0);
  return victims.length === 0 ? '' : `Pauses that began elsewhere held ${countWords(victims.length, 'flow')}.`;
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
