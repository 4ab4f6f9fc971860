/**
 * Source routes: consecutive entropies use consecutive paths; if its link is down a packet is lost, and MRC avoids the
 * entropy.
 */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { HostSpec, ScenarioSpec, TopologySpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { planOf } from '../support/agreement/model-balance.js';

const LEAF_SPINE: TopologySpec = { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 4 };
const FAT_TREE: TopologySpec = { kind: 'fat-tree', k: 4 };

/** One flow across the network, with entropies round-robin. */
function spec(topology: TopologySpec, changes: Partial<ScenarioSpec> = {}): ScenarioSpec {
  const to = topology.kind === 'fat-tree' ? 'h15' : 'h7';
  return {
    name: 'source routes',
    topology,
    workload: { kind: 'flows', flows: [{ from: 'h0', to, sizeBytes: 1_600_000 }] },
    algorithms: { only: { preset: 'none' } },
    switches: { loadBalancing: 'source-route', pfc: false, ecn: false, trimming: true },
    hosts: { transport: 'mrc', mtuBytes: 1000, pathSelection: 'oblivious', entropies: 64 },
    ...changes,
  };
}

/** Data packets by port, by the prefixes of the nodes; SACKs, of which there are few, are left out. */
function packetsOf({ ports }: SimResult, from: string, to: string): number[] {
  return ports.filter(({ node, peer }) => node.startsWith(from) && peer.startsWith(to))
    .map(({ txBytes }) => Math.round(txBytes / (1000 + 106))).filter((packets) => packets > 10);
}

describe('Source routes', () => {
  it('spread packets exactly equally over all paths of a leaf-spine', () => {
    expect(packetsOf(runScenarioSync(spec(LEAF_SPINE)), 'leaf0', 'spine')).toEqual([400, 400, 400, 400]);
  });

  it('spread packets equally over all paths of a fat-tree, by one digit per tier', () => {
    const result = runScenarioSync(spec(FAT_TREE));
    expect(packetsOf(result, 'edge0', 'agg')).toEqual([800, 800]);
    expect(packetsOf(result, 'agg', 'core')).toEqual([400, 400, 400, 400]);
  });

  it.each([
    [LEAF_SPINE, [1, 4]],
    [FAT_TREE, [1, 2, 4]],
    [{ ...FAT_TREE, planes: 4 } as TopologySpec, [1, 4, 8, 16]],
  ])('have a stride per tier: %j', (topology, strides) => {
    expect([...new Set(planOf(spec(topology))!.balancing!.strides)].sort((a, b) => a - b)).toEqual(strides);
  });

  it('are structured in planes, where each tier reads its own bits of the UDP source port', () => {
    const topology: TopologySpec = { ...FAT_TREE, planes: 4 };
    const hosts: HostSpec = { transport: 'mrc', mtuBytes: 1000, pathSelection: 'entropy-states', entropies: 64 };
    const links = new Map<number, string[]>();
    const capture = compileScenario(validateScenario(spec(topology))).portNames;
    runScenarioSync(spec(topology, { hosts, record: { capture } }), {
      onPackets: (records) => {
        for (const { kind, sequence, sourcePort = 0, port } of records) {
          if (kind !== 'data') continue;
          const path = links.get(sequence) ?? [String(sourcePort)];
          path.push(capture[port]!);
          links.set(sequence, path);
        }
      },
    });
    const seen = new Set<number>();
    for (const [sourcePort, ...path] of links.values()) {
      const entropy = Number(sourcePort);
      seen.add(entropy % 16);
      // Bits 1..0: the plane. Bit 2: the aggregation switch. Bit 3: its core. Next hops count from the last port on.
      const plane = `p${3 - (entropy & 3)}`;
      const agg = 1 - ((entropy >> 2) & 1);
      const core = 2 * agg + 1 - ((entropy >> 3) & 1);
      expect(path.slice(0, 4)).toEqual([
        'h0:nic0',
        `nic0:${plane}.edge0`,
        `${plane}.edge0:${plane}.agg${agg}`,
        `${plane}.agg${agg}:${plane}.core${core}`,
      ]);
      expect(path).toHaveLength(8);
    }
    expect(seen.size).toBe(16);
  });

  it('keep using a link that is down, where other rules use another path', () => {
    const faults = [{ kind: 'link-down', between: ['leaf0', 'spine2'], fromUs: 20, toUs: 80 }] as const;
    const lost = (loadBalancing: 'source-route' | 'ecmp'): number => {
      const { totals } = runScenarioSync(spec(LEAF_SPINE, {
        faults,
        switches: { loadBalancing, pfc: false, ecn: false, trimming: true },
      }));
      return totals.drops.noRoute;
    };
    expect(lost('ecmp')).toBe(0);
    expect(lost('source-route')).toBeGreaterThan(100);
  });

  it('stop using it once its entropies are assumed bad', () => {
    const result = runScenarioSync(spec(LEAF_SPINE, {
      faults: [{ kind: 'link-down', between: ['leaf0', 'spine2'], fromUs: 20, toUs: 100_000 }],
      hosts: {
        transport: 'mrc',
        mtuBytes: 1000,
        pathSelection: 'entropy-states',
        entropies: 16,
        entropyStates: { reserve: 0, probes: false },
        retransmitTimeoutUs: 30,
      },
    }));
    expect(result.flows[0]!.completionPs).toBeGreaterThan(0);
    const [, , dead] = packetsOf(result, 'leaf0', 'spine');
    expect(dead).toBeLessThan(100);
  });
});
