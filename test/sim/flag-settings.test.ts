/** Settings of switches that can be turned on and off take true and false as `pfc` does. */
import { describe, expect, it } from 'vitest';
import { SCENARIO_SCHEMA, compileScenario, validateScenario, type ScenarioSpec,
  type SwitchSpec } from '../../src/sim/index.js';

const SPEC: ScenarioSpec = {
  name: 'two senders',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 20_000 },
};
const KEYS = ['ecn', 'fastCnp', 'watchdog'] as const;
const CASES = KEYS.flatMap((key) => [true, false].map((enabled) => [key, enabled] as const));

function compiled(rest: Partial<ScenarioSpec>) {
  const { plan, notes } = compileScenario(validateScenario({ ...SPEC, ...rest }));
  return { plan, notes };
}

describe('A setting that is a flag or an object', () => {
  it.each(CASES)('means the same as a flag and as an object: %s %s', (key, enabled) => {
    const of = (value: unknown) => compiled({ switches: { [key]: value } as SwitchSpec });
    expect(of(enabled)).toEqual(of({ enabled }));
    expect(of(true).plan).not.toEqual(of(false).plan);
  });

  it.each(CASES)('means the same in an override: %s %s', (key, enabled) => {
    const of = (value: unknown) =>
      compiled({
        switches: { [key]: !enabled } as SwitchSpec,
        overrides: [{ nodes: ['s0'], switch: { [key]: value } as SwitchSpec }],
      }).plan;
    expect(of(enabled)).toEqual(of({ enabled }));
    expect(of(enabled)).not.toEqual(of(!enabled));
  });

  it.each(KEYS)('has its keys and true or false in the schema: %s', (key) => {
    const { properties } = SCENARIO_SCHEMA as { properties: { switches: { properties: Record<string, object> } } };
    const schema = properties.switches.properties[key];
    expect(schema).toMatchObject({ type: ['object', 'boolean'], properties: { enabled: { type: 'boolean' } } });
    expect(schema).not.toHaveProperty('anyOf');
  });

  it('is rejected, with both forms named, if it is neither', () => {
    const of = (ecn: unknown) => () => validateScenario({ ...SPEC, switches: { ecn } });
    expect(of('off')).toThrow(
      /^switches\.ecn must be true, false or an object with the keys enabled, kminKB, .* \(got "off"\)\.$/,
    );
    expect(of({ kmin: 1 })).toThrow(/^switches\.ecn\.kmin is not a known key/);
    expect(of({ kminKB: -1 })).toThrow(/^switches\.ecn\.kminKB must be between/);
  });

  it('is rejected if it contradicts the network', () => {
    const of = (ecn: boolean) => validateScenario({ ...SPEC, network: 'lossy-2', switches: { ecn } });
    expect(() => of(true)).toThrow('switches.ecn.enabled contradicts the network lossy-2 (got true)');
    expect(() => of(false)).not.toThrow();
  });
});
