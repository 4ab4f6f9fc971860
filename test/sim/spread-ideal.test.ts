/** The ideal time of a flow whose packets are on several paths at once: no run is faster. */
import { describe, expect, it } from 'vitest';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { LoadBalancing, ScenarioSpec } from '../../src/sim/scenario/spec.js';

/** Two hosts at 100 Gb/s, with four paths of 40 Gb/s between them. */
function alone(loadBalancing: LoadBalancing, hosts: ScenarioSpec['hosts'] = { transport: 'tolerant' }): number {
  const { flows: [flow] } = runScenarioSync({
    name: 'spread',
    topology: { kind: 'leaf-spine', leaves: 2, spines: 4, hostsPerLeaf: 1, rateGbps: 100, uplink: { rateGbps: 40 } },
    workload: { kind: 'flows', flows: [{ from: 'h0', to: 'h1', sizeBytes: 1_000_000 }] },
    algorithms: { only: { preset: 'none' } },
    switches: { loadBalancing },
    ...(hosts === undefined ? {} : { hosts }),
  });
  expect(flow!.completionPs).not.toBeNull();
  return flow!.slowdown!;
}

describe('A flow over four slower paths', () => {
  it.each(['random', 'round-robin', 'drill', 'least-queue', 'adaptive', 'weighted-random'] as const)(
    'takes the ideal time at the rate of its host, under %s',
    (rule) => {
      const slowdown = alone(rule);
      expect(slowdown).toBeGreaterThanOrEqual(1);
      expect(slowdown).toBeLessThan(1.01);
    },
  );

  it.each(['ecmp', 'flowlet'] as const)('takes the ideal time of one path, under %s', (rule) => {
    expect(alone(rule)).toBe(1);
  });

  it('takes at least the ideal time at the rate of its host if its sender changes the source port per packet', () => {
    const slowdown = alone('ecmp', { transport: 'tolerant', pathSelection: 'oblivious', entropies: 256 });
    expect(slowdown).toBeGreaterThanOrEqual(1);
    expect(slowdown).toBeLessThan(1.5);
  });
});
