/** Load balancing by queue class and by capacity: equivalent rules, and the weights of networks with a slow link. */
import { describe, expect, it } from 'vitest';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import type { SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec, SwitchSpec, TopologySpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { rejectionOf } from '../support/rejection.js';
import { withSlowLink } from '../../studies/paths/slow-link.js';

const MTU = 1024;
const LEAF_SPINE = { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 1, rateGbps: 100 } as const;
const FAT_TREE = { kind: 'fat-tree', k: 4, rateGbps: 100 } as const;

function scenario(switches: SwitchSpec, topology: TopologySpec = LEAF_SPINE, packets = 1000): ScenarioSpec {
  return {
    name: 'weights',
    topology,
    algorithms: { only: { preset: 'none' } },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: packets * MTU }] },
    hosts: { transport: 'selective-repeat', reorderingWindowPackets: 65_536 },
    switches: { ecn: { enabled: false }, ...switches },
  };
}

/** Packets by uplink of the first leaf. */
const shares = ({ ports }: SimResult): number[] =>
  ports.filter(({ node, peer }) => node === 'leaf0' && peer.startsWith('spine')).map(({ txPackets }) => txPackets);

const sharesOf = (switches: SwitchSpec, topology?: TopologySpec, packets?: number): number[] =>
  shares(runScenarioSync(scenario(switches, topology, packets)));

/** Weight of each next hop of a switch towards a host, by the name of the next switch. */
function weightsOf(topology: TopologySpec, from: string, to: string): Record<string, number> {
  const { plan } = compileScenario(validateScenario(scenario({ loadBalancing: 'wcmp' }, topology)));
  const [node, host] = [from, to].map((name) => plan.nodes.findIndex((one) => one.name === name));
  const group = plan.routes.group(node!, host!);
  const nextHops = plan.groups[group]!.map((port) => plan.nodes[plan.ports[plan.ports[port]!.peerPort]!.node]!.name);
  const weights = plan.balancing?.weights[group] ?? [];
  return Object.fromEntries(nextHops.map((name, at) => [name, weights[at]!]));
}

describe('Equivalent rules', () => {
  it('make weighted-random over equal links random, and wcmp the hash', () => {
    expect(sharesOf({ loadBalancing: 'weighted-random' })).toEqual(sharesOf({ loadBalancing: 'random' }));
    expect(sharesOf({ loadBalancing: 'wcmp' })).toEqual(sharesOf({ loadBalancing: 'ecmp' }));
  });

  it('make adaptive random while all queues are in the lowest class', () => {
    const adaptive = { thresholdsKB: [1e6] };
    expect(sharesOf({ loadBalancing: 'adaptive', adaptive })).toEqual(sharesOf({ loadBalancing: 'random' }));
  });
});

describe('Weights', () => {
  it('are equal where all links are', () => {
    expect(weightsOf(FAT_TREE, 'edge0', 'h15')).toEqual({ agg0: 1, agg1: 1 });
  });

  it('reflect a slow link at the switch, one tier up and in the pod of the destination', () => {
    const slowEdge = withSlowLink(FAT_TREE, ['edge0', 'agg0'], 0.5);
    expect(weightsOf(slowEdge, 'edge0', 'h15')).toEqual({ agg0: 1, agg1: 2 });
    expect(weightsOf(slowEdge, 'edge7', 'h0')).toEqual({ agg6: 1, agg7: 2 });
    expect(weightsOf(slowEdge, 'edge7', 'h2')).toEqual({ agg6: 1, agg7: 1 });
    const slowCore = withSlowLink(FAT_TREE, ['agg0', 'core0'], 0.5);
    expect(weightsOf(slowCore, 'edge0', 'h15')).toEqual({ agg0: 3, agg1: 4 });
    expect(weightsOf(slowCore, 'agg0', 'h15')).toEqual({ core0: 1, core1: 2 });
    expect(weightsOf(slowCore, 'edge0', 'h2')).toEqual({ agg0: 1, agg1: 1 });
  });

  it('ignore the link of the host, which all paths share', () => {
    const slowHost = withSlowLink(withSlow(['edge0', 'agg0']), ['h0', 'edge0'], 0.1);
    expect(weightsOf(slowHost, 'edge7', 'h0')).toEqual({ agg6: 1, agg7: 2 });
  });

  it('add up to 65,536 at most', () => {
    const odd = withSlowLink(FAT_TREE, ['agg0', 'core0'], 0.123_456_789);
    const { agg0 = 0, agg1 = 0 } = weightsOf(odd, 'edge0', 'h15');
    const sum = agg0 + agg1;
    expect(sum).toBeGreaterThan(65_000);
    expect(sum).toBeLessThanOrEqual(65_536);
    expect(agg0 / sum).toBeCloseTo(1.123_456_789 / 3.123_456_789, 4);
  });

  const withSlow = (between: readonly [string, string]) => withSlowLink(FAT_TREE, between, 0.5);
});

describe('A link at half the rate', () => {
  const topology = withSlowLink(LEAF_SPINE, ['spine3', 'leaf1'], 0.5);
  const PACKETS = 7000;
  /** Five standard deviations of a binomial distribution. */
  const tolerance = (share: number): number => 5 * Math.sqrt(PACKETS * share * (1 - share));
  const slowOf = (switches: SwitchSpec): number => sharesOf(switches, topology, PACKETS)[3]!;

  it('gets a seventh of the packets by weighted-random, a fourth by random', () => {
    expect(Math.abs(slowOf({ loadBalancing: 'weighted-random' }) - PACKETS / 7)).toBeLessThan(tolerance(1 / 7));
    expect(Math.abs(slowOf({ loadBalancing: 'random' }) - PACKETS / 4)).toBeLessThan(tolerance(1 / 4));
  });

  it('gets a seventh of the entropies by wcmp', () => {
    const spec = scenario({ loadBalancing: 'wcmp' }, topology, PACKETS);
    const sprayed = runScenarioSync({ ...spec, hosts: { ...spec.hosts, pathSelection: 'oblivious' } });
    expect(Math.abs(shares(sprayed)[3]! - PACKETS / 7)).toBeLessThan(tolerance(1 / 7));
  });
});

describe('Queue classes', () => {
  const uplinks = withSlowLink({ ...LEAF_SPINE, spines: 2 }, ['leaf0', 'spine1'], 0.1);
  const slowShare = (switches: SwitchSpec): number => {
    const [fast, slow] = sharesOf(switches, uplinks, 3000);
    return slow! / (fast! + slow!);
  };

  it('keep packets away from a long queue, all the more with a short first class', () => {
    expect(slowShare({ loadBalancing: 'random' })).toBeGreaterThan(0.45);
    const wide = slowShare({ loadBalancing: 'adaptive', adaptive: { thresholdsKB: [400] } });
    const narrow = slowShare({ loadBalancing: 'adaptive', adaptive: { thresholdsKB: [20], refreshNs: 0 } });
    expect(wide).toBeLessThan(0.3);
    expect(narrow).toBeLessThan(wide);
  });

  it('have thresholds of 5, 10 and 20 % of the bytes that 100 Gb/s carry in the longest base round trip', () => {
    const { plan } = compileScenario(validateScenario(scenario({ loadBalancing: 'adaptive' })));
    // Four links of 1 us each way, and some serialisation.
    const limitBytes = 20 * plan.balancing!.adaptive.thresholdsBytes[0]!;
    expect(limitBytes / 12.5e3).toBeGreaterThan(8);
    expect(limitBytes / 12.5e3).toBeLessThan(10);
    expect(plan.balancing!.adaptive.thresholdsBytes[2]! / limitBytes).toBeCloseTo(0.2, 3);
    expect(plan.balancing!.adaptive.refreshPs).toBe(100_000);
  });

  it('require ascending thresholds', () => {
    const spec = scenario({ loadBalancing: 'adaptive', adaptive: { thresholdsKB: [5, 5] } });
    expect(rejectionOf(() => validateScenario(spec))).toMatchObject({ where: 'switches.adaptive.thresholdsKB[1]' });
  });
});
