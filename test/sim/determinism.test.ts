import { describe, expect, it } from 'vitest';
import type { RoceError } from '../../src/errors.js';
import type { SimResult } from '../../src/sim/result.js';
import { runScenario, runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { exampleIncasts, MRC_SCENARIO, RANDOM_SCENARIO } from '../support/determinism-scenarios.js';

const SLOW_MS = 60_000;
const CASES = [...exampleIncasts(), RANDOM_SCENARIO, MRC_SCENARIO].map((spec) => ({ name: spec.name, spec }));

const completions = ({ flows }: SimResult) => flows.map(({ completionPs }) => completionPs);
/** Everything except the data on the run itself. */
const outcome = (result: SimResult) => ({ ...result, hash: '', seed: 0, scenario: null });

describe('A scenario and a seed determine one result', { timeout: SLOW_MS }, () => {
  it.each(CASES)('$name: in each run, with slices of any length', ({ spec }) => {
    const once = runScenarioSync(spec);
    for (const eventsPerSlice of [1000, 1_000_000]) {
      const again = runScenarioSync(spec, { eventsPerSlice });
      expect(again).toEqual(once);
      expect(again.hash).toBe(once.hash);
    }
  });

  it('the MRC scenario has marks, trimmed packets, losses and probes', () => {
    const { totals } = runScenarioSync(MRC_SCENARIO);
    const { marks, trimmedPackets, timeouts, probesAcknowledged, probesLost, drops: { loss, linkDown } } = totals;
    for (const count of [marks, trimmedPackets, timeouts, probesAcknowledged, probesLost, loss, linkDown])
      expect(count).toBeGreaterThan(0);
  });

  it('in slices of a single event, and with awaits in between', async () => {
    const spec: ScenarioSpec = {
      ...RANDOM_SCENARIO,
      workload: { kind: 'permutation', sizeBytes: 20_000, algorithm: 'dcqcn' },
    };
    const { hash, events } = runScenarioSync(spec);
    expect(runScenarioSync(spec, { eventsPerSlice: 1 }).hash).toBe(hash);
    const run = runScenario(spec, { eventsPerSlice: Math.ceil(events / 5) });
    let slices = 0;
    for await (const progress of run) {
      expect(progress.events).toBeGreaterThan(0);
      slices++;
    }
    expect((await run.result).hash).toBe(hash);
    expect(slices).toBeGreaterThan(3);
  });

  it('with or without captures', () => {
    const spec: ScenarioSpec = { ...RANDOM_SCENARIO, record: { capture: ['leaf0:spine0', 'leaf2:h8'] } };
    let packets = 0;
    const captured = runScenarioSync(spec, {
      onPackets: (records) => {
        packets += records.length;
      },
    });
    expect(captured.hash).toBe(runScenarioSync(spec).hash);
    const sent = captured.ports.filter(({ name }) => spec.record!.capture!.includes(name)).map(({ txPackets }) =>
      txPackets
    );
    expect(packets).toBe(sent[0]! + sent[1]!);
  });

  it('with its keys in any order', () => {
    const { name, topology, ...rest } = RANDOM_SCENARIO;
    expect(runScenarioSync({ ...rest, topology, name }).hash).toBe(runScenarioSync(RANDOM_SCENARIO).hash);
  });
});

describe('A different seed', { timeout: SLOW_MS }, () => {
  it.each(CASES)('$name: changes the hash', ({ spec }) => {
    expect(runScenarioSync({ ...spec, seed: 77 }).hash).not.toBe(runScenarioSync(spec).hash);
  });

  it('changes the outcome if marks, losses or arrivals are random', () => {
    for (const spec of [exampleIncasts()[0]!, RANDOM_SCENARIO, MRC_SCENARIO]) {
      const [one, other] = [runScenarioSync(spec), runScenarioSync({ ...spec, seed: 77 })];
      expect(completions(other)).not.toEqual(completions(one));
    }
  });

  it('keeps the outcome if nothing is random', () => {
    const spec: ScenarioSpec = {
      name: 'two senders, marks by a step',
      topology: { kind: 'star', hosts: 3 },
      workload: { kind: 'incast', senders: 2, sizeBytes: 200_000 },
      switches: { ecn: { kminKB: 20, kmaxKB: 20 } },
    };
    const [one, other] = [runScenarioSync(spec), runScenarioSync({ ...spec, seed: 77 })];
    expect(one.totals.marks).toBeGreaterThan(0);
    expect(outcome(other)).toEqual(outcome(one));
  });
});

describe('The number of events per slice', () => {
  it.each([0, -1, 0.5, NaN, Infinity, 2 ** 32, '1000'])('is rejected if it is %s, as the run would never end',
    (eventsPerSlice) => {
      const rejected = { code: 'invalid-argument', got: eventsPerSlice, where: 'eventsPerSlice' };
      expect(() => runScenarioSync(RANDOM_SCENARIO, { eventsPerSlice: eventsPerSlice as number })).toThrow(
        expect.objectContaining(rejected) as RoceError,
      );
    });
});
