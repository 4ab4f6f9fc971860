/**
 * docs/guides/scenarios.md states which settings of scenarios and of the engine correspond, and how they convert: all
 * pairs are listed, and the conversions are those of the compiled plan.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { congestionPointDefaults } from '../../src/config/congestion-point.js';
import { DEFAULT_FAST_CNP } from '../../src/config/fast-cnp.js';
import { DEFAULT_NOTIFICATION_POINT } from '../../src/config/notification-point.js';
import * as library from '../../src/index.js';
import { PRESET_SETS } from '../../src/sim/compile/parameter-sets.js';
import { compileScenario, validateScenario, type NetworkPlan } from '../../src/sim/index.js';
import { withChanges } from '../../src/sweep/value-path.js';
import { pageTable } from './support/page-blocks.js';

const PAGE = readFileSync(new URL('../../docs/guides/scenarios.md', import.meta.url), 'utf8');
const ROWS = pageTable(PAGE, 'scenario').map(({ scenario = '', engine = '', conversion = '' }) => ({
  scenario: scenario.replaceAll('`', ''),
  engine: engine.replaceAll('`', ''),
  conversion,
}));
const factorOf = (conversion: string): number => Number(/^× ([\d,]+)/.exec(conversion)?.[1]?.replaceAll(',', ''));
const MEASURED = ROWS.filter(({ conversion }) => conversion.startsWith('×'));

/** Settings of the engine that a scenario does not have, or not as one value. */
const WITHOUT = [
  'markWhenUnknown of a congestion point', // a scenario sets for its hosts whether they accept Fast CNPs
  'seed of a congestion point', // each switch has a separate seed, derived from that of the scenario
  'notificationPoint.scope',
  'notificationPoint.window',
  'notificationPoint.cnp',
  'fastCnp.accessList', // a scenario lists switches (wan.accessLists)
  'fastCnp.defaultAction',
  'fastCnp.duplicateWindowPs',
  'fastCnp.optionType1',
  'fastCnp.optionType2',
];

/** A value other than the default, and where the plan has the converted value. */
const SAMPLES: Readonly<Record<string, readonly [number, (plan: NetworkPlan) => number | undefined]>> = {
  'switches.ecn.kminKB': [70, (plan) => plan.ports.find(({ ecn }) => ecn)?.kminBytes],
  'switches.ecn.kmaxKB': [700, (plan) => plan.ports.find(({ ecn }) => ecn)?.kmaxBytes],
  'switches.ecn.pmax': [0.3, (plan) => plan.ports.find(({ ecn }) => ecn)?.pmax],
  'switches.fastCnp.flowRatePerSecond': [7, ({ fastCnp }) => fastCnp.flowRatePerSecond],
  'switches.fastCnp.flowBurst': [7, ({ fastCnp }) => fastCnp.flowBurst],
  'switches.fastCnp.portRatePerSecond': [7, ({ fastCnp }) => fastCnp.portRatePerSecond],
  'switches.fastCnp.portBurst': [7, ({ fastCnp }) => fastCnp.portBurst],
  'hosts.cnpIntervalUs': [7, ({ rules }) => rules.cnpIntervalPs],
  'topology.rateGbps': [40, ({ ports }) => ports[0]?.rateBps],
};
const SPEC = {
  name: 'two senders',
  topology: { kind: 'star', hosts: 3 },
  workload: { kind: 'incast', senders: 2, sizeBytes: 20_000 },
  switches: { ecn: { scaleWithRate: false }, fastCnp: true },
};

describe('the table of settings that scenarios and the engine share', () => {
  it('has each setting of the engine except those known to have no counterpart', () => {
    const engine = [
      ...Object.keys(congestionPointDefaults).map((key) => `${key} of a congestion point`),
      ...Object.keys(DEFAULT_NOTIFICATION_POINT).map((key) => `notificationPoint.${key}`),
      ...Object.keys(DEFAULT_FAST_CNP).map((key) => `fastCnp.${key}`),
    ];
    const named = [...ROWS.map((row) => row.engine), ...WITHOUT];
    expect(engine.filter((key) => !named.includes(key))).toEqual([]);
    expect(WITHOUT.filter((key) => !engine.includes(key))).toEqual([]);
  });

  it('has a sample of each number', () => {
    expect(MEASURED.map(({ scenario }) => scenario).sort()).toEqual(Object.keys(SAMPLES).sort());
  });

  it.each(MEASURED)('converts $scenario as the plan does', ({ scenario, conversion }) => {
    const [value, read] = SAMPLES[scenario]!;
    const changed = withChanges(scenario.startsWith('switches.fastCnp') ? { ...SPEC, switches: {} } : SPEC, [
      { path: scenario.split('.'), value, from: scenario },
    ]);
    expect(read(compileScenario(validateScenario(changed)).plan)).toBe(value * factorOf(conversion));
  });

  it('names presets that are functions of the library, except those of the simulator only', () => {
    const functionOf = (preset: string) => preset.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const missing = Object.keys(PRESET_SETS).filter((preset) => !(functionOf(preset) in library));
    expect(missing).toEqual(['hpcc-pp-fast-cnp', 'none']);
  });
});
