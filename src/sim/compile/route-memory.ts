/** Counts the entries of the route tables before they are made; rejects networks whose tables would not fit into memory. */
import { rejectScenario } from '../scenario/scenario-error.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import type { Network } from '../topology/network.js';

/** Maximum entries of a table that fits into memory. */
const ROUTES_MAX = 2 ** 25;
/** Maximum distances; each takes two bytes. */
const DISTANCES_MAX = 2 ** 28;

/** @throws RoceError `invalid-scenario`. */
export function requireRoomForRoutes(valid: Pick<ValidScenario, 'network' | 'faults'>): void {
  const routes = routeCount(valid.network);
  if (routes > ROUTES_MAX) {
    rejectScenario({
      what: 'the size of the table of routes',
      got: routes,
      allowed: { max: ROUTES_MAX },
      where: 'topology',
      hint:
        'The table has an entry at each switch, and at each host of several links, for each switch with hosts and for each host of several links',
    });
  }
  const distances = distanceCount(valid);
  if (distances <= DISTANCES_MAX) return;
  rejectScenario({
    what: 'the size of the table of distances',
    got: distances,
    allowed: { max: DISTANCES_MAX },
    where: 'faults',
    hint: 'Links that go down need a table with an entry for each node at each switch',
  });
}

/** Number of entries of the route table. */
export function routeCount(network: Network): number {
  const { nodes, links, routes, wan } = network;
  const degree = new Int32Array(nodes.length);
  const attached = new Int32Array(nodes.length);
  for (const { from, to } of links) {
    degree[from]++;
    degree[to]++;
    attached[from] = to;
    attached[to] = from;
  }
  const rows = nodes.filter(({ kind }, node) => kind === 'switch' || degree[node] > 1).length;
  const ofOne = network.hosts.filter((host) => degree[host] === 1);
  const tunnelEnds = wan === undefined ? [] : [...wan.edges.flat(), ...wan.routers];
  const shared = new Set([...ofOne.map((host) => attached[host]), ...tunnelEnds]).size;
  const named = new Set(routes.map(({ destination }) => destination)).size;
  return rows * (network.hosts.length - ofOne.length + shared + named);
}

/** Number of entries of the kernel's distance table, which exists only if links go down. */
export function distanceCount(
  { network: { nodes }, faults = [] }: Pick<ValidScenario, 'network'> & Partial<Pick<ValidScenario, 'faults'>>,
): number {
  if (!faults.some(({ kind }) => kind === 'link-down')) return 0;
  return nodes.length * nodes.filter(({ kind }) => kind === 'switch').length;
}
