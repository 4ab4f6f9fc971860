import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { derangement } from '../../src/sim/workload/patterns.js';
import { Draws, naturalLog, seedOf } from '../../src/sim/random.js';
import { readSizePoints, sizePointsOf, meanBytes, sizeAt } from '../../src/sim/workload/size-distributions.js';
import type { WorkloadFlow } from '../../src/sim/workload/workload-flows.js';

function flowsOf(workload: WorkloadSpec | readonly WorkloadSpec[], hosts = 16, seed = 1): readonly WorkloadFlow[] {
  return [...validateScenario({ name: 'test', seed, topology: { kind: 'star', hosts }, workload }).flows];
}

describe('Random draws', () => {
  it("have a logarithm within 1e-15 of the engine's, relative to the larger of it and 1", () => {
    fc.assert(fc.property(fc.double({ min: 2 ** -40, max: 2 ** 40, noNaN: true }), (x) => {
      const expected = Math.log(x);
      return Math.abs(naturalLog(x) - expected) <= 1e-15 * Math.max(1, Math.abs(expected));
    }));
    expect(naturalLog(1)).toBe(0);
  });

  it('of the exponential distribution have its mean and deviation', () => {
    const draws = new Draws(7);
    const values = Array.from({ length: 100_000 }, () => draws.exponential(3));
    const mean = values.reduce((a, b) => a + b) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    // Four standard errors of the mean; the deviation's are twice as large.
    expect(Math.abs(mean - 3)).toBeLessThan(4 * 3 / Math.sqrt(100_000));
    expect(Math.abs(Math.sqrt(variance) - 3)).toBeLessThan(8 * 3 / Math.sqrt(100_000));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
  });

  it('use separate seeds for parts of a scenario', () => {
    expect(new Set(Array.from({ length: 1000 }, (_, i) => seedOf(1, i))).size).toBe(1000);
    expect(seedOf(1, 0)).not.toBe(seedOf(2, 0));
  });
});

describe('Size distributions', () => {
  // Mean and quantiles of the points that the reference simulators are published with: straight lines between them.
  it.each([
    ['WebSearch', 1_711_250, 73_077, 5_000_000, 23_333_333],
    ['FB_Hadoop', 120_421, 700, 120_000, 2_000_000],
    ['AliStorage', 40_870, 6340, 31_237, 1_293_927],
    ['Solar', 39_424, 16_384, 65_536, 222_822],
    ['GoogleRPC', 2890, 257, 1716, 30_614],
    ['FB_Hadoop-roce-cc', 117_052, 700, 120_000, 1_000_000],
    ['AliStorage-roce-cc', 53_084, 3657, 91_750, 1_310_720],
  ] as const)('have the mean, p50, p90 and p99 of their points: %s', (name, mean, p50, p90, p99) => {
    const cdf = sizePointsOf(name);
    const near = (got: number, expected: number): void => {
      expect(Math.abs(got / expected - 1), `${got} for ${expected}`).toBeLessThan(0.002);
    };
    near(meanBytes(cdf), mean);
    [[0.5, p50], [0.9, p90], [0.99, p99]].forEach(([share, size]) => near(sizeAt(cdf, share), size));
    const [draws, sizes] = [new Draws(3), [p50, p90, p99].map((size) => size * 1.002)];
    const below = [0, 0, 0];
    let [sum, least] = [0, Infinity];
    for (let draw = 0; draw < 1_000_000; draw++) {
      const size = sizeAt(cdf, draws.uniform());
      sum += size;
      least = Math.min(least, size);
      for (let i = 0; i < 3; i++) below[i] += Number(size <= sizes[i]);
    }
    expect(Math.abs(sum / 1_000_000 / mean - 1)).toBeLessThan(0.05);
    expect(least).toBeGreaterThanOrEqual(1);
    // If few flows are much larger, a quantile of the draws scatters more than the share of draws below it.
    [0.5, 0.9, 0.99].forEach((share, i) => {
      expect(Math.abs(below[i] / 1_000_000 - share), `${share}`).toBeLessThan(name === 'Solar' && i < 2 ? 0.06 : 0.002);
    });
  });

  // Some of the 843 lines of GoogleRPC2008.txt, of each of its regular parts.
  it.each([
    [3, 6.48826],
    [32, 9.73239],
    [46, 13.2092],
    [96, 28.6139],
    [158, 40.6446],
    [205, 46.1319],
    [402, 70.6643],
    [597, 80.7286],
    [956, 85.7608],
    [1229, 87.842],
    [1940, 90.6325],
    [2398, 91.6472],
    [3932, 93.3867],
    [5521, 95.0105],
    [9735, 97.0773],
    [14_292, 98.1711],
    [25_170, 98.8679],
    [40_375, 99.1477],
    [59_500, 99.2966],
    [80_798, 99.4719],
    [119_156, 99.6742],
    [184_125, 99.7892],
    [222_540, 99.8217],
    [292_759, 99.8672],
    [407_188, 99.9198],
    [529_425, 99.9503],
    [749_820, 99.9655],
    [1_240_351, 99.9798],
    [4_883_570, 99.9962],
    [10_668_901, 99.9992],
    [15_158_197, 100],
  ])('of GoogleRPC have a point at %d bytes', (sizeBytes, percent) => {
    const point = sizePointsOf('GoogleRPC').find((one) => one.sizeBytes === sizeBytes);
    expect(point?.share).toBeCloseTo(percent / 100, 5);
    expect(sizePointsOf('GoogleRPC')).toHaveLength(843);
  });

  it("of WebSearch have the deciles on the axis of HPCC's plots", () => {
    const deciles = [6700, 20_000, 30_000, 50_000, 73_000, 197_000, 989_000, 2e6, 5e6];
    deciles.forEach((size, i) => {
      expect(Math.abs(sizeAt(sizePointsOf('WebSearch'), (i + 1) / 10) / size - 1)).toBeLessThan(0.02);
    });
  });

  it('are read from files of sizes and cumulative percentages', () => {
    const cdf = readSizePoints('# of a cluster\r\n0 0\r\n 4000\t22.5\n8e3 100.0', 'mine.txt');
    expect(cdf).toEqual([{ sizeBytes: 0, share: 0 }, { sizeBytes: 4000, share: 0.225 }, { sizeBytes: 8000, share: 1 }]);
  });

  it.each([
    ['no point', '\n# nothing\n', /mine.txt.*number of points/],
    ['three words', '0 0\n5 50 1\n9 100', /line 2.*point/],
    ['a size that descends', '5 0\n4 100', /line 2.*size/],
    ['a percentage that descends', '5 10\n6 9\n7 100', /line 2.*percentage/],
    ['an end below 100', '5 10\n6 99', /line 2.*last percentage/],
    ['shares', '5 0.1\n6 1', /line 2.*last percentage/],
    ['a negative size', '-5 10\n6 100', /line 1.*size/],
    ['words', 'size percent\n6 100', /line 1.*size/],
  ])('are rejected by line from a file with %s', (_, text, message) => {
    expect(() => readSizePoints(text, 'mine.txt')).toThrow(message);
  });

  it('are rejected by name if their file was not loaded', () => {
    const workload: WorkloadSpec = { kind: 'poisson', load: 0.4, sizes: { file: 'mine.txt' }, flows: 1 };
    expect(() => validateScenario({ name: 'sizes', topology: { kind: 'star', hosts: 3 }, workload })).toThrow(
      /^workload\.sizes\.file.*mine\.txt.*readSizePoints/,
    );
  });

  it('keep the share of a jump at the first point', () => {
    const cdf = [{ sizeBytes: 100, share: 0.5 }, { sizeBytes: 200, share: 1 }];
    expect([0, 0.49, 0.5, 0.75].map((share) => sizeAt(cdf, share))).toEqual([100, 100, 100, 150]);
    expect(meanBytes(cdf)).toBe(125);
    expect(sizeAt([{ sizeBytes: 64, share: 1 }], 0.3)).toBe(64);
  });
});

describe('Workloads', () => {
  it('of kind incast send from the first hosts except the receiver, each later than the one before', () => {
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

  it('of kind permutation have each host send once and receive once, never to itself', () => {
    fc.assert(fc.property(fc.integer({ min: 2, max: 60 }), fc.nat(), (count, seed) => {
      const partners = derangement(count, new Draws(seed));
      return new Set(partners).size === count &&
        partners.every((partner, i) => partner !== i && partner >= 0 && partner < count);
    }));
    expect(flowsOf({ kind: 'permutation', sizeBytes: 5 }, 16, 1)).not.toEqual(
      flowsOf({ kind: 'permutation', sizeBytes: 5 }, 16, 2),
    );
  });

  it('of kind all-to-all have each pair once', () => {
    const flows = flowsOf({ kind: 'all-to-all', sizeBytes: 5, hosts: 5 });
    expect(new Set(flows.map(({ source, destination }) => `${source} ${destination}`)).size).toBe(20);
    expect(flows).toHaveLength(20);
    expect(flows.every(({ source, destination }) => source !== destination && source < 5 && destination < 5)).toBe(
      true,
    );
  });

  it('of kind ring all-reduce bring each chunk to each host, each step after the one that it forwards', () => {
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

  it('of Poisson arrivals reach the requested load, between all hosts, in order of time', () => {
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

  it('of Poisson arrivals are rejected by their expected number before any is drawn', () => {
    const draws = vi.spyOn(Draws.prototype, 'exponential');
    const endless: WorkloadSpec = { kind: 'poisson', load: 1, sizes: 'FB_Hadoop', arrivalsForUs: 9e9 };
    const half: WorkloadSpec = { kind: 'poisson', load: 1, sizes: 'FB_Hadoop', flows: 9_000_000 };
    try {
      expect(() => flowsOf(endless)).toThrow(
        /^workload\.arrivalsForUs: the expected number of flows must be at most 16,777,216 \(got 14,947,\d{3},\d{3}\)\.$/,
      );
      expect(() => flowsOf([half, { kind: 'permutation', sizeBytes: 1 }, half])).toThrow(
        'workload[2].flows: the expected number of flows must be at most 16,777,216 (got 18,000,000).',
      );
      expect(draws).not.toHaveBeenCalled();
      flowsOf({ ...half, flows: 2 });
      expect(draws).toHaveBeenCalled();
    } finally {
      draws.mockRestore();
    }
  });

  it('of Poisson arrivals start more flows at faster hosts, in proportion', () => {
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

  it('are determined by the seed', () => {
    const workload: WorkloadSpec = { kind: 'poisson', load: 0.4, sizes: 'WebSearch', flows: 100 };
    expect(flowsOf(workload, 8, 5)).toEqual(flowsOf(workload, 8, 5));
    expect(flowsOf(workload, 8, 5)).not.toEqual(flowsOf(workload, 8, 6));
  });
});
