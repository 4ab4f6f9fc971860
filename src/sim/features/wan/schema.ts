/**
 * A WAN with tunnels: nodes and links, tunnels, services, access lists, flow control. Resolving the settings completes them and
 * replaces names by numbers.
 */
import * as z from 'zod';
import { DEFAULT_TUNNEL, DEFAULT_WAN_FLOW_CONTROL, DEFAULT_WAN_ROWS } from '../../scenario/defaults.js';
import { type NodeFinders, nameFinder, rejectScenario, type NameFinder } from '../../scenario/scenario-error.js';
import { flag, link, linkShape, listOf, name, numberAboveZero, optional, record, rejecting, wholeIn,
  wordOf } from '../../scenario/schema-parts.js';
import type { AccessListSpec, Fidelity, ScenarioSpec, ServiceSpec, TunnelSpec,
  WanFlowControlSpec } from '../../scenario/spec.js';
import type { ValidAccessList, ValidService, ValidWan, ValidWanFlowControl } from '../../scenario/valid-scenario.js';
import { DEFAULT_WAN } from '../../topology/topologies.js';
import type { Network, WanNodes } from '../../topology/network.js';

const EDGES_MAX = 16;
const PATHS_MAX = 64;
const ROUTERS_MAX = 16;
const SERVICES_MAX = 1024;
const NAMES_MAX = 4096;
const MTU_MAX_BYTES = 65_535;
/** Minimum MTU of IPv6 (RFC 8200, section 5). */
const MTU_MIN_BYTES = 1280;
const COUNTER_MAX_BYTES = 2 ** 32 - 1;
/** An ARN states the time in microseconds, in 32 bits. */
const PAUSE_TIME_MAX_US = 2 ** 32 - 1;
const ECN_MODES = ['normal', 'compatibility'] as const;
const EDGE_NAME = /^pe[0-9]{1,2}$/;
const EDGE_NAMES = rejecting('an object of ECN modes, each by the name of a provider edge, as pe0');

export const WAN_TOPOLOGY = record({
  ...linkShape(DEFAULT_WAN),
  ...optional({
    edges: wholeIn(1, EDGES_MAX, 'Provider edges of each data centre, pe0, …. Default: none, one link wan0 to wan1.'),
    paths: wholeIn(1, PATHS_MAX, 'Rows of routers side by side, each linked to all provider edges.',
      DEFAULT_WAN_ROWS.paths),
    routers: wholeIn(1, ROUTERS_MAX, 'Routers in a row, r0, ….', DEFAULT_WAN_ROWS.routers),
    links: listOf(link('A link of each row.'), 2, ROUTERS_MAX + 1,
      "Links of each row from dc0 to dc1, routers + 1. Default: as the WAN's."),
    access: link('Links between gateways and provider edges. Default: as those between leaves and spines.'),
  }),
},
  'The network between the data centres; rate and delay are those of each of its links. With edges it has the roles of draft-hu-rtgwg-rocev2-fcn-00, figure 1: gateways dc0.gateway, dc1.gateway; provider edges pe0, pe1, …, those of dc0 first; routers r0, r1, …, path by path. Without, it is one link between the border switches wan0 and wan1.',
  'WanTopologySpec');

const TUNNEL = record(optional({
  ecn: wordOf(ECN_MODES, 'The outer ECN field at the entry (RFC 6040): copied, which the draft requires, or Not-ECT.',
    DEFAULT_TUNNEL.ecn),
  ecnOfEdges: z.record(z.string().regex(EDGE_NAME, EDGE_NAMES), wordOf(ECN_MODES, 'Its mode.'), EDGE_NAMES)
    .describe('Provider edges with another mode.'),
  dataEcn: wordOf(['ect0', 'ect1', 'not-ect'], 'ECN field of data as senders write it.', DEFAULT_TUNNEL.dataEcn),
  routersMark: wordOf(['ect', 'all'],
    'Which packets congested nodes of the WAN mark: ECN-capable ones, or, against RFC 3168, all.',
    DEFAULT_TUNNEL.routersMark),
  mtuBytes: wholeIn(MTU_MIN_BYTES, MTU_MAX_BYTES,
    'Longest IP packet on links of the WAN, bytes; a flow with longer packets is rejected.', DEFAULT_TUNNEL.mtuBytes),
}), 'The tunnels: RoCEv2 over IPv6 encapsulated in IPv6.', 'TunnelSpec');

const SERVICE = record({
  name: name('Its name.'),
  ...optional({
    hosts: listOf(name('A host.'), 1, NAMES_MAX, 'Flows with one of these hosts at either end. Default: any.'),
    trafficClasses: listOf(wholeIn(1, 7, 'A class.'), 1, 7, 'Flows with data in one of these. Default: any.'),
    edges: z.tuple([name('A provider edge of dc0.'), name('One of dc1.')], rejecting('a list of two names'))
      .describe('Ends of its tunnel. Default: the first of each data centre.'),
    via: listOf(name('A router.'), 1, 8,
      'Routers that a Segment Routing Header names, from dc0 to dc1. Default: none, and no such header.'),
  }),
}, 'A tunnel between two provider edges in both directions.', 'ServiceSpec');

const ACCESS_LIST = record({
  at: name('gateways, edges, or the name of one of them.'),
  ...optional({ direction: wordOf(['in', 'out'], 'Into its domain, or out of it. Default: both.') }),
  permit: listOf(name('A switch, or dc0, dc1, wan.'), 0, NAMES_MAX, 'Switches whose Fast CNPs pass.'),
}, 'Switches whose Fast CNPs a border lets through. Lists for one node add up.', 'AccessListSpec');

const FLOW_CONTROL = record(optional({
  kind: wordOf(['pfc', 'arn', 'none'],
    'pfc: pause frames, hop by hop; arn: pauses of a service, flow or priority; none.', DEFAULT_WAN_FLOW_CONTROL.kind),
  level: wordOf(['service', 'flow', 'priority'], 'What an ARN pauses: draft-hu-rtgwg-rocev2-fcn-00, section 4.1.2.',
    DEFAULT_WAN_FLOW_CONTROL.level),
  pauseTimeUs: numberAboveZero(PAUSE_TIME_MAX_US,
    'How long an ARN pauses, us; the longest PFC pause at 100 Gb/s takes 335.', DEFAULT_WAN_FLOW_CONTROL.pauseTimeUs),
  refreshUs: numberAboveZero(PAUSE_TIME_MAX_US,
    'Refresh time of ARNs while the congestion lasts, us. Default: half of pauseTimeUs.'),
  xoffBytes: wholeIn(1, COUNTER_MAX_BYTES,
    'Bytes of a service, flow or priority, by port of arrival, from which on it is paused. Default: Kmax of the port.'),
  xonBytes: wholeIn(0, COUNTER_MAX_BYTES, 'Bytes at which it may resume. Default: Kmin of the port.'),
  gateways: wordOf(['pfc', 'arn'], 'What gateways support: ARNs, or only pause frames.',
    DEFAULT_WAN_FLOW_CONTROL.gateways),
  resumes: flag('Whether resuming ARNs are sent. If not, pauses end when their time expires.',
    DEFAULT_WAN_FLOW_CONTROL.resumes),
}), 'Flow control on the links of the WAN.', 'WanFlowControlSpec');

export const WAN_SCHEMA = record(optional({
  tunnel: TUNNEL,
  services: listOf(SERVICE, 1, SERVICES_MAX,
    'Separate tunnels for some flows: the first that matches a flow. The others share a service default.'),
  accessLists: listOf(ACCESS_LIST, 1, NAMES_MAX,
    'Switches whose Fast CNPs pass the borders. Default: none (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 5).'),
  flowControl: FLOW_CONTROL,
}), 'Tunnels, services, access lists and flow control of a WAN with provider edges.', 'WanSpec');

const DOMAINS = ['dc0', 'dc1', 'wan'] as const;

/** @throws RoceError `invalid-scenario`: no provider edges, another fidelity, a name of another role, times out of order. */
export function resolveWan(spec: ScenarioSpec, network: Network, fidelity: Fidelity, named: NodeFinders): ValidWan
  | null {
  const { wan = {} } = spec;
  if (network.wan === undefined) return spec.wan === undefined ? null : rejectWithoutEdges(spec.wan);
  requireStandardWan(spec, fidelity);
  const roles = network.wan;
  const finders = findersOf(network, roles);
  const { services = [], accessLists = [], flowControl = {} } = wan;
  const tunnel = { ...DEFAULT_TUNNEL, ...wan.tunnel };
  const { dataEcn, routersMark, mtuBytes } = tunnel;
  requireNamesOnce(services);
  return {
    tunnel: { dataEcn, routersMark, mtuBytes },
    compatibilityEdges: compatibilityEdges(tunnel, roles, finders.edge),
    services: [
      ...services.map((service, i) => resolveService(service, network, roles, { ...finders, ...named }, i)),
      resolveService({ name: 'default' }, network, roles, { ...finders, ...named }, services.length),
    ],
    accessLists: accessLists.flatMap((list, i) => resolveAccessList(list, network, roles, i)),
    flowControl: resolveFlowControl(flowControl),
  };
}

function rejectWithoutEdges(got: NonNullable<ScenarioSpec['wan']>): never {
  return rejectScenario({
    what: 'wan',
    problem: 'is for a WAN with provider edges, and the topology has none',
    got: Object.keys(got),
    where: 'wan',
    hint: 'topology.wan.edges of two-data-centers gives it some',
  });
}

function requireStandardWan({ switches = {}, hosts = {}, overrides = [] }: ScenarioSpec, fidelity: Fidelity): void {
  if (fidelity !== 'standard') {
    const problem = 'is a setting of fidelity standard';
    rejectScenario({ what: 'topology.wan.edges', problem, got: fidelity, where: 'topology.wan.edges' });
  }
  const rules = [switches.loadBalancing, ...overrides.map((own) => own.switch?.loadBalancing)];
  const got = rules.find((rule) => rule !== undefined && rule !== 'ecmp');
  if (got !== undefined) {
    const problem = 'is not modelled together with tunnels';
    rejectScenario({ what: 'load balancing', problem, got, allowed: ['ecmp'], where: 'switches.loadBalancing' });
  }
  const selections = [hosts.pathSelection, ...overrides.map((own) => own.host?.pathSelection)];
  const selection = selections.find((one) => one !== undefined && one !== 'flow');
  if (selection !== undefined) {
    const problem = 'is not modelled together with tunnels';
    const where = 'hosts.pathSelection';
    rejectScenario({ what: 'path selection', problem, got: selection, allowed: ['flow'], where });
  }
  if (hosts.onFastCnp === 'slow-down-and-detour') {
    const problem = 'is not modelled together with tunnels';
    rejectScenario({
      what: 'a detour',
      problem,
      got: hosts.onFastCnp,
      allowed: ['slow-down'],
      where: 'hosts.onFastCnp',
    });
  }
}

interface WanFinders {
  readonly edge: NameFinder;
  readonly router: NameFinder;
}

function findersOf({ nodes }: Network, { edges, routers }: WanNodes): WanFinders {
  const of = (ids: readonly number[], kind: string): NameFinder =>
    nameFinder(new Map(ids.map((id) => [nodes[id].name, id])), kind);
  return { edge: of(edges.flat(), 'a provider edge'), router: of(routers, 'a router of the WAN') };
}

function compatibilityEdges({ ecn, ecnOfEdges = {} }: TunnelSpec & Pick<Required<TunnelSpec>, 'ecn'>,
  { edges }: WanNodes, edgeNamed: NameFinder): number[] {
  const own = new Map(
    Object.entries(ecnOfEdges).map(([name, mode]) => [edgeNamed(name, 'wan.tunnel.ecnOfEdges'), mode]),
  );
  return edges.flat().filter((edge) => (own.get(edge) ?? ecn) === 'compatibility');
}

function requireNamesOnce(services: readonly ServiceSpec[]): void {
  const seen = new Set(['default']);
  services.forEach(({ name: got }, i) => {
    if (seen.has(got)) {
      const problem = got === 'default' ? 'is reserved for flows that match no other service' : 'is used twice';
      rejectScenario({ what: 'the name of a service', problem, got, where: `wan.services[${i}].name` });
    }
    seen.add(got);
  });
}

function resolveService({ name, hosts, trafficClasses, edges, via = [] }: ServiceSpec, { nodes }: Network,
  { edges: ofCenters }: WanNodes, named: WanFinders & NodeFinders, index: number): ValidService {
  const where = `wan.services[${index}]`;
  return {
    name,
    hosts: hosts?.map((host, i) => named.host(host, `${where}.hosts[${i}]`)) ?? null,
    trafficClasses: trafficClasses ?? null,
    edges: edges === undefined ?
      [ofCenters[0][0], ofCenters[1][0]] :
      [edgeOf(0), edgeOf(1)],
    via: via.map((router, i) => named.router(router, `${where}.via[${i}]`)),
  };

  function edgeOf(center: 0 | 1): number {
    const numbers = new Map(ofCenters[center].map((id) => [nodes[id].name, id]));
    return nameFinder(numbers, `a provider edge of dc${center}`)(edges?.[center] ?? '', `${where}.edges[${center}]`);
  }
}

function resolveAccessList({ at, direction, permit }: AccessListSpec, network: Network, wan: WanNodes,
  index: number): ValidAccessList[] {
  const where = `wan.accessLists[${index}]`;
  const switches = network.nodes.flatMap(({ name, kind }, id) => (kind === 'switch' ? [[name, [id]] as const] : []));
  const ofDomain = (domain: number): number[] =>
    switches.flatMap(([, ids]) => ids.filter((id) => wan.domains[id] === domain));
  const groups = new Map<string, readonly number[]>([
    ...switches,
    ...DOMAINS.map((name, i) => [name, ofDomain(i)] as const),
  ]);
  const permitted = permit.flatMap((name, i) => oneOf(groups, name, 'a switch or a domain', `${where}.permit[${i}]`));
  const edges = wan.edges.flat();
  const borders = new Map<string, readonly number[]>([
    ['gateways', wan.gateways],
    ['edges', edges],
    ...[...wan.gateways, ...edges].map((id) => [network.nodes[id].name, [id]] as const),
  ]);
  const directions = direction === undefined ? (['in', 'out'] as const) : [direction];
  return oneOf(borders, at, 'a border', `${where}.at`).flatMap((node) =>
    directions.map((one) => ({ node, direction: one, permit: permitted }))
  );
}

function oneOf(groups: ReadonlyMap<string, readonly number[]>, got: string, kind: string,
  where: string): readonly number[] {
  return groups.get(got) ?? rejectScenario({ what: `the name of ${kind}`, got, allowed: [...groups.keys()], where });
}

function resolveFlowControl(spec: WanFlowControlSpec): ValidWanFlowControl {
  const { kind, level, pauseTimeUs, gateways, resumes } = { ...DEFAULT_WAN_FLOW_CONTROL, ...spec };
  const { refreshUs = pauseTimeUs / 2, xoffBytes = null, xonBytes = null } = spec;
  const where = 'wan.flowControl';
  requireArns(spec, kind);
  if (refreshUs >= pauseTimeUs) {
    const allowed = { below: pauseTimeUs, unit: 'us' };
    rejectScenario({ what: 'the time between ARNs', got: refreshUs, allowed, where: `${where}.refreshUs` });
  }
  if (xoffBytes !== null && xonBytes !== null && xonBytes >= xoffBytes) {
    const allowed = { below: xoffBytes, unit: 'bytes' };
    rejectScenario({ what: 'xonBytes of ARNs', got: xonBytes, allowed, where: `${where}.xonBytes` });
  }
  return { kind, level, pauseTimeUs, refreshUs, xoffBytes, xonBytes, gateways, resumes };
}

function requireArns(spec: WanFlowControlSpec, kind: string): void {
  for (const key of Object.keys(spec) as (keyof WanFlowControlSpec)[]) {
    if (kind === 'arn' || key === 'kind') continue;
    const problem = `is a setting of ARNs, and the kind is ${kind}`;
    const where = `wan.flowControl.${key}`;
    rejectScenario({ what: where, problem, got: spec[key], where });
  }
}
