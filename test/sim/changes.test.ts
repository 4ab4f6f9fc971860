/** Settings that change during a run. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPresetName, PRESET_ALGORITHMS } from '../../src/config/algorithms/registry.js';
import { RoceError } from '../../src/errors.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { nativePlan } from '../../src/sim/native-plan.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import { SteppedRun } from '../../src/sim/run/stepped-run.js';
import type { ChangeSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { SMALL, standardNetworks } from '../support/agreement/standard-networks.js';
import { caseCount } from '../support/effort.js';

const RUNS = caseCount('ROCE_CHANGES', { few: 150, all: 1500 });
const TEST_TIMEOUT_MS = 60_000 + 200 * RUNS;
const GBPS = 1e9;
const LINE_BPS = 100 * GBPS;

/** Four senders, one receiver, for 2 ms. */
const INCAST: ScenarioSpec = {
  name: 'incast',
  durationUs: 2000,
  topology: { kind: 'star', hosts: 5 },
  workload: { kind: 'incast', senders: 4, sizeBytes: 8_000_000 },
  record: { intervalUs: 10, ports: 'all', flows: 'all' },
};

const changed = (...changes: readonly ChangeSpec[]): ScenarioSpec => ({ ...INCAST, changes });
const run = runScenarioSync;
const set = (path: string, value: number, atUs = 100): ScenarioSpec => changed({ atUs, set: { [path]: value } });

function problemOf(spec: ScenarioSpec): string {
  try {
    validateScenario(spec);
  } catch (error) {
    if (error instanceof RoceError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

const changesOf = ({ algorithms = {} }: ScenarioSpec): fc.Arbitrary<readonly ChangeSpec[]> => {
  const dcqcn = Object.entries(algorithms).flatMap(([name, { preset = '' }]) =>
    isPresetName(preset) && PRESET_ALGORITHMS[preset] === 'dcqcn' && preset !== 'none' ? [name] : []
  );
  const parameter = dcqcn.length === 0 ?
    fc.constant({}) :
    fc.tuple(fc.constantFrom(...dcqcn),
      fc.oneof(fc.tuple(fc.constant('aiRateBps'), fc.constantFrom(0, 50e6, 5 * GBPS)),
        fc.tuple(fc.constant('haiRateBps'), fc.constantFrom(0, 200e6, 20 * GBPS)),
        fc.tuple(fc.constant('alphaGain'), fc.constantFrom(1 / 256, 1 / 16, 1 / 2)),
        fc.tuple(fc.constant('alphaPeriodPs'), fc.integer({ min: 1_000_001, max: 60_000_003 })),
        fc.tuple(fc.constant('increasePeriodPs'), fc.integer({ min: 5_000_001, max: 300_000_007 })),
        fc.tuple(fc.constant('minDecreaseFactor'), fc.constantFrom(0.5, 0.9)),
        fc.tuple(fc.constant('fastRecoverySteps'), fc.integer({ min: 1, max: 8 })),
        fc.tuple(fc.constant('byteCounterBytes'), fc.constantFrom(0, 20_000, 10_000_000)),
        fc.tuple(fc.constant('minRateBps'), fc.constantFrom(10e6, 1 * GBPS)))).map(([name, [key, value]]) => ({
          [`algorithms.${name}.parameters.${key}`]: value,
        }));
  const marking = fc.record({
    'switches.ecn.kminKB': fc.integer({ min: 1, max: 30 }),
    'switches.ecn.kmaxKB': fc.integer({ min: 30, max: 90 }),
    'switches.ecn.pmax': fc.constantFrom(0.01, 0.5, 1),
  });
  return fc.array(fc.record({ gapUs: fc.integer({ min: 1, max: 400 }), values: fc.oneof(parameter, marking) }), {
    minLength: 1,
    maxLength: 3,
  }).map((all) => {
    let atUs = 0.000_001;
    return all.map(({ gapUs, values }) => ({ atUs: atUs += gapUs, set: values }));
  });
};

const networks = standardNetworks(SMALL).chain((spec) => changesOf(spec).map((changes) => ({ ...spec, changes })));

describe('A change of settings', () => {
  it(`has the same effect in the kernel and the plain model, on ${RUNS} random networks`, () => {
    let applied = 0;
    fc.assert(fc.property(networks, (spec) => {
      const plan = planOf(spec);
      fc.pre(plan !== undefined);
      expectAgreement(plan);
      applied += Number(plan.changes?.some(({ parameterSets }) => parameterSets !== undefined));
    }), { seed: 43, numRuns: RUNS });
    expect(applied).toBeGreaterThan(RUNS / 20);
  }, TEST_TIMEOUT_MS);

  it('does not affect the run before it, bit for bit, and has an effect after it', () => {
    const before = run(INCAST);
    const changes = [{ 'switches.ecn.kminKB': 0, 'switches.ecn.kmaxKB': 0 }, {
      'algorithms.default.parameters.increasePeriodPs': 20e6,
    }];
    for (const values of changes) {
      const after = run(changed({ atUs: 100, set: values }));
      const at = before.series.timesPs.findIndex((timePs) => timePs > 100e6);
      expect(after.series.rateBps).not.toEqual(before.series.rateBps);
      for (const [flow, rates] of Object.entries(before.series.rateBps))
        expect(after.series.rateBps[Number(flow)]?.slice(0, at)).toEqual(rates.slice(0, at));
      for (const port of Object.keys(before.series.queueBytes))
        expect(after.series.queueBytes[port]?.slice(0, at)).toEqual(before.series.queueBytes[port]?.slice(0, at));
    }
  });

  it('to the present value changes nothing but the notes', () => {
    const { flows, ports, notes } = run(INCAST);
    const sameMarking = run(changed({ atUs: 300.5, set: { 'switches.ecn.pmax': 0.2 } }));
    const again = run({ ...INCAST, switches: { ecn: { pmax: 0.2 } } });
    expect(sameMarking.flows).toEqual(again.flows);
    const same = run(set('algorithms.default.parameters.fastRecoverySteps', 5));
    expect({ flows: same.flows, ports: same.ports }).toEqual({ flows, ports });
    expect(same.notes).toEqual([...notes, 'From 100 µs on: algorithms.default.parameters.fastRecoverySteps = 5.']);
  });

  it('at the first picosecond equals a run that begins with it', () => {
    const first = run(changed({ atUs: 0.000_001, set: { 'switches.ecn.kminKB': 20, 'switches.ecn.kmaxKB': 80 } }));
    const begun = run({ ...INCAST, switches: { ecn: { kminKB: 20, kmaxKB: 80 } } });
    expect(first.flows).toEqual(begun.flows);
    expect(first.series.queueBytes).toEqual(begun.series.queueBytes);
  });

  it('to Kmin = Kmax = 0 marks every packet from then on, and to thresholds above the queue none', () => {
    const none = run(changed({ atUs: 100, set: { 'switches.ecn.kminKB': 4e6, 'switches.ecn.kmaxKB': 4e6 } }));
    const untilThen = run({ ...INCAST, durationUs: 100 });
    const marks = ({ ports }: ReturnType<typeof run>): number => ports.reduce((sum, port) => sum + port.marks, 0);
    // A packet that was marked before is not marked again, and nothing is marked after.
    expect(marks(none)).toBe(marks(untilThen));
    const all = run(changed({ atUs: 100, set: { 'switches.ecn.kminKB': 0, 'switches.ecn.kmaxKB': 0 } }));
    expect(marks(all)).toBeGreaterThan(marks(untilThen));
  });

  it('of R_AI takes effect at the next additive step: R_T + R_AI, R_C = (R_C + R_T) / 2', () => {
    // One sender whose rate one CNP cuts; with 5 steps of fast recovery of 55 µs, additive steps begin at the sixth.
    const aiBps = 8 * GBPS;
    const spec: ScenarioSpec = {
      ...INCAST,
      durationUs: 1500,
      workload: { kind: 'incast', senders: 2, sizeBytes: 8_000_000 },
      algorithms: { default: { preset: 'dcqcn-sigcomm15', parameters: { byteCounterBytes: 0, haiRateBps: 0 } } },
      changes: [{ atUs: 600, set: { 'switches.ecn.kminKB': 4e6, 'switches.ecn.kmaxKB': 4e6 } }, {
        atUs: 900,
        set: { 'algorithms.default.parameters.aiRateBps': aiBps },
      }],
      record: { intervalUs: 1, ports: 'all', flows: 'all', maxSamples: 2000 },
    };
    const { series } = run(spec);
    const rates = series.rateBps[0] ?? [];
    // No mark after 600 µs: each step halves the distance to R_T, which grows by R_AI from 900 µs on.
    const steps = rates.flatMap((rateBps, i) =>
      (series.timesPs[i] ?? 0) > 900e6 && i > 0 && rateBps > (rates[i - 1] ?? 0) ?
        [{ rateBps, before: rates[i - 1] ?? 0 }] :
        []
    );
    const targets = steps.map(({ rateBps, before }) => 2 * rateBps - before);
    const rising = targets.slice(1).map((target, i) => target - (targets[i] ?? 0)).filter((by) => by > 1);
    expect(rising.length).toBeGreaterThan(2);
    for (const by of rising.slice(0, 2)) expect(by).toBeCloseTo(aiBps, -1);
    expect(Math.max(...rates)).toBeLessThanOrEqual(LINE_BPS);
  });

  it('does not depend on slices or samples', () => {
    const spec = changed({ atUs: 300, set: { 'algorithms.default.parameters.aiRateBps': GBPS } }, {
      atUs: 333.333_333,
      set: { 'switches.ecn.kmaxKB': 900 },
    });
    const { hash, ports } = run(spec);
    expect(run(spec, { eventsPerSlice: 7 }).hash).toBe(hash);
    expect(run({ ...spec, record: {} }).ports).toEqual(ports);
    const stepped = new SteppedRun(compileScenario(validateScenario(spec)));
    for (let timePs = 150e6; stepped.runTo(timePs); timePs += 150e6);
    expect(stepped.result().hash).toBe(hash);
  });

  it('is rejected by name if the setting is fixed at the start of a run', () => {
    const rate = 'algorithms.default.parameters.aiRateBps';
    expect(problemOf(set('switches.pfc', 1))).toMatch(
      /^invalid-scenario: changes\[0\]\.set\.switches\.pfc must be a setting that can change while a run goes: switches\.ecn\.kminKB, /,
    );
    expect(problemOf(set('algorithms.default.parameters.maxRateBps', 1))).toMatch(/must be a setting that can change/);
    expect(problemOf(set('switches.ecn.kminKB', 1000))).toBe(
      'invalid-scenario: changes[0].set.switches.ecn.kminKB: Kmin must not exceed Kmax (kminKB is 1,000 and kmaxKB 400).',
    );
    expect(problemOf(set(rate, -1))).toBe('none');
    expect(() => compileScenario(validateScenario(set(rate, -1)))).toThrow(
      'changes[0].set.algorithms.default.parameters.aiRateBps must be between 0 and',
    );
    expect(
      problemOf({ ...set('algorithms.x.parameters.aiRateBps', 1), algorithms: { x: { preset: 'hpcc-sigcomm19' } } }),
    )
      .toMatch(/the name of an algorithm whose parameters change/);
    expect(problemOf({ ...set('switches.ecn.pmax', 1), fidelity: 'reference' })).toMatch(
      /setting of fidelity standard/,
    );
    expect(problemOf(changed({ atUs: 5, set: {} }, { atUs: 5, set: {} }))).toMatch(
      /^invalid-scenario: changes\[1\]\.atUs/,
    );
    expect(problemOf({
      ...set('switches.ecn.kminKB', 1),
      switches: { ecn: { byRate: [{ rateGbps: 100, kminKB: 1, kmaxKB: 2, pmax: 1 }] } },
    })).toMatch(/switches\.ecn\.byRate sets the thresholds/);
    expect(() => nativePlan(set('switches.ecn.pmax', 1))).toThrow('scenario.changes');
  });
});
