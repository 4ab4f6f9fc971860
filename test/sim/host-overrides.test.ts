import { describe, expect, it } from 'vitest';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

const INCAST: ScenarioSpec = {
  name: 'four to one',
  topology: { kind: 'star', hosts: 5 },
  workload: { kind: 'incast', senders: 4, sizeBytes: 2_000_000 },
  algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15' } },
  switches: { fastCnp: { enabled: true } },
};

describe('hosts that differ', () => {
  it('are marked, and hear from the receiver, where they do not accept Fast CNPs', () => {
    const { flows, totals } = runScenarioSync({ ...INCAST, overrides: [{ nodes: ['h1'], host: { acceptFastCnp: false } }] });
    expect(flows.map(({ fastCnps }) => fastCnps > 0)).toEqual([true, false, true, true]);
    expect(flows.map(({ cnps }) => cnps > 0)).toEqual([false, true, false, false]);
    expect(totals.dataMarks).toBeGreaterThan(0);
  });

  it('notify later where their notification point is slow, by just its delay', () => {
    const plain = { ...INCAST, switches: { fastCnp: { enabled: false } } };
    const first = (spec: ScenarioSpec): number => runScenarioSync(spec).flows[0]!.firstNotificationPs!;
    const slow = first({ ...plain, overrides: [{ nodes: ['h4'], host: { cnpDelayUs: 7 } }] });
    expect(slow - first(plain)).toBe(7_000_000);
    expect(slow).toBe(first({ ...plain, hosts: { cnpDelayUs: 7 } }));
  });

  it.each([
    [{ nodes: ['s0'], host: { cnpDelayUs: 1 } }, /s0 is a switch/],
    [{ nodes: ['h0'], switch: { pfc: false } }, /h0 is a host/],
    [{ nodes: ['h9'], host: { cnpDelayUs: 1 } }, /no node h9/],
  ])('are refused where the node is of the other kind or missing: %j', (override, message) => {
    expect(() => runScenarioSync({ ...INCAST, overrides: [override] })).toThrow(message);
  });
});
