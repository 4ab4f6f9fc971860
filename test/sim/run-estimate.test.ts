/** The estimate of a run, compared with the run. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { estimateRun } from '../../src/sim/compile/estimates.js';
import { compileScenario, runScenarioSync, type ScenarioSpec, validateScenario } from '../../src/sim/index.js';

const example = (name: string): ScenarioSpec =>
  JSON.parse(readFileSync(new URL(`../../examples/scenarios/${name}.json`, import.meta.url), 'utf8')) as ScenarioSpec;
const star = (more: Partial<ScenarioSpec>): ScenarioSpec => ({
  name: 'star',
  topology: { kind: 'star', hosts: 9 },
  workload: { kind: 'incast', senders: 8, sizeBytes: 3_000_000 },
  ...more,
});

const SCENARIOS: Readonly<Record<string, ScenarioSpec>> = {
  'an incast': example('incast-16'),
  'a permutation on a fat-tree': example('fat-tree-k4-permutation'),
  'flows of many sizes': example('leaf-spine-websearch'),
  'an all-reduce': example('all-reduce'),
  'a long link': example('long-link-hpcc'),
  'distant data centres': example('two-data-centers'),
  'two ways': example('two-elephants-detour'),
  'a run that its time ends': star({ durationUs: 300 }),
  'a run that ends while most flows wait': star({
    durationUs: 200,
    workload: { kind: 'incast', senders: 8, sizeBytes: 3_000_000, staggerUs: 20 },
  }),
  'large packets': star({ hosts: { mtuBytes: 4096 } }),
  'ACKs for chunks alone': star({
    fidelity: 'reference',
    hosts: { ackIntervalBytes: 4_000_000, ackChunkBytes: 4000 },
  }),
  'a job': star({ workload: { kind: 'collective', collective: 'all-to-all', sizeBytes: 4_000_000 } }),
};

describe('The estimate of a run', () => {
  it.each(Object.keys(SCENARIOS))('%s: packets and hops are correct within a factor of two', (name) => {
    const compiled = compileScenario(validateScenario(SCENARIOS[name]));
    const { dataPackets, packetHops, flows, startPs, endPs } = estimateRun(compiled);
    const { totals, ...result } = runScenarioSync(compiled);
    expect(flows).toBe(result.flows.length);
    expect([startPs, endPs]).toEqual([
      Math.min(...result.flows.map((flow) => flow.startPs)),
      compiled.plan.endPs,
    ]);
    for (const [estimated, took] of [[dataPackets, totals.dataPackets], [packetHops, result.packetHops]]) {
      expect(estimated / took).toBeGreaterThan(0.5);
      expect(estimated / took).toBeLessThan(2);
    }
  });

  it('has the exact number of data packets if nothing is retransmitted', () => {
    const compiled = compileScenario(validateScenario(example('incast-16')));
    expect(estimateRun(compiled).dataPackets).toBe(runScenarioSync(compiled).totals.dataPackets);
  });
});
