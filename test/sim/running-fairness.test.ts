/** The index that the kernel samples is Jain's of the rates that it reports, of the flows that run, in order of their starts. */
import { describe, expect, it } from 'vitest';
import { isRunning, jainIndex } from '../../src/sim/results/summary.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

const COMPARED_MAX = 1024;

function fairnessOfRates(spec: ScenarioSpec,
  most: number): { readonly sampled: number[]; readonly computed: number[] } {
  const { flows, series } = runScenarioSync({ ...spec, record: { ...spec.record, flows: 'all' } });
  const computed = series.timesPs.map((timePs, sample) => {
    const running = flows.filter((flow) => isRunning(flow, timePs - 1)).slice(0, most);
    const rates = running.map(({ index }) => series.rateBps[index]![sample]!).filter((rateBps) => rateBps > 0);
    return rates.length < 2 ? 1 : jainIndex(rates);
  });
  return { sampled: [...series.fairness], computed };
}

describe('Fairness over time', () => {
  it.each(['dcqcn-connectx', 'hpcc-sigcomm19', 'swift-sigcomm20'] as const)('of flows that come and go: %s',
    (preset) => {
      const { sampled, computed } = fairnessOfRates({
        name: 'test',
        topology: { kind: 'star', hosts: 8 },
        workload: { kind: 'poisson', load: 0.8, sizes: 'WebSearch', flows: 60 },
        algorithms: { a: { preset } },
      }, Infinity);
      expect(sampled).toEqual(computed);
      expect(Math.min(...sampled)).toBeLessThan(0.99);
    });

  it('covers, if there are many flows, those that started first', () => {
    const { sampled, computed } = fairnessOfRates({
      name: 'test',
      topology: { kind: 'star', hosts: 36 },
      workload: { kind: 'all-to-all', sizeBytes: 20_000 },
    }, COMPARED_MAX);
    expect(sampled).toEqual(computed);
  });
});
