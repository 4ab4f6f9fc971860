/**
 * Whole runs under the algorithms of examples/algorithms, each substituted for the built-in algorithm that it equals:
 * the scenarios of examples/scenarios, except those of UET, and the runs of the two reference simulators have the same
 * results.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BuiltInParameters } from '../../src/config/algorithms/registry.js';
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import { PRESET_SETS } from '../../src/sim/compile/parameter-sets.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { choiceOf, IS_LONG, someOf } from '../support/effort.js';
import { lossyGoldenPlan, lossyRuns } from '../support/golden-lossy.js';
import { goldenPlan, goldenRuns } from '../support/golden-plan.js';
import { exampleSubstitutes, type BuiltInName } from './support/example-algorithms.js';
import { NETWORK } from './support/presets.js';

const FOLDER = new URL('../../examples/scenarios/', import.meta.url);
/** Run only with the long tests. */
const LARGE = ['fat-tree-k16-10000-flows.json', 'fat-tree-k16-sprayed.json'];
const SCENARIOS = readdirSync(FOLDER).filter((file) =>
  file.endsWith('.json') && !file.endsWith('-uet.json') && (IS_LONG || !LARGE.includes(file))
);

/** Incasts for every preset: with packet loss, with Fast CNPs, and at fidelity reference. */
const INCAST: ScenarioSpec = {
  name: 'incast',
  topology: { kind: 'star', hosts: 7 },
  workload: { kind: 'incast', senders: 6, sizeBytes: 300_000 },
  record: { intervalUs: 10 },
};
const NETWORKS: readonly (readonly [name: string, spec: ScenarioSpec])[] = [
  ['lossy', { ...INCAST, switches: { pfc: false, bufferBytes: 200_000 } }],
  ['Fast CNPs', { ...INCAST, switches: { fastCnp: { enabled: true, option: 2 } } }],
  ['reference', { ...INCAST, fidelity: 'reference' }],
];
/** Presets with exact telemetry, which the reference simulator does not have. */
const NOT_IN_REFERENCE = ['hpcc-sigcomm19', 'hpcc-pp-draft', 'hpcc-pp-fast-cnp'];
const QUICK_SCENARIOS = 4;
const QUICK_RUNS = 8;

/** Every preset but that of RCCC, which no custom algorithm can reproduce. */
const RUNS_OF_PRESETS = Object.entries(PRESET_SETS).filter(([preset]) => preset !== 'rccc-uet').flatMap((
  [preset, sets],
) =>
  (sets.length === 0 ? [{ preset }] : sets.map((set) => ({ preset, set }))).flatMap((algorithm) =>
    NETWORKS.filter(([network]) => network !== 'reference' || !NOT_IN_REFERENCE.includes(preset)).map((
      [network, spec],
    ) => [Object.values(algorithm).join(', '), network, algorithm, spec] as const)
  )
);

const substitutes = await exampleSubstitutes();

/** The same plan with the algorithms of examples/algorithms as substitutes. */
function withSubstitutes(plan: NetworkPlan): NetworkPlan {
  const parameterSets = (plan.parameterSets as readonly BuiltInParameters[]).map((set) =>
    substitutes[set.algorithm as BuiltInName].substituteFor(set, NETWORK)
  );
  return { ...plan, parameterSets };
}

describe('the algorithms of examples/algorithms produce the same results as the built-in ones', () => {
  const scenarios = someOf(SCENARIOS, QUICK_SCENARIOS);
  it.each(scenarios)(`in the scenario %s (${choiceOf(scenarios, SCENARIOS)})`, (file) => {
    const spec = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as ScenarioSpec;
    expect(runScenarioSync(spec, { substitutes }).hash).toBe(runScenarioSync(spec).hash);
  }, 600_000);

  it.each(RUNS_OF_PRESETS)('under %s, %s', (_preset, _network, algorithm, spec) => {
    const algorithms = { a: algorithm };
    const wanted = runScenarioSync({ ...spec, algorithms });
    expect(runScenarioSync({ ...spec, algorithms }, { substitutes }).hash).toBe(wanted.hash);
    expect(wanted.flows.some(({ completionPs }) => completionPs !== null)).toBe(true);
  });

  const runs = goldenRuns();
  const chosen = someOf(runs, QUICK_RUNS);
  it.each(chosen)(`in the reference run %s %s (${choiceOf(chosen, runs)})`, (scenario, cc) => {
    const plan = goldenPlan(scenario, cc);
    expect(runPlan(withSubstitutes(plan))).toEqual(runPlan(plan));
  }, 120_000);

  const lossy = lossyRuns().map((run) => [run.scenario, run.variant, run] as const);
  const chosenLossy = someOf(lossy, QUICK_RUNS);
  it.each(chosenLossy)(`in the lossy reference run %s %s (${choiceOf(chosenLossy, lossy)})`, (_, _variant, run) => {
    const plan = lossyGoldenPlan(run);
    expect(runPlan(withSubstitutes(plan))).toEqual(runPlan(plan));
  }, 120_000);
});
