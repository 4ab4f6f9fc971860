/**
 * Links of regular networks with their own rate or delay give the same results as a network of explicit links, also
 * with planes.
 */
import { describe, expect, it } from 'vitest';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { LinkOverrideSpec, ScenarioSpec, TopologySpec } from '../../src/sim/scenario/spec.js';
import { buildNetwork } from '../../src/sim/topology/build-network.js';

const SLOW = { from: 'leaf0', to: 'spine1', rateGbps: 10, delayNs: 3000 };

const leafSpine = (linkOverrides?: readonly LinkOverrideSpec[]): TopologySpec => ({
  kind: 'leaf-spine',
  leaves: 2,
  spines: 2,
  hostsPerLeaf: 2,
  ...(linkOverrides && { linkOverrides }),
});

function scenario(topology: TopologySpec, more: Partial<ScenarioSpec> = {}): ScenarioSpec {
  return { name: 'slow link', topology, workload: { kind: 'permutation', sizeBytes: 300_000 }, ...more };
}

/** The same network, link by link. */
function asEdges(topology: TopologySpec): TopologySpec {
  const { nodes, links } = buildNetwork(topology);
  return {
    kind: 'edges',
    nodes,
    links: links.map(({ from, to, rateBps, delayPs }) => ({
      from: nodes[from]!.name,
      to: nodes[to]!.name,
      rateGbps: rateBps / 1e9,
      delayNs: delayPs / 1000,
    })),
  };
}

describe('A link with its own settings', () => {
  it('may be named by its ends in either order, and other links keep theirs', () => {
    for (const override of [SLOW, { ...SLOW, from: SLOW.to, to: SLOW.from }]) {
      const { nodes, links } = buildNetwork(leafSpine([override]));
      const changed = links.filter(({ rateBps, delayPs }) => rateBps !== 100e9 || delayPs !== 1_000_000);
      expect(changed.map(({ from, to, rateBps, delayPs }) => [nodes[from]!.name, nodes[to]!.name, rateBps, delayPs]))
        .toEqual([['leaf0', 'spine1', 10e9, 3_000_000]]);
    }
  });

  it('keeps settings that are not given', () => {
    const { links } = buildNetwork({ ...leafSpine([{ from: 'h0', to: 'leaf0', delayNs: 5 }]), rateGbps: 40 } as never);
    expect(links[0]).toMatchObject({ rateBps: 40e9, delayPs: 5000 });
  });

  it.each([leafSpine([SLOW]), {
    kind: 'fat-tree',
    k: 4,
    linkOverrides: [{ from: 'agg0', to: 'core1', rateGbps: 5 }],
  }] as TopologySpec[])('gives the same times as an equal network of edges: $kind', (topology) => {
    const flows = runScenarioSync(scenario(topology)).flows;
    expect(flows).toEqual(runScenarioSync(scenario(asEdges(topology))).flows);
    const healthy = runScenarioSync(scenario({ ...topology, linkOverrides: [] } as TopologySpec)).flows;
    expect(flows).not.toEqual(healthy);
  });

  it('can slow one of four planes, which MRC then avoids', () => {
    const planes = { ...leafSpine(), planes: 4 } as TopologySpec;
    const mrc: Partial<ScenarioSpec> = {
      algorithms: { only: { preset: 'nscc-mrc' } },
      switches: { pfc: false, trimming: true },
      hosts: { transport: 'mrc', mtuBytes: 4096, pathSelection: 'entropy-states' },
      workload: { kind: 'permutation', sizeBytes: 4_000_000 },
    };
    const slow = ['leaf0', 'leaf1'].flatMap((leaf) =>
      ['spine0', 'spine1'].map((spine) => ({ from: `p2.${leaf}`, to: `p2.${spine}`, rateGbps: 5 }))
    );
    const sent = (linkOverrides: readonly LinkOverrideSpec[]): number[] => {
      const { ports } = runScenarioSync(scenario({ ...planes, linkOverrides } as TopologySpec, mrc));
      return [0, 1, 2, 3].map((plane) =>
        ports.filter(({ node, peer }) => node.startsWith('nic') && peer.startsWith(`p${plane}.`))
          .reduce((sum, { txBytes }) => sum + txBytes, 0)
      );
    };
    const [even, uneven] = [sent([]), sent(slow)];
    expect(Math.max(...even) / Math.min(...even)).toBeLessThan(1.1);
    expect(uneven[2]! / uneven[0]!).toBeLessThan(0.75);
  });

  it.each([
    [[{ from: 'leaf9', to: 'spine0' }], 'topology.linkOverrides[0].from'],
    [[SLOW, { from: 'leaf0', to: 'leaf1' }], 'topology.linkOverrides[1].to'],
    [[SLOW, { from: 'spine1', to: 'leaf0', rateGbps: 20 }], 'topology.linkOverrides[1]'],
  ])('is rejected if no such link exists, or if it is named twice: %j', (linkOverrides, where) => {
    expect(() => runScenarioSync(scenario(leafSpine(linkOverrides)))).toThrow(
      expect.objectContaining({ code: 'invalid-scenario', where }) as Error,
    );
  });
});
