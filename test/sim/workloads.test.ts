import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { derangement } from '../../src/sim/workload/permutation.js';
import { Draws, naturalLog, seedOf } from '../../src/sim/workload/random.js';
import { meanBytes, SIZE_DISTRIBUTIONS, sizeAt } from '../../src/sim/workload/size-distributions.js';
import type { WorkloadFlow } from '../../src/sim/workload/workload-flow.js';

function flowsOf(workload: WorkloadSpec | readonly WorkloadSpec[], hosts = 16, seed = 1): readonly WorkloadFlow[] {
  return [...validateScenario({ name: 'test', seed, topology: { kind: 'star', hosts }, workload }).flows];
}

describe('random draws', () => {
  it("the logarithm is within 1e-15 of the engine's, relative to the larger of it and 1", () => {
    fc.assert(fc.property(fc.double({ min: 2 ** -40, max: 2 ** 40, noNaN: true }), (x) => {
      const expected = Math.log(x);
      return Math.abs(naturalLog(x) - expected) <= 1e-15 * Math.max(1, Math.abs(expected));
    }));
    expect(naturalLog(1)).toBe(0);
  });

  it('exponential draws have their mean and their deviation', () => {
    const draws = new Draws(7);
    const values = Array.from({ length: 100_000 }, () => draws.exponential(3));
    const mean = values.reduce((a, b) => a + b) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    // Four standard errors of the mean; the deviation's are twice as large.
    expect(Math.abs(mean - 3)).toBeLessThan(4 * 3 / Math.sqrt(100_000));
    expect(Math.abs(Math.sqrt(variance) - 3)).toBeLessThan(8 * 3 / Math.sqrt(100_000));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
  });

  it('parts of a scenario have separate seeds', () => {
    expect(new Set(Array.from({ length: 1000 }, (_, i) => seedOf(1, i))).size).toBe(1000);
    expect(seedOf(1, 0)).not.toBe(seedOf(2, 0));
  });
});

describe('size distributions', () => {
  it.each([['WebSearch', 1_711_250], ['FB_Hadoop', 117_052], ['AliStorage', 53_084]] as const)(
    '%s has its mean, %i bytes',
    (name, mean) => {
      const cdf = SIZE_DISTRIBUTIONS[name];
      expect(Math.abs(meanBytes(cdf) / mean - 1)).toBeLessThan(1e-4);
      const draws = new Draws(3);
      const sizes = Array.from({ length: 200_000 }, () => sizeAt(cdf, draws.uniform()));
      expect(Math.abs(sizes.reduce((a, b) => a + b) / sizes.length / meanBytes(cdf) - 1)).toBeLessThan(0.03);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(1);
    },
  );

  it("WebSearch has the deciles on the axis of HPCC's plots", () => {
    const deciles = [6700, 20_000, 30_000, 50_000, 73_000, 197_000, 989_000, 2e6, 5e6];
    deciles.forEach((size, i) => {
      expect(Math.abs(sizeAt(SIZE_DISTRIBUTIONS.WebSearch, (i + 1) / 10) / size - 1)).toBeLessThan(0.02);
    });
  });

  it('a jump at the first point has its share', () => {
    const cdf = [{ sizeBytes: 100, share: 0.5 }, { sizeBytes: 200, share: 1 }];
    expect([0, 0.49, 0.5, 0.75].map((share) => sizeAt(cdf, share))).toEqual([100, 100, 100, 150]);
    expect(meanBytes(cdf)).toBe(125);
    expect(sizeAt([{ sizeBytes: 64, share: 1 }], 0.3)).toBe(64);
  });
});

describe('workloads', () => {
  it('an incast has the first hosts that are not the receiver, each later than the one before', () => {
    const flows = flowsOf({ kind: 'incast', senders: 3, to: 'h1', sizeBytes: 10, staggerUs: 2, startUs: 1 });
    expect(flows.map(({ source, destination, startPs }) => [source, destination, startPs])).toEqual([[0, 1, 1e6], [
      2,
      1,
      3e6,
    ], [3, 1, 5e6]]);
    expect(flowsOf({ kind: 'incast', senders: 15, sizeBytes: 10 }).every(({ destination }) => destination === 15)).toBe(
      true,
    );
  });

  it('in a permutation each host sends once, receives once, and never to itself', () => {
    fc.assert(fc.property(fc.integer({ min: 2, max: 60 }), fc.nat(), (count, seed) => {
      const partners = derangement(count, new Draws(seed));
      return new Set(partners).size === count &&
        partners.every((partner, i) => partner !== i && partner >= 0 && partner < count);
    }));
    expect(flowsOf({ kind: 'permutation', sizeBytes: 5 }, 16, 1)).not.toEqual(
      flowsOf({ kind: 'permutation', sizeBytes: 5 }, 16, 2),
    );
  });

  it('all-to-all has each pair once', () => {
    const flows = flowsOf({ kind: 'all-to-all', sizeBytes: 5, hosts: 5 });
    expect(new Set(flows.map(({ source, destination }) => `${source} ${destination}`)).size).toBe(20);
    expect(flows).toHaveLength(20);
    expect(flows.every(({ source, destination }) => source !== destination && source < 5 && destination < 5)).toBe(
      true,
    );
  });

  it('a ring all-reduce brings every chunk to every host, each step after the one that it forwards', () => {
    const hosts = 5;
    const flows = flowsOf([{ kind: 'incast', senders: 1, sizeBytes: 1 }, {
      kind: 'ring-all-reduce',
      sizeBytes: 1003,
      hosts,
    }], 8).slice(1);
    expect(flows).toHaveLength(2 * (hosts - 1) * hosts);
    const sent = flows.slice(0, hosts).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    expect(sent).toBe(1003);
    flows.forEach(({ source, destination, after, sizeBytes }, i) => {
      expect(destination).toBe((source + 1) % hosts);
      if (i < hosts) {
        expect(after).toBe(-1);
        return;
      }
      const before = flows[after - 1];
      expect(before.destination).toBe(source);
      expect(Math.floor((after - 1) / hosts)).toBe(Math.floor(i / hosts) - 1);
      expect(before.sizeBytes).toBe(sizeBytes);
    });
  });

  it('Poisson arrivals reach the load that is asked for, between all hosts, in order', () => {
    const hosts = 16;
    const arrivalsForUs = 200_000;
    const flows = flowsOf({ kind: 'poisson', load: 0.4, sizes: 'FB_Hadoop', arrivalsForUs }, hosts);
    const bits = 8 * flows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const load = bits / (hosts * 100e9 * arrivalsForUs * 1e-6);
    // 137,000 flows with a deviation of about 5 means: a standard error of 1.4 %.
    expect(flows.length).toBeGreaterThan(100_000);
    expect(Math.abs(load / 0.4 - 1)).toBeLessThan(0.05);
    expect(flows.every(({ startPs }, i) => i === 0 || startPs >= flows[i - 1].startPs)).toBe(true);
    expect(flows.every(({ source, destination }) => source !== destination)).toBe(true);
    const perSource = new Array<number>(hosts).fill(0);
    for (const { source } of flows) perSource[source]++;
    for (const count of perSource) expect(Math.abs((count * hosts) / flows.length - 1)).toBeLessThan(0.05);
  });

  it('faster hosts start more of the Poisson flows, in proportion', () => {
    const { flows } = validateScenario({
      name: 'mixed',
      topology: {
        kind: 'edges',
        nodes: [{ name: 'a', kind: 'host' }, { name: 'b', kind: 'host' }, { name: 'x', kind: 'switch' }],
        links: [{ from: 'a', to: 'x', rateGbps: 300 }, { from: 'b', to: 'x', rateGbps: 100 }],
      },
      workload: { kind: 'poisson', load: 0.1, sizes: 'WebSearch', flows: 10_000 },
    });
    expect(flows).toHaveLength(10_000);
    expect(Math.abs([...flows].filter(({ source }) => source === 0).length / 7500 - 1)).toBeLessThan(0.03);
  });

  it('the same seed gives the same flows, another gives others', () => {
    const workload: WorkloadSpec = { kind: 'poisson', load: 0.4, sizes: 'WebSearch', flows: 100 };
    expect(flowsOf(workload, 8, 5)).toEqual(flowsOf(workload, 8, 5));
    expect(flowsOf(workload, 8, 5)).not.toEqual(flowsOf(workload, 8, 6));
  });
});
