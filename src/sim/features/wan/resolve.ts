/** Completes the WAN settings of a scenario, and replaces names by numbers. */
import type { Network, WanNodes } from '../../topology/network.js';
import { DEFAULT_TUNNEL, DEFAULT_WAN_FLOW_CONTROL } from '../../scenario/defaults.js';
import { type NodeFinders, nameFinder, rejectScenario, type NameFinder } from '../../scenario/scenario-error.js';
import type { AccessListSpec, Fidelity, ScenarioSpec, ServiceSpec, TunnelSpec,
  WanFlowControlSpec } from '../../scenario/spec.js';
import type { ValidAccessList, ValidService, ValidWan, ValidWanFlowControl } from '../../scenario/valid-scenario.js';

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
