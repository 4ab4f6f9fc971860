/** Builds any network, link by link, and validates it. */
import { DEFAULT_ERROR_RATE } from '../scenario/defaults.js';
import { nodeFinders, type NodeFinders } from '../scenario/node-finders.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { EdgesSpec, RouteSpec } from '../scenario/spec.js';
import { linkSettings, NetworkBuilder, type Network } from './network.js';

/**
 * @throws RoceError `invalid-scenario`: a name used twice or unknown, a link from a node to itself, an impossible
 * route.
 */
export function buildEdges(spec: EdgesSpec): Network {
  const builder = new NetworkBuilder();
  addNodes(spec, builder);
  const named = nodeFinders(spec.nodes);
  spec.links.forEach((link, i) => {
    const where = `topology.links[${i}]`;
    const from = named.node(link.from, `${where}.from`);
    const to = named.node(link.to, `${where}.to`);
    if (from === to) {
      rejectScenario({ what: `link ${i}`, problem: 'goes from a node to itself', got: link.to, where: `${where}.to` });
    }
    builder.link(from, to, linkSettings(link), link.errorRate ?? spec.errorRate ?? DEFAULT_ERROR_RATE,
      (link.errorRate ?? 0) > 0);
  });
  const network = builder.finish(spec.routes ?? []);
  network.routes.forEach((route, i) => checkRoute(network, route, named, `topology.routes[${i}]`));
  return network;
}

function addNodes(spec: EdgesSpec, builder: NetworkBuilder): void {
  const names = new Set<string>();
  spec.nodes.forEach(({ name: got, kind }, i) => {
    if (names.has(got)) {
      rejectScenario({ what: 'the name of a node', problem: 'is used twice', got, where: `topology.nodes[${i}].name` });
    }
    names.add(got);
    builder.add(kind, got);
  });
}

function checkRoute(network: Network, route: RouteSpec, named: NodeFinders, where: string): void {
  const node = named.node(route.node, `${where}.node`);
  named.host(route.destination, `${where}.destination`);
  const neighbours = network.links.flatMap(({ from, to }) => (from === node ? [to] : to === node ? [from] : []));
  route.via.forEach((name, i) => {
    const times = route.via.slice(0, i + 1).filter((other) => other === name).length;
    const links = neighbours.filter((neighbour) => neighbour === named.node(name, `${where}.via[${i}]`)).length;
    if (times <= links) return;
    const problem = 'names a neighbour more often than there are links to it';
    rejectScenario({ what: `the route of ${route.node}`, problem, got: name, where: `${where}.via[${i}]` });
  });
}
