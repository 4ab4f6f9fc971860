import { describe, expect, it } from 'vitest';
import { requireMemory } from '../../src/sim/compile/estimates.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';

function withFlows(length: number, preset: 'dcqcn-connectx' | 'hpcc-sigcomm19'): Parameters<typeof requireMemory>[0] {
  const valid = validateScenario({
    name: 'test',
    topology: { kind: 'star', hosts: 4 },
    workload: { kind: 'permutation', sizeBytes: 1 },
    algorithms: { a: { preset } },
  });
  return { ...valid, flows: { length } };
}

describe('The memory estimate of a scenario', () => {
  it.each([
    ['accepts seven million flows under DCQCN', 7e6, 'dcqcn-connectx', undefined],
    [
      'rejects eight million flows under DCQCN',
      8e6,
      'dcqcn-connectx',
      /the memory of flows and operations in the kernel must be at most 4,294,967,296 bytes/,
    ],
    ['rejects four million flows under HPCC, which keeps telemetry', 4e6, 'hpcc-sigcomm19', /^workload[ :]/],
  ] as const)('%s', (_, flows, preset, rejection) => {
    const require = () => {
      requireMemory(withFlows(flows, preset), Infinity);
    };
    if (rejection === undefined) expect(require).not.toThrow();
    else expect(require).toThrow(rejection);
  });

  it('names the part that needs most memory', () => {
    const big = () => {
      requireMemory(withFlows(1e6, 'dcqcn-connectx'), 1e9);
    };
    expect(big).toThrow(/^workload: the memory that the scenario needs must be at most 1,000,000,000 bytes/);
  });
});
