import { describe, expect, it } from 'vitest';
import { buildGraph, peerOf, buildRoutes, portsTowards } from '../../src/sim/compile/routes.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { ecmpHash, HOST_PORT_SEED } from '../../src/switching/ecmp-hash.js';
import type { AlgorithmSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { buildNetwork } from '../../src/sim/topology/build-network.js';
import { GOLDEN_SYSTEM, GOLDEN_UNIT, readGolden, type Row } from '../support/golden.js';
import { GOLDEN_SCENARIOS, goldenFlows, goldenTopology } from '../support/golden-scenario.js';

function scenarioOf(golden: string, algorithm: AlgorithmSpec): ScenarioSpec {
  return {
    name: golden,
    fidelity: 'reference',
    topology: goldenTopology(golden),
    algorithms: { cc: algorithm },
    workload: { kind: 'flows', flows: goldenFlows(golden) },
    switches: { ecn: { kminKB: 400, kmaxKB: 1600 } },
  };
}

describe('Compiled scenarios match the reference simulator', () => {
  it.each(GOLDEN_SCENARIOS)('%s has the same routes, in the order in which its hash indexes them', (golden) => {
    const graph = buildGraph(buildNetwork(goldenTopology(golden)));
    const routes = buildRoutes(graph, 'reference');
    const expected = new Map<string, number[]>();
    for (const row of readGolden(`${GOLDEN_SYSTEM}${golden}/`, 'routes.csv')) {
      const key = `${row['node']} ${row['dst']}`;
      const port = graph.firstPort[Number(row['node'])] + Number(row['out_ifindex']) - 1;
      expect(peerOf(graph, port)).toBe(Number(row['next_node']));
      expected.set(key, [...(expected.get(key) ?? []), port]);
    }
    expect(expected.size).toBeGreaterThan(0);
    for (const [key, ports] of expected) {
      const [node, destination] = key.split(' ').map(Number);
      expect(portsTowards(graph, routes, node, destination), key).toEqual(ports);
    }
  });

  it.each([
    ['incast16_1MB', 4_160_000, 52_000],
    ['leafspine32_48f', 8_200_000, 102_500],
  ])('%s has the base round trip and window of the reference', (golden, rttPs, windowBytes) => {
    const { plan } = compileScenario(validateScenario(scenarioOf(golden, { preset: 'hpcc-ns3' })));
    expect(plan.parameterSets).toHaveLength(1);
    expect(plan.parameterSets[0]).toMatchObject({ baseRttPs: rttPs, windowBytes });
    expect([...plan.flows].every((flow) => flow.windowBytes === windowBytes && flow.windowMode === 'variable')).toBe(
      true,
    );
  });

  it.each([['dcqcn', 'dcqcn-ns3'], ['hpcc', 'hpcc-ns3'], ['timely', 'timely-ns3']])(
    'no golden flow under %s is faster than its ideal time, and flows that meet no other flow take exactly that',
    (cc, preset) => {
      for (const golden of GOLDEN_SCENARIOS) {
        const { plan } = compileScenario(validateScenario(scenarioOf(golden, { preset })));
        const rows = new Map<string, Row>(
          readGolden(`${GOLDEN_SYSTEM}${golden}/`, `fct_${cc}.csv`).map((
            row,
          ) => [[row['src'], row['dst'], row['sport'], row['dport']].join(), row]),
        );
        const slowdowns = plan.flows.map((flow) => {
          const row = rows.get([flow.source, flow.destination, flow.udpSourcePort, flow.udpDestinationPort].join())!;
          return Number(row['fct_ns']) * 1000 - flow.idealPs;
        });
        expect(Math.min(...slowdowns), golden).toBeGreaterThanOrEqual(0);
        if (golden !== 'incast16_1MB' && golden !== 'incast2_1MB' && !(golden === 'single_1MB' && cc === 'hpcc')) {
          expect(Math.min(...slowdowns), golden).toBe(0);
        }
      }
    },
  );

  it('hashes match at switches and at hosts', () => {
    const tuple = (row: Row) => ({
      sourceAddress: Number(row['sip']),
      destinationAddress: Number(row['dip']),
      sourcePort: Number(row['sport']),
      destinationPort: Number(row['dport']),
    });
    for (const row of readGolden(GOLDEN_UNIT, 'ecmp_hash.csv')) {
      expect(ecmpHash(tuple(row), Number(row['seed'])))
        .toBe(Number(row['hash']));
    }
    for (const row of readGolden(GOLDEN_UNIT, 'qp_hash.csv')) {
      expect(ecmpHash(tuple(row), HOST_PORT_SEED)).toBe(Number(row['hash']));
    }
  });
});
