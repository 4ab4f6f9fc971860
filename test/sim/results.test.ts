/** Percentiles, fairness, series, summary and hash of results. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SimResult } from '../../src/sim/result.js';
import { countRunning, findFairFromPs, findMeanFairness, isFair, jainIndex, longestQueues, nearestRank, percentilesOf,
  summarise } from '../../src/sim/results/summary.js';
import { hashResult, isHashRight } from '../../src/sim/results/result-hash.js';
import { SeriesRecorder, seriesResult } from '../../src/sim/results/series-recorder.js';
import { incastResult } from '../support/sim-result.js';

describe('Percentiles', () => {
  it('are values of the sample, by nearest rank', () => {
    const values = [15, 20, 35, 40, 50];
    expect([5, 30, 40, 50, 100].map((percent) => nearestRank(values, percent))).toEqual([15, 20, 20, 35, 50]);
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentilesOf(hundred)).toEqual({ min: 1, p50: 50, p95: 95, p99: 99, max: 100, mean: 50.5 });
  });

  it('of a single value equal it, and of no values are null', () => {
    expect(percentilesOf([7])).toEqual({ min: 7, p50: 7, p95: 7, p99: 7, max: 7, mean: 7 });
    expect(percentilesOf([])).toBeNull();
  });

  it('are the smallest values that at least the given share of values does not exceed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 50 }), fc.integer({ min: 1, max: 100 }),
        (values, percent) => {
          const found = nearestRank([...values].sort((a, b) => a - b), percent);
          expect(values.filter((value) => value <= found).length * 100).toBeGreaterThanOrEqual(percent * values.length);
          expect(values.filter((value) => value < found).length * 100).toBeLessThan(percent * values.length);
        }),
    );
  });
});

describe("Jain's index", () => {
  it('is 1 for equal rates, and k/n if k of n flows share the rate', () => {
    expect(jainIndex([5, 5, 5, 5])).toBe(1);
    expect(jainIndex([8, 0, 0, 0])).toBe(0.25);
    expect(jainIndex([3, 3, 0, 0])).toBe(0.5);
    expect([jainIndex([]), jainIndex([0, 0])]).toEqual([1, 1]);
  });

  it('is between 1/n and 1, independent of units', () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 1, maxLength: 20 }), (rates) => {
      const index = jainIndex(rates);
      expect(index).toBeGreaterThanOrEqual(1 / rates.length - 1e-12);
      expect(index).toBeLessThanOrEqual(1 + 1e-12);
      expect(jainIndex(rates.map((rate) => 1e9 * rate))).toBeCloseTo(index, 9);
    }));
  });
});

describe('The time at which rates become fair', () => {
  const flow = incastResult({ senders: 2 }).flows;
  const always = flow.map((one) => ({ ...one, completionPs: null }));
  const seriesWith = (first: readonly number[], second: readonly number[]) => ({
    intervalPs: 10,
    timesPs: first.map((_, index) => 10 * (index + 1)),
    queueBytes: {},
    utilization: {},
    fairness: [],
    rateBps: { 0: first, 1: second },
  });
  const steady = (count: number, value: number) => new Array<number>(count).fill(value);

  it('allows deviations of up to 10 % of the mean, inclusive', () => {
    expect(isFair([90, 110])).toBe(true);
    expect(isFair([89, 111])).toBe(false);
  });

  it('is the first of 20 fair samples in a row, not of 19', () => {
    const unfair = steady(5, 100);
    expect(findFairFromPs(always, seriesWith([...unfair, ...steady(20, 50)], [...steady(5, 10), ...steady(20, 52)])))
      .toBe(60);
    expect(findFairFromPs(always, seriesWith([...unfair, ...steady(19, 50)], [...steady(5, 10), ...steady(19, 52)])))
      .toBeNull();
  });

  it('restarts after an unfair sample', () => {
    const first = [...steady(19, 50), 100, ...steady(20, 50)];
    expect(findFairFromPs(always, seriesWith(first, steady(40, 50)))).toBe(210);
  });

  it('is not before the last start of a flow, and absent with a single flow', () => {
    const late = always.map((one, index) => ({ ...one, startPs: 100 * index }));
    expect(findFairFromPs(late, seriesWith(steady(40, 50), steady(40, 50)))).toBe(100);
    const ended = always.map((one, index) => ({ ...one, completionPs: index === 0 ? 200 : null }));
    expect(findFairFromPs(ended, seriesWith(steady(40, 50), steady(40, 50)))).toBeNull();
  });

  it('has a mean index without samples of fewer than two flows', () => {
    const flows = always.map((one, index) => ({ ...one, startPs: 0, completionPs: index === 0 ? 25 : 45 }));
    const series = { ...seriesWith([1, 1, 1, 1, 1], [1, 1, 1, 1, 1]), fairness: [0.5, 0.7, 1, 1, 1] };
    expect(countRunning(flows, series.timesPs)).toEqual([2, 2, 1, 1, 0]);
    expect(findMeanFairness(flows, series)).toBeCloseTo(0.6, 12);
    expect(findMeanFairness(flows.slice(1), series)).toBeNull();
  });
});

describe('Series in bounded memory', () => {
  const recorderOf = (maxSamples: number) =>
    new SeriesRecorder({ intervalPs: 10, maxSamples, columns: ['at', 'mean'] });

  it('keep every sample while there is space', () => {
    const recorder = recorderOf(4);
    for (let k = 1; k <= 4; k++) recorder.add(10 * k, [k, k / 10]);
    expect([recorder.intervalPs, recorder.timesPs(), recorder.column(0), recorder.column(1)]).toEqual([
      10,
      [10, 20, 30, 40],
      [1, 2, 3, 4],
      [0.1, 0.2, 0.3, 0.4],
    ]);
  });

  it('drop every second sample and double the interval when full, and average shares of time', () => {
    const recorder = recorderOf(4);
    for (let k = 1; k <= 6; k++) recorder.add(10 * k, [k, k]);
    expect([recorder.intervalPs, recorder.timesPs()]).toEqual([20, [20, 40, 60]]);
    expect(recorder.column(0)).toEqual([2, 4, 6]);
    expect(recorder.column(1)).toEqual([1.5, 3.5, 5.5]);
  });

  it('are correct for any capacity and number of samples, including odd ones', () => {
    fc.assert(fc.property(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 200 }), (maxSamples, count) => {
      const eager = recorderOf(maxSamples);
      for (let k = 1; k <= count; k++) eager.add(10 * k, [k, k]);
      const lastPs = 10 * count;
      expect(eager.count).toBeLessThanOrEqual(maxSamples);
      expect(lastPs - eager.count * eager.intervalPs).toBeLessThan(eager.intervalPs);
      eager.timesPs().forEach((timePs, index) => {
        const perSample = eager.intervalPs / 10;
        expect(timePs).toBe((index + 1) * eager.intervalPs);
        expect(eager.column(0)[index]).toBe(timePs / 10);
        expect(eager.column(1)[index]).toBeCloseTo(timePs / 10 - (perSample - 1) / 2, 9);
      });
    }));
  });

  it('may be given samples only when they are due', () => {
    const recorder = recorderOf(4);
    while (recorder.nextPs <= 1000) recorder.add(recorder.nextPs, [recorder.nextPs, 0.5]);
    expect(recorder.count).toBeGreaterThanOrEqual(2);
    expect(recorder.column(0)).toEqual(recorder.timesPs());
    expect(recorder.column(1)).toEqual(recorder.timesPs().map(() => 0.5));
  });

  it('keep the maximum of dropped samples, even if a column was 0 at first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 200 }), fc.integer({ min: 0, max: 50 }),
        (maxSamples, values, zeros) => {
          const recorder = new SeriesRecorder({ intervalPs: 10, maxSamples, columns: ['most', 'at'] });
          const all = [...Array.from({ length: zeros }, () => 0), ...values];
          all.forEach((value, index) => {
            recorder.add(10 * (index + 1), [value, value]);
          });
          const perSample = recorder.intervalPs / 10;
          recorder.timesPs().forEach((timePs, index) => {
            const last = timePs / 10;
            expect(recorder.column(0)[index]).toBe(Math.max(...all.slice(last - perSample, last)));
            expect(recorder.column(1)[index]).toBe(all[last - 1]);
          });
        }),
    );
  });

  it('keep a column of zeros', () => {
    const recorder = recorderOf(4);
    for (let k = 1; k <= 5; k++) recorder.add(10 * k, [0, k === 5 ? 1 : 0]);
    recorder.add(60, [3, 1]);
    expect([recorder.column(0), recorder.column(1)]).toEqual([[0, 0, 3], [0, 0, 1]]);
  });

  it('reject times out of step and the wrong number of values', () => {
    const recorder = recorderOf(4);
    recorder.add(10, [1, 1]);
    for (const timePs of [10, 15, 30, -10, NaN]) {
      expect(() => recorder.add(timePs, [1, 1])).toThrow(/timePs.*time of a sample must be /);
    }
    expect(() => recorder.add(20, [1])).toThrow(/number of values must be 2 \(got 1\)/);
    expect(() => new SeriesRecorder({ intervalPs: 0, maxSamples: 4, columns: [] })).toThrow(/intervalPs/);
    expect(() => new SeriesRecorder({ intervalPs: 1, maxSamples: 1, columns: [] })).toThrow(/maxSamples/);
  });

  it('become the named series of a result', () => {
    const recorder = new SeriesRecorder({ intervalPs: 10, maxSamples: 4, columns: ['at', 'mean', 'at', 'at'] });
    recorder.add(10, [500, 0.25, 5e9, 1]);
    expect(seriesResult(recorder, {
      queueBytes: { 's0:h1': 0 },
      utilization: { 's0:h1': 1 },
      rateBps: { 7: 2 },
      fairness: 3,
    })).toEqual({
      intervalPs: 10,
      timesPs: [10],
      queueBytes: { 's0:h1': [500] },
      utilization: { 's0:h1': [0.25] },
      rateBps: { 7: [5e9] },
      fairness: [1],
    });
  });
});

describe('A summary', () => {
  it('counts, ranks and sums the results of the run', () => {
    const { summary, flows, simulatedPs } = incastResult({ senders: 4, sizeBytes: 1_000_000 });
    expect(summary).toMatchObject({
      flowsDone: 4,
      flowsUnfinished: 0,
      maxQueuePort: 's0:h4',
      maxQueueBytes: 420_500,
      meanQueueBytes: 90_000,
    });
    expect(summary.completionPs!.max).toBe(flows[3]!.completionPs);
    expect(summary.slowdown!.p50).toBe(flows[1]!.slowdown);
    expect(summary.goodputBps).toBeCloseTo(4e6 * 8 / (simulatedPs / 1e12), 0);
    expect(summary.fairFromPs).toBe(34 * Math.ceil(simulatedPs / 100));
  });

  it('has no percentiles of unfinished flows, and is empty without flows', () => {
    const { summary } = incastResult({
      flow: () => ({ completionPs: null, slowdown: null }),
      result: { simulatedPs: 1e9 },
    });
    expect(summary).toMatchObject({ flowsDone: 0, flowsUnfinished: 4, completionPs: null, slowdown: null });
    const series = { intervalPs: 1, timesPs: [], queueBytes: {}, utilization: {}, rateBps: {}, fairness: [] };
    expect(summarise({ flows: [], ports: [], series, activePs: 0 })).toMatchObject({
      maxQueuePort: '',
      maxQueueBytes: 0,
      goodputBps: 0,
      fairFromPs: null,
      meanFairness: null,
    });
  });

  it('names the first of several ports with the longest queue', () => {
    const [a, b] = incastResult().ports;
    expect(
      longestQueues([{ ...a!, maxQueueBytes: 5 }, { ...b!, maxQueueBytes: 5 }, { ...b!, maxQueueBytes: 9 }], 2).map((
        port,
      ) => port?.name),
    ).toEqual([b!.name, a!.name]);
  });
});

describe('The hash of a result', () => {
  it('is that of format 2, whatever else changes', () => {
    expect(hashResult(incastResult())).toBe('a9ddf595a9fd174f');
  });

  it('has 16 digits, and is unchanged by JSON and the order of keys', () => {
    const result = incastResult();
    expect(result.hash).toMatch(/^[0-9a-f]{16}$/);
    const copy = JSON.parse(JSON.stringify(result)) as SimResult;
    const turned = Object.fromEntries(Object.entries(copy).reverse()) as unknown as SimResult;
    expect([hashResult(copy), hashResult(turned)]).toEqual([result.hash, result.hash]);
    expect(isHashRight(copy)).toBe(true);
  });

  it.each<[string, (result: SimResult) => SimResult]>([
    ['the seed', (result) => ({ ...result, seed: 2 })],
    [
      'a bit of a sample',
      (result) => ({
        ...result,
        series: { ...result.series, fairness: result.series.fairness.map((x, i) => (i === 50 ? x + 2 ** -52 : x)) },
      }),
    ],
    ['the order of flows', (result) => ({ ...result, flows: [...result.flows].reverse() })],
    ['a null', (result) => ({ ...result, flows: result.flows.map((flow) => ({ ...flow, completionPs: null })) })],
    ['where a list ends', (result) => ({ ...result, notes: ['a', 'b'] })],
    ['a scenario', (result) => ({ ...result, scenario: { ...result.scenario, durationUs: 5 } })],
  ])('differs by %s', (_, change) => {
    const changed = change(incastResult());
    expect(hashResult(changed)).not.toBe(changed.hash);
    expect(isHashRight(changed)).toBe(false);
  });

  it('treats -0 as 0, as JSON does, and names the place of a value that JSON cannot hold', () => {
    const result = incastResult();
    expect(hashResult({ ...result, simulatedPs: -0 })).toBe(hashResult({ ...result, simulatedPs: 0 }));
    expect(() => hashResult({ ...result, series: { ...result.series, fairness: [1, NaN] } })).toThrow(
      /result\.series\.fairness\[1\]/,
    );
  });
});
