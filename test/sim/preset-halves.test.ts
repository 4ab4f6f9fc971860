/** Notes on presets whose receivers or switches have settings that differ from those of the preset's source. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileScenario, runScenarioSync, type ScenarioSpec, validateScenario } from '../../src/sim/index.js';
import { PRESET_HALVES } from '../../src/sim/scenario/network-presets.js';

const CONNECTX = JSON.parse(
  readFileSync(new URL('cases/connectx-100g-to-25g.json', import.meta.url), 'utf8'),
) as ScenarioSpec;

function notesWith(preset: string, more: Partial<ScenarioSpec> = {}): string[] {
  const spec: ScenarioSpec = {
    name: 'halves',
    topology: { kind: 'star', hosts: 3 },
    workload: { kind: 'incast', senders: 2, sizeBytes: 1000 },
    algorithms: { mine: { preset } },
    ...more,
  };
  return compileScenario(validateScenario(spec)).notes.filter((note) =>
    note.startsWith(`Algorithm mine: ${preset} has`)
  );
}

describe('The settings that belong to a preset', () => {
  it("include the adapter's CNP interval, which prevents pauses; a note reports receivers with the default", () => {
    const [without, own] = [CONNECTX, { ...CONNECTX, hosts: { cnpIntervalUs: 4 } }].map((spec) =>
      runScenarioSync(spec)
    );
    expect(without.totals.pauses).toBe(1252);
    expect(own.totals.pauses).toBe(0);
    expect(without.notes).toContain(
      'Algorithm default: dcqcn-connectx has the parameters of its adapters, where receivers have 4 µs between CNPs; here ' +
        'receivers have the default of 50 µs between CNPs (hosts.cnpIntervalUs).',
    );
    expect(own.notes.join()).not.toContain('dcqcn-connectx');
  });

  it.each(Object.keys(PRESET_HALVES))('%s: cause a note with defaults, and none with explicit settings', (preset) => {
    expect(notesWith(preset)).toHaveLength(1);
    expect(notesWith(preset, { hosts: { cnpIntervalUs: 50 }, switches: { ecn: { kminKB: 5, kmaxKB: 200 } } })).toEqual(
      [],
    );
    expect(notesWith(preset, { fidelity: 'reference' })).toEqual([]);
  });

  it('count as explicit if one host has an explicit interval', () => {
    expect(notesWith('dcqcn-connectx', { overrides: [{ nodes: ['h0'], host: { cnpIntervalUs: 8 } }] })).toEqual([]);
  });

  it.each(['hpcc-sigcomm19', 'timely-sigcomm15', 'dcqcn-irdma', 'none'])('do not exist for %s', (preset) => {
    expect(notesWith(preset)).toEqual([]);
  });

  it('appear in notes with the effective thresholds', () => {
    expect(notesWith('dctcp-ns3')[0]).toBe(
      'Algorithm mine: dctcp-ns3 has the parameters of its simulator, where switches mark from 30 to 30 kB with pmax 1 at 10 Gb/s; ' +
        'here they have the default (switches.ecn): 100 to 400 kB with pmax 0.2 at 100 Gb/s.',
    );
  });
});
