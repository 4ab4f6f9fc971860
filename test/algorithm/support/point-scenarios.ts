/** Small scenarios with congested switches, for congestion points. */
import { readFileSync } from 'node:fs';
import type { ScenarioSpec, SwitchSpec } from '../../../src/sim/scenario/spec.js';

/** Eight senders to one receiver. */
export function incast(switches: SwitchSpec = {}, more: Partial<ScenarioSpec> = {}): ScenarioSpec {
  return {
    name: 'incast',
    topology: { kind: 'star', hosts: 9 },
    workload: { kind: 'incast', senders: 8, sizeBytes: 200_000 },
    switches,
    durationUs: 20_000,
    ...more,
  };
}

/** A scenario of examples/scenarios. */
export function exampleScenario(name: string): ScenarioSpec {
  return JSON.parse(readFileSync(`examples/scenarios/${name}.json`, 'utf8')) as ScenarioSpec;
}
