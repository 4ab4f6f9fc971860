/** The same graph has the same result hash from every source. */
import { expect, it } from 'vitest';
import { isHashRight, runScenarioSync } from '../../src/sim/index.js';
import type { ScenarioSpec, WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { parseGoal, readChakra, readGoal, type WorkloadGraph } from '../../src/workloads/index.js';
import { sampleBytes, sampleText } from './support/samples.js';

const scenario = (name: string, workload: WorkloadSpec): ScenarioSpec => ({
  name,
  topology: { kind: 'fat-tree', k: 4 },
  workload,
});

it('a ring all-reduce has one hash from GOAL, Chakra and a scenario, and another for another size', async () => {
  const traces = Array.from({ length: 8 }, (_, rank) => ({
    name: `all_reduce.${rank}.et`,
    source: sampleBytes(`chakra/all-reduce-8/all_reduce.${rank}.et`),
  }));
  const graphs: Readonly<Record<string, WorkloadGraph>> = {
    text: parseGoal(sampleText('goal/ring-all-reduce-8.goal')),
    binary: await readGoal(sampleBytes('goal/ring-all-reduce-8.bin')),
    chakra: await readChakra(traces),
  };
  const fromFiles = Object.keys(graphs).map((file) =>
    runScenarioSync(scenario(file, { kind: 'job', format: 'goal', file }), { graphs })
  );
  const hosts = ['h0', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7'];
  const ring = { kind: 'collective', collective: 'all-reduce', hosts } as const;
  const own = runScenarioSync(scenario('own', { ...ring, sizeBytes: 2 ** 20 }));
  const other = runScenarioSync(scenario('own', { ...ring, sizeBytes: 2 ** 20 + 1 }));
  expect(fromFiles.map(({ hash }) => hash)).toEqual([own.hash, own.hash, own.hash]);
  expect(other.hash).not.toBe(own.hash);
  expect([own, ...fromFiles].map(isHashRight)).toEqual([true, true, true, true]);
  const [job] = own.jobs ?? [];
  expect(isHashRight({ ...own, jobs: job === undefined ? [] : [{ ...job, endPs: 5 }] })).toBe(false);
});
