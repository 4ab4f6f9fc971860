/** The runs that a sweep expands to, their order, and the rejection of invalid axes by name. */
import { describe, expect, it, vi } from 'vitest';
import { CongestionPointRandom } from '../../src/reference/cp/random.js';
import { hashScenario } from '../../src/sim/index.js';
import { parseSweep, planSweep } from '../../src/sweep/index.js';
import type { AxisSpec, SweepSpec } from '../../src/sweep/spec.js';
import { INCAST } from './support/incast.js';

function planOf(axes: readonly AxisSpec[], more: Partial<SweepSpec> = {}): ReturnType<typeof planSweep> {
  return planSweep({ name: 'test', base: INCAST, axes, ...more });
}

function valuesOf(axes: readonly AxisSpec[], more: Partial<SweepSpec> = {}): unknown[][] {
  return planOf(axes, more).runs.map(({ values }) => [...values]);
}

const SENDERS: AxisSpec = { path: 'workload.senders', name: 'senders', values: [2, 4] };

describe('axes', () => {
  it('are combined in nested order: the last axis varies fastest, and seeds faster than any axis', () => {
    const { runs, axes } = planOf([SENDERS, { path: 'workload.sizeBytes', values: [1000, 2000] }], { seeds: [7, 9] });
    expect(axes).toEqual(['senders', 'workload.sizeBytes']);
    expect(runs.map(({ index, point, values, seed }) => [index, point, ...values, seed])).toEqual([
      [0, 0, 2, 1000, 7],
      [1, 0, 2, 1000, 9],
      [2, 1, 2, 2000, 7],
      [3, 1, 2, 2000, 9],
      [4, 2, 4, 1000, 7],
      [5, 2, 4, 1000, 9],
      [6, 3, 4, 2000, 7],
      [7, 3, 4, 2000, 9],
    ]);
    expect(runs[5]!.scenario).toEqual({
      ...INCAST,
      seed: 9,
      workload: { kind: 'incast', senders: 4, sizeBytes: 1000 },
    });
  });

  it('of a range are linear or logarithmic, with exact ends, and rounded to integers if requested', () => {
    const range = { path: 'switches.ecn.kminKB', from: 10, to: 1000, count: 3 };
    expect(valuesOf([range]).flat()).toEqual([10, 505, 1000]);
    expect(valuesOf([{ ...range, scale: 'log' }]).flat()).toEqual([10, 100, 1000]);
    expect(valuesOf([{ ...range, count: 4, scale: 'log' }]).flat()).toEqual([10, 46.4159, 215.443, 1000]);
    expect(valuesOf([{ ...range, count: 4, scale: 'log', whole: true }]).flat()).toEqual([10, 46, 215, 1000]);
    expect(valuesOf([{ ...range, count: 1 }]).flat()).toEqual([10]);
  });

  it('vary together under zip', () => {
    expect(valuesOf([{ zip: [SENDERS, { path: 'workload.sizeBytes', values: [1000, 2000] }] }])).toEqual([
      [2, 1000],
      [4, 2000],
    ]);
  });

  it('of cases set several values under one name', () => {
    const { runs } = planOf([{
      name: 'control',
      cases: {
        DCQCN: { 'algorithms.a.preset': 'dcqcn-ns3', 'switches.ecn.kminKB': 400, 'switches.ecn.kmaxKB': 1600 },
        HPCC: { 'algorithms.a.preset': 'hpcc-sigcomm19' },
      },
    }]);
    expect(runs.map(({ values }) => values)).toEqual([['DCQCN'], ['HPCC']]);
    expect(runs[0]!.scenario.switches).toEqual({ ecn: { kminKB: 400, kmaxKB: 1600 } });
    expect(runs[1]!.scenario.switches).toBeUndefined();
    expect(runs[1]!.scenario.algorithms).toEqual({ a: { preset: 'hpcc-sigcomm19' } });
  });

  it('that are sampled depend only on their seed, and lie within their ranges', () => {
    const ranges = [{ path: 'switches.ecn.kminKB', from: 10, to: 1000, scale: 'log' as const }, SENDERS];
    const sample = { sample: 'random' as const, count: 20, ranges };
    expect(valuesOf([sample])).toEqual(valuesOf([{ ...sample, seed: 1 }]));
    expect(valuesOf([sample])).not.toEqual(valuesOf([{ ...sample, seed: 2 }]));
    for (const [kmin, senders] of valuesOf([sample])) {
      expect(kmin).toBeGreaterThanOrEqual(10);
      expect(kmin).toBeLessThanOrEqual(1000);
      expect([2, 4]).toContain(senders);
    }
  });

  it('of a Latin hypercube with n points have one value in each of n equal parts', () => {
    const range = (path: string) => ({ path, from: 0, to: 10 });
    const ranges = [range('switches.ecn.kminKB'), range('hosts.cnpDelayUs')];
    const points = valuesOf([{ sample: 'latin-hypercube', count: 10, ranges }]) as number[][];
    for (const column of [0, 1]) {
      expect(points.map((point) => Math.floor(point[column]!)).sort((a, b) => a - b)).toEqual([
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
      ]);
    }
    expect(points.map(([first]) => Math.floor(first!))).not.toEqual(points.map(([, second]) => Math.floor(second!)));
  });
});

describe('a run', () => {
  it('has the hash of its scenario, for any order of keys', () => {
    const [run] = planOf([SENDERS]).runs;
    expect(run!.hash).toBe(hashScenario(run!.scenario));
    const { workload, ...rest } = run!.scenario;
    expect(run!.hash).toBe(hashScenario({ workload, ...rest }));
    expect(new Set(planOf([SENDERS], { seeds: 3 }).runs.map(({ hash }) => hash)).size).toBe(6);
  });

  it('has the seed of the scenario unless the sweep lists seeds', () => {
    expect(planSweep({ name: 'a', base: { ...INCAST, seed: 5 } }).runs.map(({ seed }) => seed)).toEqual([5]);
    expect(planSweep({ name: 'a', base: INCAST, seeds: 3 }).runs.map(({ seed }) => seed)).toEqual([1, 2, 3]);
  });

  it('has the values that the sweep sets in all runs', () => {
    expect(planOf([], { set: { 'workload.senders': 6 } }).runs[0]!.scenario.workload).toMatchObject({ senders: 6 });
  });
});

describe('an invalid sweep is rejected by name', () => {
  const KMIN = { path: 'switches.ecn.kminKB', name: 'Kmin' };

  it.each([
    [[{ path: 'workload..x', values: [1] }], 'sweep.axes[0].path'],
    [[{ path: 'workload.senders', values: [] }], 'sweep.axes[0].values'],
    [[{ path: 'workload.senders' }], 'sweep.axes[0]'],
    [[{ ...KMIN, from: 0, to: 10, count: 2, scale: 'log' }], 'sweep.axes[0].from'],
    [[SENDERS, { ...KMIN, values: [10, -1] }], 'sweep.axes[1] (Kmin)'],
    [[SENDERS, { path: 'switches.ecn.kminkb', values: [10] }], 'sweep.axes[1] (switches.ecn.kminkb)'],
    [[SENDERS, { path: 'name.x', values: [10] }], 'sweep.axes[1] (name.x)'],
    [[{ zip: [SENDERS, { ...KMIN, values: [1, 2, 3] }] }], 'sweep.axes[0].zip[1]'],
    [[{ sample: 'sobol', count: 1, ranges: [SENDERS] }], 'sweep.axes[0].sample'],
    [
      [{ sample: 'random', count: 1, ranges: [{ ...KMIN, from: 1, to: 2, count: 2 }] }],
      'sweep.axes[0].ranges[0].count',
    ],
    [[SENDERS, { ...SENDERS, name: 'other' }], 'sweep.axes[1]'],
    [[SENDERS, { ...KMIN, name: 'senders', values: [1] }], 'sweep.axes'],
    [[{ path: 'seed', values: [1] }], 'sweep.axes'],
    [[{ name: 'c', cases: {} }], 'sweep.axes[0].cases'],
  ])('%j: %s', (axes, place) => {
    let message = '';
    try {
      planOf(axes as never);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(place);
  });

  it('and before runs are expanded, if there are more than the limit', () => {
    const axis = { path: 'workload.sizeBytes', from: 1, to: 1e9, count: 100_000 };
    expect(() => planOf([axis])).toThrow(
      'sweep.axes: the number of runs must be at most 10,000 (got 100,000). Raise the limit with runsMax of the sweep.',
    );
    expect(() => planOf([SENDERS], { runsMax: 1 })).toThrow('must be at most 1 (got 2)');
    const draws = vi.spyOn(CongestionPointRandom.prototype, 'next');
    const sampled = {
      sample: 'random' as const,
      count: 100_000,
      ranges: [{ path: 'workload.sizeBytes', from: 1, to: 9 }],
    };
    expect(() => planOf([sampled, { ...sampled, ranges: [{ path: 'durationUs', from: 1, to: 9 }] }])).toThrow(
      'must be at most 10,000 (got 10,000,000,000)',
    );
    expect(draws).not.toHaveBeenCalled();
    draws.mockRestore();
  });

  it.each([
    [{ metrics: ['slowdown.p98'] }, 'sweep.metrics[0]'],
    [{ seeds: 0 }, 'sweep.seeds'],
    [{ sizeBuckets: [10, 10] }, 'sweep.sizeBuckets[1]'],
    [{ axis: [] }, 'sweep.axis'],
    [{ set: { '': 1 } }, 'sweep.set'],
  ])('%j: %s', (more, place) => {
    expect(() => parseSweep({ name: 'a', base: INCAST, ...more })).toThrow(place);
  });
});
