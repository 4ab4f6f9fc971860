/** Runs under the congestion points of examples/congestion-points have the same hash as under the built-in rule. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { compileScenario, runScenarioSync, validateScenario } from '../../src/sim/index.js';
import type { SimResult } from '../../src/sim/result.js';
import type { ScenarioSpec, SwitchSpec } from '../../src/sim/scenario/spec.js';
import { caseCount } from '../support/effort.js';
import { soakScenario } from '../support/soak-scenarios.js';
import { examplePoint, type ExamplePoint } from './support/example-congestion-points.js';
import { exampleScenario, incast } from './support/point-scenarios.js';

const FIRST_SEED = 3_000_000;
const RUNS = caseCount('ROCE_POINT_RUNS', { few: 6, all: 60 });
const RAMP = { kminKB: 20, kmaxKB: 80, pmax: 0.3 };
const STEP = { kminKB: 30, kmaxKB: 30 };
const REFERENCE = { fidelity: 'reference', algorithms: { a: { preset: 'dcqcn-ns3' } } } as const;

/** Marks, Fast CNPs and hash under the built-in rule and under a congestion point that replaces it. */
async function both(scenario: ScenarioSpec, point: ExamplePoint) {
  const counted = ({ hash, ports }: SimResult) => ({
    hash,
    marks: ports.reduce((sum, port) => sum + port.marks, 0),
    fastCnps: ports.reduce((sum, port) => sum + port.fastCnps, 0),
  });
  const builtIn = runScenarioSync(scenario);
  const custom = runScenarioSync(scenario, { substitutes: { 'congestion-point': await examplePoint(point) } });
  return { builtIn: counted(builtIn), custom: counted(custom) };
}

describe('A custom congestion point sets the same ECN marks as the built-in rule', () => {
  it.each<[string, SwitchSpec, ExamplePoint, Partial<ScenarioSpec>]>([
    ['a step at dequeue', { ecn: STEP }, 'step-ecn', {}],
    ['a step at enqueue', { ecn: { ...STEP, markAt: 'enqueue' } }, 'step-ecn', {}],
    ['a ramp at dequeue', { ecn: RAMP }, 'ramp-ecn', {}],
    ['a ramp at enqueue', { ecn: { ...RAMP, markAt: 'enqueue' } }, 'ramp-ecn', {}],
    ['a ramp at fidelity reference', { ecn: RAMP }, 'ramp-ecn', REFERENCE],
    ['a ramp at enqueue at fidelity reference', { ecn: { ...RAMP, markAt: 'enqueue' } }, 'ramp-ecn', REFERENCE],
  ])('for %s', async (_, switches, point, more) => {
    const { builtIn, custom } = await both(incast(switches, more), point);
    expect(custom).toEqual(builtIn);
    expect(builtIn.marks).toBeGreaterThan(0);
  });
});

describe('A custom congestion point sends the same Fast CNPs as the built-in rule', () => {
  it.each<[string, ScenarioSpec]>([
    ['at dequeue', incast({ ecn: RAMP, fastCnp: true })],
    ['at enqueue', incast({ ecn: { ...RAMP, markAt: 'enqueue' }, fastCnp: true })],
    [
      'with telemetry',
      incast({ ecn: RAMP, fastCnp: { option: 2 } }, { algorithms: { a: { preset: 'hpcc-pp-draft' } } }),
    ],
    [
      'with low rate limits',
      incast({
        ecn: RAMP,
        fastCnp: { enabled: true, flowRatePerSecond: 5000, flowBurst: 2, portRatePerSecond: 20_000, portBurst: 3 },
      }),
    ],
    [
      'with marks instead of Fast CNPs beyond the rate limits',
      incast({
        ecn: RAMP,
        fastCnp: { enabled: true, portRatePerSecond: 20_000, portBurst: 3, markWhenLimited: true },
      }),
    ],
    [
      'with senders that do not accept Fast CNPs',
      incast({ ecn: RAMP, fastCnp: true }, {
        overrides: [{ nodes: ['h1', 'h2'], host: { acceptFastCnp: false } }],
      }),
    ],
    ['with a switch that sends no Fast CNPs, in the tunnels of a WAN', exampleScenario('wan-fast-cnp-end-con')],
    ['with hosts that change paths', exampleScenario('two-elephants-detour')],
  ])('%s', async (_, scenario) => {
    const { builtIn, custom } = await both(scenario, 'fast-cnp');
    expect(custom).toEqual(builtIn);
    expect(builtIn.fastCnps + builtIn.marks).toBeGreaterThan(0);
  });
});

describe('examples/congestion-points/README.md', () => {
  it('states the numbers of Fast CNPs and pauses of its runs', async () => {
    const rows = readFileSync('examples/congestion-points/README.md', 'utf8').split('\n')
      .filter((line) => /\| (built-in|`fast-cnp-on-rise.js`) \|/.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
    const point = await examplePoint('fast-cnp-on-rise');
    let scenario = '';
    for (const [, name = '', rule, fastCnps, , , , pauses] of rows) {
      scenario = name || scenario;
      const substitutes = rule === 'built-in' ? {} : { 'congestion-point': point };
      const { totals } = runScenarioSync(exampleScenario(scenario), { substitutes });
      expect([totals.fastCnps, totals.pauses], `${scenario}, ${rule}`).toEqual([Number(fastCnps), Number(pauses)]);
    }
    expect(rows.length).toBe(4);
  });
});

/** Some random scenarios need more memory than their switches have. */
function isRunnable(scenario: ScenarioSpec): boolean {
  try {
    compileScenario(validateScenario(scenario));
    return true;
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-scenario') return false;
    throw error;
  }
}

describe('Random networks with random faults', () => {
  it(`have the same results under a custom congestion point (${RUNS} runs)`, async () => {
    let signals = 0;
    for (let seed = FIRST_SEED, runs = 0; runs < RUNS; seed++) {
      const { spec } = soakScenario(seed);
      if (!isRunnable(spec)) continue;
      const { builtIn, custom } = await both(spec, 'fast-cnp');
      expect(custom, `seed ${seed}`).toEqual(builtIn);
      signals += builtIn.marks + builtIn.fastCnps;
      runs++;
    }
    expect(signals).toBeGreaterThan(0);
  }, 120_000);
});
