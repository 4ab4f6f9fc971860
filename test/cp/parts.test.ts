import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { CongestionPointModel, markingProbability } from '../../src/reference/cp/congestion-point.js';
import { congestionPointDefaults, productionMarkingProfile, resolveCongestionPointConfig, writeCongestionPointConfig,
  type CongestionPointConfig } from '../../src/config/congestion-point.js';
import { CongestionPointRandom } from '../../src/reference/cp/random.js';
import type { CongestionPointModule } from './support/compile.js';
import { compileCongestionPoint } from './support/compile.js';

const ADDRESS = 1024;
let wasm: CongestionPointModule;

beforeAll(async () => {
  wasm = await compileCongestionPoint();
});

describe('Random numbers', () => {
  it.each([0, 1, 0x7fffffff, 0x80000000, 0xffffffff])('are the same in the model and in wasm, seed %i', (seed) => {
    const random = new CongestionPointRandom(seed);
    wasm.randomSeed(ADDRESS, seed);
    for (let i = 0; i < 2_000; i++) if (wasm.randomNext(ADDRESS) !== random.next()) expect.fail(`number ${i}`);
  });

  it('lie in [0, 1), are evenly distributed, and differ between seeds', () => {
    const buckets = new Array<number>(16).fill(0);
    const random = new CongestionPointRandom(42);
    for (let i = 0; i < 160_000; i++) {
      const value = random.next();
      if (!(value >= 0 && value < 1)) expect.fail(`${value}`);
      buckets[Math.floor(value * 16)] += 1;
    }
    // Six standard deviations of a bucket, 97 each.
    for (const count of buckets) expect(Math.abs(count - 10_000)).toBeLessThan(580);
    expect(new CongestionPointRandom(1).next()).not.toBe(new CongestionPointRandom(2).next());
  });
});

describe('Marking profile', () => {
  const rows = readFileSync(new URL('../data/cp/ecn-mark-probability.csv', import.meta.url), 'utf8')
    .trim().split('\n').slice(1).map((line) => line.split(',').map(Number));

  it.each(rows)('kmin %d kB, kmax %d kB, pmax %d: the reference simulator at %d bytes (%d draws, %d marked, p %d)',
    (...row) => {
      const [kmin, kmax, pmax, queueBytes, draws, marked, expected] = row;
      const parameterSet = { kminBytes: kmin * 1000, kmaxBytes: kmax * 1000, pmax: pmax };
      const p = markingProbability(queueBytes, parameterSet);
      expect(wasm.markingProbability(queueBytes, parameterSet.kminBytes, parameterSet.kmaxBytes, parameterSet.pmax))
        .toBe(p);
      expect(p).toBeCloseTo(expected, 6);
      // The reference's count of marks lies within five standard deviations of ours.
      expect(Math.abs(marked - p * draws)).toBeLessThanOrEqual(5 * Math.sqrt(draws * p * (1 - p)));

      const point = new CongestionPointModel(1, 1, parameterSet);
      const event = { timePs: 0, port: 0, flow: 0, queueBytes: queueBytes, ecn: 2, isIpv6: true } as const;
      let own = 0;
      for (let i = 0; i < draws; i++) if (point.decide({ ...event, capability: 'unknown' }).markCe) own += 1;
      expect(Math.abs(own - p * draws)).toBeLessThanOrEqual(5 * Math.sqrt(draws * p * (1 - p)));
    });

  it('keeps the jump from pmax to 1 at kmax', () => {
    expect(markingProbability(200_000, congestionPointDefaults)).toBe(0.01);
    expect(markingProbability(200_000.001, congestionPointDefaults)).toBe(1);
  });

  it('is a pure step when kmin equals kmax', () => {
    const step = { kminBytes: 400, kmaxBytes: 400, pmax: 0.5 };
    expect([399, 400, 401].map((queue) => markingProbability(queue, step))).toEqual([0, 0, 1]);
  });

  it('draws no random number when the outcome is certain', () => {
    const config: Partial<CongestionPointConfig> = { kminBytes: 100, kmaxBytes: 200, pmax: 0.5, seed: 7 };
    writeCongestionPointConfig(new DataView(wasm.memory.buffer), ADDRESS, resolveCongestionPointConfig(config));
    wasm.cpInitialise(ADDRESS, 1, 1);
    const record = () => Array.from(new Uint8Array(wasm.memory.buffer, ADDRESS, 96));
    const before = record();
    for (const queue of [0, 100, 201, 1e9]) wasm.cpDecide(0, 0, 0, queue, 2, 0, 1);
    expect(record()).toEqual(before);
    wasm.cpDecide(0, 0, 0, 150, 2, 0, 1);
    expect(record()).not.toEqual(before);
  });

  it('scales the production parameter set with the link rate', () => {
    expect(productionMarkingProfile(100e9)).toEqual({ kminBytes: 400_000, kmaxBytes: 1_600_000, pmax: 0.2 });
    expect(() => productionMarkingProfile(0)).toThrow(RoceError);
  });
});

describe('Token bucket', () => {
  it('starts full, holds at most its burst, and is never negative', () => {
    wasm.bucketFill(ADDRESS, 3);
    const take = (nowPs: number) => wasm.bucketTake(ADDRESS, nowPs, 1e6, 3) !== 0;
    expect([0, 0, 0, 0].map(take)).toEqual([true, true, true, false]);
    expect([1e12, 1e12, 1e12, 1e12].map(take)).toEqual([true, true, true, false]);
    const view = new DataView(wasm.memory.buffer);
    for (let i = 0; i < 1000; i++) {
      take(1e12 + i * 333_333);
      expect(view.getFloat64(ADDRESS, true)).toBeGreaterThanOrEqual(0);
    }
  });

  it('refills by elapsed time and ignores time that goes backwards', () => {
    wasm.bucketFill(ADDRESS, 1);
    const take = (nowPs: number) => wasm.bucketTake(ADDRESS, nowPs, 1e6, 1) !== 0;
    expect([5e6, 5.999999e6, 4e6, 6e6].map(take)).toEqual([true, false, false, true]);
  });
});

describe('Configuration', () => {
  it.each([
    ['kminBytes', -1],
    ['kmaxBytes', -1],
    ['pmax', 1.5],
    ['pmax', NaN],
    ['flowBurst', 0],
    ['flowRatePerSecond', Infinity],
    ['portBurst', 0.5],
    ['portRatePerSecond', -1],
    ['seed', 1.5],
    ['seed', 2 ** 32],
    ['enabled', 1],
    ['markWhenUnknown', 'yes'],
    ['markWhenLimited', null],
    ['kmin', 5],
  ])('rejects the parameter %s by name when it is %s', (name, value) => {
    const attempt = () => new CongestionPointModel(1, 1, { [name]: value });
    expect(attempt).toThrow(RoceError);
    expect(attempt).toThrow(new RegExp(`congestionPoint\\.${name}`));
  });

  it('rejects a Kmin above Kmax', () => {
    expect(() => new CongestionPointModel(1, 1, { kminBytes: 5, kmaxBytes: 4 }))
      .toThrow('congestionPoint.kminBytes must not exceed Kmax (kminBytes is 5 and kmaxBytes 4).');
  });

  it('rejects a number of ports or flows that is not a positive integer', () => {
    expect(() => new CongestionPointModel(0, 1)).toThrow(/congestionPoint\.ports/);
    expect(() => new CongestionPointModel(1, 1.5)).toThrow(/congestionPoint\.flows/);
  });

  it('does not write a record beyond the memory', () => {
    const view = new DataView(new ArrayBuffer(95));
    expect(() => {
      writeCongestionPointConfig(view, 0, congestionPointDefaults);
    }).toThrow('congestionPoint record: the place of the record must be between 0 and -1 (got 0).');
  });
});
