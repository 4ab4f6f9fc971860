/**
 * One path of each kind represents the paths between all hosts: the longest round trip and the most switches are those of all
 * pairs.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALGORITHMS } from '../../src/config/algorithms/registry.js';
import { buildGraph, type Graph, buildRoutes, type Routes } from '../../src/sim/compile/routes.js';
import { flowSizes, type PacketFacts } from '../../src/sim/compile/packet-sizes.js';
import { pathsOfAllKinds } from '../../src/sim/compile/compile-context.js';
import { firstPath, longestBase, switchesOnLongest, type Path, TxTimes } from '../../src/sim/compile/paths.js';
import { RULES } from '../../src/sim/compile/rules.js';
import type { TopologySpec } from '../../src/sim/scenario/spec.js';
import { atOnce } from '../../src/sim/steps.js';
import { buildNetwork } from '../../src/sim/topology/build-network.js';

const RUNS = 300;
const SEED = 20_261_124;

/**
 * The first few of eight nodes are hosts; links are random, so there are islands, cycles, hosts with several links and
 * parallel links.
 */
const networks = fc.record({
  hosts: fc.integer({ min: 2, max: 5 }),
  links: fc.uniqueArray(fc.record({
    from: fc.integer({ min: 0, max: 7 }),
    step: fc.integer({ min: 1, max: 7 }),
    rateGbps: fc.constantFrom(10, 25, 100),
    delayNs: fc.constantFrom(1, 1000, 5000),
  }), { minLength: 4, maxLength: 16, selector: ({ from, step }) => [from, (from + step) % 8].sort().join() }),
});

const nameOf = (hosts: number) => (node: number): string => (node < hosts ? `h${node}` : `s${node}`);

function specOf({ hosts, links }: { hosts: number; links: readonly Link[] }): TopologySpec {
  const name = nameOf(hosts);
  return {
    kind: 'edges',
    nodes: Array.from({ length: 8 }, (_, node) => ({ name: name(node), kind: node < hosts ? 'host' : 'switch' })),
    links: links.map(({ from, step, ...link }) => ({ from: name(from), to: name((from + step) % 8), ...link })),
  };
}

interface Link {
  readonly from: number;
  readonly step: number;
  readonly rateGbps: number;
  readonly delayNs: number;
}

/** Pair by pair. */
function allPaths(graph: Graph, routes: Routes): Path[] {
  const { hosts } = graph.network;
  return hosts.flatMap((from) =>
    hosts.flatMap((to) => {
      const path = from === to ? null : firstPath(graph, routes, from, to);
      return path === null ? [] : [path];
    })
  );
}

function measured(graph: Graph, paths: readonly Path[]) {
  const sizes = flowSizes('standard', ALGORITHMS.hpcc as PacketFacts, switchesOnLongest(paths));
  const rules = { fidelity: 'standard', mtuBytes: 1000, wireOverheadBytes: 24 } as const;
  return {
    switches: switchesOnLongest(paths),
    ...longestBase(graph, paths, rules, sizes, new TxTimes(RULES.standard.txTime)),
  };
}

describe('Paths of all kinds', () => {
  test(`include the longest round trip of all pairs of hosts, in ${RUNS} random networks`, () => {
    const seen = { fewer: 0, none: 0 };
    fc.assert(fc.property(networks, (drawn) => {
      const graph = buildGraph(buildNetwork(specOf(drawn)));
      const routes = buildRoutes(graph, 'standard');
      const [kinds, all] = [atOnce(pathsOfAllKinds(graph, routes)), allPaths(graph, routes)];
      expect(measured(graph, kinds)).toEqual(measured(graph, all));
      expect(kinds.length).toBeLessThanOrEqual(all.length);
      seen.fewer += Number(kinds.length < all.length);
      seen.none += Number(all.length === 0);
    }), { numRuns: RUNS, seed: SEED });
    expect(seen.fewer).toBeGreaterThan(RUNS / 10);
    expect(seen.none).toBeGreaterThan(0);
  });

  test('are, in a fat-tree, under one switch, within a pod and between pods', () => {
    const graph = buildGraph(buildNetwork({ kind: 'fat-tree', k: 6 }));
    const paths = atOnce(pathsOfAllKinds(graph, buildRoutes(graph, 'standard')));
    expect(paths.map(({ length }) => length).sort()).toEqual([2, 4, 6]);
  });

  test('exclude cyclic manual routes', () => {
    const names = ['h0', 'h1', 's0', 's1'];
    const graph = buildGraph(buildNetwork({
      kind: 'edges',
      nodes: names.map((name) => ({ name, kind: name.startsWith('h') ? 'host' : 'switch' })),
      links: [{ from: 'h0', to: 's0' }, { from: 's0', to: 's1' }, { from: 's1', to: 'h1' }]
        .map((link) => ({ ...link, rateGbps: 100, delayNs: 1000 })),
      routes: [{ node: 's1', destination: 'h1', via: ['s0'] }],
    }));
    const paths = atOnce(pathsOfAllKinds(graph, buildRoutes(graph, 'standard')));
    expect(paths).toEqual([[graph.firstPort[1], expect.any(Number), expect.any(Number)]]);
  });
});
