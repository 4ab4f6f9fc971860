/** The table of routes holds, in columns that destinations share, what a search from each destination finds. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildGraph, isHost, peerOf, portsOf, type Graph, buildRoutes,
  portsTowards } from '../../src/sim/compile/routes.js';
import { NO_PATH, RouteTable } from '../../src/sim/route-table.js';
import type { TopologySpec } from '../../src/sim/scenario/spec.js';
import { buildNetwork } from '../../src/sim/topology/build-network.js';

const RUNS = 300;
const SEED = 20_261_124;
const NODES = 9;

/**
 * Of nine nodes the first few are hosts; links lead anywhere, so there are islands, cycles, hosts of several links, hosts at
 * hosts.
 */
const networks = fc.record({
  hosts: fc.integer({ min: 2, max: 6 }),
  links: fc.array(
    fc.record({ from: fc.integer({ min: 0, max: NODES - 1 }), step: fc.integer({ min: 1, max: NODES - 1 }) }),
    {
      minLength: 4,
      maxLength: 18,
    },
  ),
});

function specOf({ hosts, links }: { hosts: number; links: readonly { from: number; step: number }[] }): TopologySpec {
  const name = (node: number): string => `${node < hosts ? 'h' : 's'}${node % NODES}`;
  return {
    kind: 'edges',
    nodes: Array.from({ length: NODES }, (_, node) => ({ name: name(node), kind: node < hosts ? 'host' : 'switch' })),
    links: links.map(({ from, step }) => ({
      from: name(from),
      to: name((from + step) % NODES),
      rateGbps: 100,
      delayNs: 1,
    })),
  };
}

/** Next hops of each node towards one destination, by a separate search, as src/sim/compile/routes.ts states their order. */
function nextHopsTowards(graph: Graph, destination: number): number[][] {
  const { nodes } = graph.network;
  const seen = [destination];
  const distance = new Map([[destination, 0]]);
  for (const node of seen) {
    if (node !== destination && isHost(graph, node)) continue;
    const peers = portsOf(graph, node).map((port) => peerOf(graph, port)).sort((a, b) => b - a);
    for (const peer of peers) {
      if (distance.has(peer)) continue;
      distance.set(peer, (distance.get(node) ?? 0) + 1);
      seen.push(peer);
    }
  }
  return nodes.map((_, node) =>
    portsOf(graph, node)
      .filter((port) => {
        const peer = peerOf(graph, port);
        const forwards = peer === destination || !isHost(graph, peer);
        return forwards && (distance.get(peer) ?? NaN) + 1 === distance.get(node);
      })
      .sort((a, b) => seen.indexOf(peerOf(graph, a)) - seen.indexOf(peerOf(graph, b)) || a - b)
  );
}

describe('The table of routes', () => {
  test(`has the next hops that a search from each destination finds, in ${RUNS} random networks`, () => {
    let shared = 0;
    fc.assert(fc.property(networks, (drawn) => {
      const graph = buildGraph(buildNetwork(specOf(drawn)));
      const { nodes, hosts } = graph.network;
      const routes = buildRoutes(graph, 'standard');
      for (const host of hosts) {
        const nextHops = nextHopsTowards(graph, host);
        for (const node of nodes.keys()) {
          if (node === host || (isHost(graph, node) && portsOf(graph, node).length < 2)) continue;
          expect(portsTowards(graph, routes, node, host), `${nodes[node].name} to ${nodes[host].name}`).toEqual(
            nextHops[node],
          );
        }
      }
      shared += Number(routes.table.parts.columns.length < hosts.length);
    }), { numRuns: RUNS, seed: SEED });
    expect(shared).toBeGreaterThan(RUNS / 10);
  });

  test('has a separate column for a host that a manual route names', () => {
    const link = { rateGbps: 100, delayNs: 1 };
    const graph = buildGraph(buildNetwork({
      kind: 'edges',
      nodes: [
        ...['h0', 'h1', 'h2'].map((name) => ({ name, kind: 'host' as const })),
        ...['s3', 's4', 's5'].map((name) => ({ name, kind: 'switch' as const })),
      ],
      links: [['h0', 's3'], ['h1', 's4'], ['h2', 's4'], ['s3', 's4'], ['s3', 's5'], ['s5', 's4']]
        .map(([from, to]) => ({ from, to, ...link })),
      routes: [{ node: 's3', destination: 'h2', via: ['s5'] }],
    }));
    const routes = buildRoutes(graph, 'standard');
    const peers = (node: number, host: number) =>
      portsTowards(graph, routes, node, host).map((port) => peerOf(graph, port));
    expect([peers(3, 1), peers(3, 2)]).toEqual([[4], [5]]);
    expect([peers(4, 1), peers(4, 2)]).toEqual([[1], [2]]);
    expect([peers(5, 1), peers(5, 2)]).toEqual([[4], [4]]);
    expect(routes.table.parts.columns).toHaveLength(3);
  });

  test('has a column for each switch with hosts in a fat-tree', () => {
    const graph = buildGraph(buildNetwork({ kind: 'fat-tree', k: 8 }));
    expect(graph.network.hosts).toHaveLength(128);
    expect(buildRoutes(graph, 'standard').table.parts.columns).toHaveLength(32);
  });
});

describe('A route table built by hand', () => {
  test('has its rows', () => {
    const table = RouteTable.of([[], [], [0, 1, NO_PATH]]);
    expect([0, 1, 2].map((destination) => table.group(2, destination))).toEqual([0, 1, NO_PATH]);
    expect([0, 1, 2].map((destination) => table.group(0, destination))).toEqual([NO_PATH, NO_PATH, NO_PATH]);
  });

  test.each([
    ['a row that is too short', [[], [0]], /rows\[1\].*must be an array of no entry or 2/],
    ['an entry that is no group', [[], [0, -2]], /rows\[1\]\[1\].*must be between -1 and 2,147,483,647/],
    ['no rows', 7, /rows.*must be an array of rows/],
  ])('is rejected with %s', (_, rows, message) => {
    expect(() => RouteTable.of(rows as number[][])).toThrow(expect.objectContaining({ code: 'invalid-config' }));
    expect(() => RouteTable.of(rows as number[][])).toThrow(message);
  });

  test.each([[3, 0, /^node[ :]/], [0, -1, /^destination[ :]/], [NaN, 0, /^node[ :]/]])(
    'has no group for unknown nodes: %d, %d',
    (node, destination, message) => {
      expect(() => RouteTable.of([[], [], [0, 1, 2]]).group(node, destination)).toThrow(message);
    },
  );

  test('is rejected if its parts are inconsistent', () => {
    const { parts } = RouteTable.of([[], [0, NO_PATH]]);
    const rejected = (change: object) => () => new RouteTable({ ...parts, ...change });
    expect(rejected({ columnOf: new Int32Array(1) })).toThrow(/parts\.columnOf.*as many entries/);
    expect(rejected({ rowOf: [0, 1] })).toThrow(/parts\.rowOf.*an Int32Array/);
    expect(rejected({ columns: [new Int32Array(2)] })).toThrow(/parts\.columns\[0\].*an Int32Array of 1 rows/);
    expect(rejected({ columns: 1 })).toThrow(/parts\.columns must be an array of columns/);
  });
});
