/** Any network, link by link, with the checks that a network by hand needs. */
import { refuseScenario, listNames } from '../scenario/scenario-error.js';
import type { EdgesSpec, RouteSpec } from '../scenario/spec.js';
import { linkSettings, NetworkBuilder, type Network } from './network.js';

/** @throws RoceError `invalid-scenario`: a name used twice or unknown, a link from a node to itself, a route that can't be. */
export function buildEdges(spec: EdgesSpec): Network {
  const builder = new NetworkBuilder();
  const ids = nodeIds(spec, builder);
  const names = spec.nodes.map(({ name }) => name);
  const idOf = (name: string, where: string): number =>
    ids.get(name) ?? refuseScenario(`there is no node ${name}`, name, `a node's name: ${listNames(names)}`, where);
  spec.links.forEach((link, i) => {
    const where = `topology.links[${i}]`;
    const from = idOf(link.from, `${where}.from`);
    const to = idOf(link.to, `${where}.to`);
    if (from === to) {
      refuseScenario(`link ${i} goes from ${link.from} to itself`, link.to, 'another node', `${where}.to`);
    }
    builder.link(from, to, linkSettings(link), link.errorRate ?? 0);
  });
  const network = builder.finish(spec.routes ?? []);
  network.routes.forEach((route, i) => checkRoute(network, route, idOf, `topology.routes[${i}]`));
  return network;
}

function nodeIds(spec: EdgesSpec, builder: NetworkBuilder): Map<string, number> {
  const ids = new Map<string, number>();
  spec.nodes.forEach(({ name, kind }, i) => {
    if (ids.has(name)) {
      refuseScenario(`two nodes are named ${name}`, name, 'a name of its own for each node',
        `topology.nodes[${i}].name`);
    }
    ids.set(name, builder.add(kind, name));
  });
  return ids;
}

function checkRoute(network: Network, route: RouteSpec, idOf: (name: string, where: string) => number,
  where: string): void {
  const node = idOf(route.node, `${where}.node`);
  const destination = idOf(route.destination, `${where}.destination`);
  if (network.nodes[destination].kind !== 'host') {
    refuseScenario(`the route of ${route.node} goes to a switch`, route.destination, 'a host', `${where}.destination`);
  }
  const neighbours = network.links.flatMap(({ from, to }) => (from === node ? [to] : to === node ? [from] : []));
  route.via.forEach((name, i) => {
    const times = route.via.slice(0, i + 1).filter((other) => other === name).length;
    const links = neighbours.filter((neighbour) => neighbour === idOf(name, `${where}.via[${i}]`)).length;
    if (times <= links) return;
    const allowed = `neighbours of ${route.node}, each as often as there are links to it`;
    refuseScenario(`the route of ${route.node} to ${route.destination} has no link to ${name}`, name, allowed,
      `${where}.via[${i}]`);
  });
}
