/** Networks of several planes: names, times computed by hand, equal shares, failures; kernel and model agree. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planeNetworks } from '../support/agreement/plane-networks.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { caseCount } from '../support/effort.js';
import { jainIndex } from '../../src/sim/results/summary.js';
import type { SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FaultSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { buildNetwork } from '../../src/sim/topology/build-network.js';

const RUNS = caseCount('ROCE_PLANE_NETWORKS', { few: 120, all: 2000 });
const MTU = 4096;
const DATA = MTU + 106;
const SACK = 118;
const PLANES = 4;
const BYTES = 2_000_000;

function spec(changes: Partial<ScenarioSpec> = {}): ScenarioSpec {
  return {
    name: 'planes',
    topology: {
      kind: 'leaf-spine',
      leaves: 2,
      spines: 2,
      hostsPerLeaf: 4,
      planes: PLANES,
      rateGbps: 100,
      delayNs: 1000,
    },
    workload: { kind: 'permutation', sizeBytes: BYTES },
    algorithms: { only: { preset: 'none' } },
    switches: { pfc: false, ecn: false, trimming: true },
    hosts: { transport: 'mrc', mtuBytes: MTU, pathSelection: 'bitmap', retransmitTimeoutUs: 300 },
    ...changes,
  };
}

const run = (faults: readonly FaultSpec[] = []): SimResult => runScenarioSync(spec({ faults }));

/** Bytes that adapters sent into each plane. */
function bytesByPlane({ ports }: SimResult): number[] {
  return Array.from({ length: PLANES },
    (_, plane) =>
      ports.filter(({ node, peer }) => node.startsWith('nic') && peer.startsWith(`p${plane}.`))
        .reduce((sum, { txBytes }) => sum + txBytes, 0));
}

describe('A network of several planes', () => {
  it('has an adapter for each host, and no links between the switches of different planes', () => {
    const { nodes, links, planes } = buildNetwork(spec().topology);
    expect(nodes.slice(0, 17).map(({ name }) => name)).toEqual([
      ...Array.from({ length: 8 }, (_, i) => `h${i}`),
      ...Array.from({ length: 8 }, (_, i) => `nic${i}`),
      'p0.leaf0',
    ]);
    expect(nodes).toHaveLength(16 + PLANES * 4);
    expect(links).toHaveLength(8 + PLANES * (8 + 4));
    for (const { from, to } of links) {
      const [a, b] = [planes!.planeOf[from]!, planes!.planeOf[to]!];
      expect(a === b || a < 0 || b < 0).toBe(true);
    }
    expect(buildNetwork({ ...spec().topology, planes: 1 } as ScenarioSpec['topology'])).toEqual(
      buildNetwork({ kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 4, rateGbps: 100, delayNs: 1000 }),
    );
  });

  it('sends a packet over one plane, with four times the serialization time at each end', () => {
    const { flows } = runScenarioSync(spec({
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h4', sizeBytes: MTU }] },
    }));
    const tx = (bytes: number): number => 80 * (bytes + 20);
    const path = (bytes: number): number => 4 * (tx(bytes) + 1_000_000) + 2 * (tx(bytes) / 4);
    expect(flows[0]!.completionPs).toBe(path(DATA) + path(SACK));
  });

  it('gives a lone flow its ideal time, at the rate of all ports', () => {
    const { flows: [flow] } = runScenarioSync(spec({
      workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h4', sizeBytes: BYTES }] },
    }));
    expect(flow!.slowdown).toBeGreaterThanOrEqual(1);
    expect(flow!.slowdown).toBeLessThan(1.001);
    expect((BYTES * 8 * 1e12) / flow!.idealPs).toBeGreaterThan(0.75 * PLANES * 100e9);
  });

  it('loads all planes equally, where four hosts share two uplinks', () => {
    const result = run();
    expect(jainIndex(bytesByPlane(result))).toBeGreaterThan(0.9999);
    expect(result.summary.flowsDone).toBe(8);
    for (const { slowdown } of result.flows) {
      expect(slowdown).toBeGreaterThan(1.7);
      expect(slowdown).toBeLessThan(2.1);
    }
  });

  it('survives the failure of a plane, as the others carry the remaining traffic', () => {
    const whole = run();
    const result = run([{ kind: 'plane-down', plane: 2, fromUs: 10, toUs: 100_000 }]);
    expect(result.summary.flowsDone).toBe(8);
    expect(result.totals.drops.linkDown).toBeGreaterThan(0);
    const [first, , third] = bytesByPlane(result);
    expect(third).toBeLessThan(first! / 2);
    // Three of four planes, and at most one timeout.
    expect(result.simulatedPs).toBeLessThan((4 / 3) * whole.simulatedPs + 400e6);
  });

  it('survives a switch that is down for a while', () => {
    for (const node of ['p1.leaf0', 'p1.spine1', 'nic3']) {
      const result = run([{ kind: 'switch-down', node, fromUs: 10, toUs: 60 }]);
      expect(result.summary.flowsDone, node).toBe(8);
    }
  });

  it.each(['oblivious', 'bitmap', 'reps', 'entropy-states'] as const)(
    'gives the same timeouts in kernel and model under %s',
    (pathSelection) => {
      // Few entropies, and both planes fail for a while: paths are penalised, or frozen, and used again.
      const down = (plane: number, fromUs: number) =>
        ({ kind: 'plane-down', plane, fromUs, toUs: fromUs + 150 }) as const;
      const plan = planOf(spec({
        topology: {
          kind: 'leaf-spine',
          leaves: 2,
          spines: 2,
          hostsPerLeaf: 2,
          planes: 2,
          rateGbps: 10,
          delayNs: 1000,
        },
        workload: { kind: 'permutation', sizeBytes: 2_000_000 },
        hosts: { transport: 'mrc', mtuBytes: MTU, pathSelection, entropies: 4, retransmitTimeoutUs: 50 },
        faults: [down(0, 20), down(1, 60), down(0, 500), down(1, 500)],
      }));
      const { totals } = expectAgreement(plan!);
      expect(totals.timeouts).toBeGreaterThan(0);
    },
  );

  it.each([
    [{ kind: 'plane-down', plane: 4, fromUs: 1, toUs: 2 }, 'faults[0].plane must be below 4'],
    [{ kind: 'plane-down', plane: 0, fromUs: 2, toUs: 2 }, 'the end of the fault must be above 2'],
    [{ kind: 'switch-down', node: 'h0', fromUs: 1, toUs: 2 }, 'h0'],
  ] as const)('rejects the fault %j', (fault, message) => {
    expect(() => run([fault])).toThrow(message);
  });

  it('is of fidelity standard, and is required for a fault of a plane', () => {
    const one = { ...spec().topology, planes: 1 } as ScenarioSpec['topology'];
    const faults = [{ kind: 'plane-down', plane: 0, fromUs: 1, toUs: 2 }] as const;
    expect(() => runScenarioSync(spec({ topology: one, faults }))).toThrow('topology.planes above 1');
    expect(() => runScenarioSync(spec({ fidelity: 'reference', switches: {}, hosts: {} }))).toThrow('topology.planes');
  });
});

it(`Kernel and model agree on ${RUNS} random networks of planes`, () => {
  const seen = { trimmed: 0, cut: 0, timedOut: 0, sprayed: 0, told: 0, unanswered: 0, structured: 0 };
  const property = fc.property(planeNetworks, (one) => {
    const plan = planOf(one);
    expect(plan).toBeDefined();
    const { totals } = expectAgreement(plan!);
    seen.trimmed += Number((totals.trimmedPackets ?? 0) > 0);
    seen.cut += Number(totals.drops.linkDown > 0);
    seen.timedOut += Number(totals.timeouts > 0);
    seen.told += Number((totals.endpointRequests ?? 0) > 0);
    seen.unanswered += Number((totals.endpointRequests ?? 0) > (totals.endpointResponses ?? 0));
    seen.structured += Number(plan!.balancing?.selection?.states?.planeBits !== undefined);
    seen.sprayed += Number(plan!.balancing?.rules.includes('least-queue') === true);
  });
  fc.assert(property, { seed: 20_261_129, numRuns: RUNS });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(RUNS / 100);
}, 60_000 + 300 * RUNS);
