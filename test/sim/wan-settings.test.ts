/** Settings of a WAN with provider edges, and rejections by name. */
import { describe, expect, test } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { buildNetwork } from '../../src/sim/topology/build-network.js';
import { validateScenario, type ScenarioSpec } from '../../src/sim/index.js';

const TOPOLOGY = {
  kind: 'two-data-centers',
  leaves: 1,
  spines: 1,
  hostsPerLeaf: 2,
  wan: { edges: 2, paths: 2, routers: 2 },
} as const;

function scenario(wan: ScenarioSpec['wan'], more: Partial<ScenarioSpec> = {}): ScenarioSpec {
  const workload = { kind: 'flows', flows: [{ from: 'h0', to: 'h2', sizeBytes: 1000 }] } as const;
  return { name: 'wan', topology: TOPOLOGY, workload, ...(wan === undefined ? {} : { wan }), ...more };
}

const rejected = (wan: ScenarioSpec['wan'], more?: Partial<ScenarioSpec>): string => {
  try {
    validateScenario(scenario(wan, more));
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

describe('A WAN with provider edges', () => {
  test('has gateways, edges and rows of routers, each with its domain', () => {
    const { nodes, links, wan } = buildNetwork(TOPOLOGY);
    const nameOf = (id: number): string => nodes[id].name;
    const named = links.map(({ from, to }) => `${nameOf(from)}-${nameOf(to)}`);
    expect(named.slice(-14)).toEqual([
      'dc0.gateway-pe0',
      'dc0.gateway-pe1',
      'dc1.gateway-pe2',
      'dc1.gateway-pe3',
      'pe0-r0',
      'pe1-r0',
      'r0-r1',
      'r1-pe2',
      'r1-pe3',
      'pe0-r2',
      'pe1-r2',
      'r2-r3',
      'r3-pe2',
      'r3-pe3',
    ]);
    expect(wan?.gateways.map(nameOf)).toEqual(['dc0.gateway', 'dc1.gateway']);
    expect(wan?.edges.map((ids) => ids.map(nameOf))).toEqual([['pe0', 'pe1'], ['pe2', 'pe3']]);
    expect(nodes.map(({ name }, id) => `${name} ${String(wan?.domains[id])}`)).toEqual([
      'h0 0',
      'h1 0',
      'h2 1',
      'h3 1',
      'dc0.leaf0 0',
      'dc0.spine0 0',
      'dc1.leaf0 1',
      'dc1.spine0 1',
      'dc0.gateway 0',
      'dc1.gateway 1',
      'pe0 2',
      'pe1 2',
      'pe2 2',
      'pe3 2',
      'r0 2',
      'r1 2',
      'r2 2',
      'r3 2',
    ]);
  });

  test('fills in defaults', () => {
    const { wan } = validateScenario(scenario(undefined));
    expect(wan).toMatchObject({
      tunnel: { dataEcn: 'ect0', routersMark: 'ect', mtuBytes: 9000 },
      services: [{ name: 'default', hosts: null, trafficClasses: null, edges: [10, 12], via: [] }],
      accessLists: [],
      flowControl: { kind: 'pfc' },
    });
  });

  test('resolves names and groups of names to numbers', () => {
    const { wan } = validateScenario(scenario({
      services: [{ name: 'gold', hosts: ['h1'], edges: ['pe1', 'pe2'], via: ['r2'] }],
      accessLists: [{ at: 'gateways', direction: 'in', permit: ['wan'] }, { at: 'pe0', permit: ['r1'] }],
    }));
    expect(wan?.services[0]).toEqual({ name: 'gold', hosts: [1], trafficClasses: null, edges: [11, 12], via: [16] });
    expect(wan?.accessLists).toEqual([
      { node: 8, direction: 'in', permit: [10, 11, 12, 13, 14, 15, 16, 17] },
      { node: 9, direction: 'in', permit: [10, 11, 12, 13, 14, 15, 16, 17] },
      { node: 10, direction: 'in', permit: [15] },
      { node: 10, direction: 'out', permit: [15] },
    ]);
  });

  test.each<readonly [string, ScenarioSpec['wan'], Partial<ScenarioSpec>, string]>([
    ['without edges', { tunnel: {} }, { topology: { ...TOPOLOGY, wan: {} } }, 'is for a WAN with provider edges'],
    ['routers without edges', undefined, { topology: { ...TOPOLOGY, wan: { routers: 2 } } }, 'topology.wan.routers'],
    [
      'too few links',
      undefined,
      { topology: { ...TOPOLOGY, wan: { edges: 1, routers: 2, links: [{}, {}] } } },
      'one link more than routers',
    ],
    ['another fidelity', undefined, { fidelity: 'reference' }, 'fidelity standard'],
    ['an edge of the other side', { services: [{ name: 'a', edges: ['pe2', 'pe3'] }] }, {}, 'pe2'],
    ['a router by a wrong name', { services: [{ name: 'a', via: ['pe0'] }] }, {}, 'a router of the WAN'],
    ['a name twice', { services: [{ name: 'a' }, { name: 'a' }] }, {}, 'used twice'],
    ['a list at a router', { accessLists: [{ at: 'r0', permit: [] }] }, {}, 'a border'],
    [
      'a refresh behind the pause',
      { flowControl: { kind: 'arn', refreshUs: 400 } },
      {},
      'time between ARNs must be below 335 us',
    ],
    ['a level without ARNs', { flowControl: { level: 'flow' } }, {}, 'a setting of ARNs'],
    ['load balancing', undefined, { switches: { loadBalancing: 'random' } }, 'together with tunnels'],
    ['detours', undefined, { hosts: { onFastCnp: 'slow-down-and-detour' } }, 'together with tunnels'],
  ])('is rejected with %s', (_, wan, more, message) => {
    expect(rejected(wan, more)).toContain(message);
  });

  // Lengths of trimmed packets do not count outer headers.
  test('is rejected with switches that trim', () => {
    const trims = scenario(undefined, { hosts: { transport: 'mrc' }, switches: { trimming: true, pfc: false } });
    expect(() => compileScenario(validateScenario(trims))).toThrow(
      'switches.trimming is not modelled in a network with tunnels',
    );
  });
});
