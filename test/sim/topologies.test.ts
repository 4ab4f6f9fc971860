import { describe, expect, it } from 'vitest';
import { buildGraph, peerOf, portNames, type Graph, buildRoutes, portsTowards,
  type Routes } from '../../src/sim/compile/routes.js';
import { pathsOfAllKinds } from '../../src/sim/compile/compile-context.js';
import { switchesOnLongest } from '../../src/sim/compile/paths.js';
import { atOnce } from '../../src/sim/steps.js';
import type { TopologySpec } from '../../src/sim/scenario/spec.js';
import { buildNetwork, countNodes } from '../../src/sim/topology/build-network.js';

const leafSpine = { leaves: 4, spines: 3, hostsPerLeaf: 5 };

function built(spec: TopologySpec): { graph: Graph; routes: Routes } {
  const graph = buildGraph(buildNetwork(spec));
  return { graph, routes: buildRoutes(graph, 'standard') };
}

/** Number of different paths from a node to a host. */
function countPaths({ graph, routes }: { graph: Graph; routes: Routes }, node: number, destination: number): number {
  if (node === destination) return 1;
  return portsTowards(graph, routes, node, destination).reduce(
    (sum, port) => sum + countPaths({ graph, routes }, peerOf(graph, port), destination),
    0,
  );
}

describe('Topologies', () => {
  it.each<[TopologySpec, number, number, number, number]>([
    [{ kind: 'star', hosts: 7 }, 7, 1, 7, 1],
    [{ kind: 'dumbbell', left: 3, right: 4 }, 7, 2, 8, 2],
    [{ kind: 'leaf-spine', ...leafSpine }, 20, 7, 20 + 12, 3],
    [{ kind: 'fat-tree', k: 4 }, 16, 20, 48, 5],
    [{ kind: 'fat-tree', k: 8 }, 128, 80, 384, 5],
    [{ kind: 'two-data-centers', ...leafSpine }, 40, 16, 40 + 24 + 6 + 1, 6],
  ])('have the expected hosts, switches, links and diameter: %o', (spec, hosts, switches, links, longest) => {
    const { graph, routes } = built(spec);
    const { network } = graph;
    expect(network.hosts).toEqual(Array.from({ length: hosts }, (_, i) => i));
    expect(network.nodes).toHaveLength(hosts + switches);
    expect(countNodes(spec)).toBe(hosts + switches);
    expect(network.links).toHaveLength(links);
    expect(switchesOnLongest(atOnce(pathsOfAllKinds(graph, routes)))).toBe(longest);
    expect(new Set(network.nodes.map(({ name }) => name)).size).toBe(network.nodes.length);
  });

  it.each([4, 8])('of a fat-tree with k = %i have (k/2)^2 paths between pods, k/2 within, and 1 under one switch',
    (k) => {
      const network = built({ kind: 'fat-tree', k });
      const half = k / 2;
      expect(countPaths(network, 0, half * half)).toBe(half * half);
      expect(countPaths(network, 0, half)).toBe(half);
      expect(countPaths(network, 0, 1)).toBe(1);
    });

  it('of a fat-tree have k links per switch', () => {
    const { graph } = built({ kind: 'fat-tree', k: 6 });
    graph.network.nodes.forEach(({ kind }, node) => {
      expect(graph.firstPort[node + 1] - graph.firstPort[node]).toBe(kind === 'switch' ? 6 : 1);
    });
  });

  it('give links without a rate that of the hosts, and the long one 100 Gb/s and 1 ms', () => {
    const { links } = buildNetwork({
      kind: 'two-data-centers',
      ...leafSpine,
      rateGbps: 25,
      delayNs: 500,
      uplink: { rateGbps: 40 },
    });
    expect(links[0]).toMatchObject({ rateBps: 25e9, delayPs: 500_000 });
    expect(links[40]).toMatchObject({ rateBps: 40e9, delayPs: 500_000 });
    expect(links.at(-1)).toMatchObject({ rateBps: 100e9, delayPs: 1e9 });
  });

  it('never forward over hosts, even where that would be shorter', () => {
    const { graph, routes } = built({
      kind: 'edges',
      nodes: [
        { name: 'a', kind: 'host' },
        { name: 'm', kind: 'host' },
        { name: 'b', kind: 'host' },
        { name: 'x', kind: 'switch' },
        { name: 'y', kind: 'switch' },
        { name: 'z', kind: 'switch' },
      ],
      links: [{ from: 'a', to: 'm' }, { from: 'm', to: 'b' }, { from: 'a', to: 'x' }, { from: 'x', to: 'y' }, {
        from: 'y',
        to: 'z',
      }, { from: 'z', to: 'b' }],
    });
    expect(portsTowards(graph, routes, 0, 2).map((port) => peerOf(graph, port))).toEqual([3]);
    expect(portsTowards(graph, routes, 0, 1).map((port) => peerOf(graph, port))).toEqual([1]);
  });

  it('may have several links between two nodes, as separate paths with separate names', () => {
    const { graph, routes } = built({
      kind: 'edges',
      nodes: [{ name: 'a', kind: 'host' }, { name: 'x', kind: 'switch' }, { name: 'y', kind: 'switch' }, {
        name: 'b',
        kind: 'host',
      }],
      links: [{ from: 'a', to: 'x' }, { from: 'x', to: 'y' }, { from: 'x', to: 'y' }, { from: 'y', to: 'b' }],
    });
    expect(portsTowards(graph, routes, 1, 3)).toEqual([2, 3]);
    expect(portNames(graph)).toEqual(['a:x', 'x:a', 'x:y', 'x:y#2', 'y:x', 'y:x#2', 'y:b', 'b:y']);
  });

  it('replace a derived route by a manual one', () => {
    const spec: TopologySpec = {
      kind: 'edges',
      nodes: [
        { name: 'a', kind: 'host' },
        { name: 'b', kind: 'host' },
        { name: 'l', kind: 'switch' },
        { name: 'm', kind: 'switch' },
        { name: 'n', kind: 'switch' },
        { name: 'r', kind: 'switch' },
      ],
      links: [{ from: 'a', to: 'l' }, { from: 'l', to: 'm' }, { from: 'l', to: 'n' }, { from: 'm', to: 'r' }, {
        from: 'n',
        to: 'r',
      }, { from: 'r', to: 'b' }],
    };
    const peers = (topology: TopologySpec): number[] => {
      const { graph, routes } = built(topology);
      return portsTowards(graph, routes, 2, 1).map((port) => peerOf(graph, port));
    };
    expect(peers(spec)).toEqual([4, 3]);
    expect(peers({ ...spec, routes: [{ node: 'l', destination: 'b', via: ['m', 'n'] }] })).toEqual([3, 4]);
    expect(peers({ ...spec, routes: [{ node: 'l', destination: 'b', via: ['m'] }] })).toEqual([3]);
  });
});
