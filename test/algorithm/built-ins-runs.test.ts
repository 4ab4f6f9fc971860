/**
 * Whole runs under the algorithms of examples/algorithms, each as the substitute of the built-in one that it is equal to: every scenario of
 * examples/scenarios but one and that of uet-htsim, and every run of the two reference simulators, has the same result.
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
/** Among the long tests only. */
const LARGE = ['fat-tree-k16-10000-flows.json', 'fat-tree-k16-sprayed.json'];
const SCENARIOS = readdirSync(FOLDER).filter((file) =>
  file.endsWith('.json') && !file.endsWith('-uet.json') && (IS_LONG || !LARGE.includes(file))
);

/** Incasts for every preset: with marks and losses, with Fast CNPs, and under the reference's rules. */
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
/** Their exact telemetry is none that the reference has. */
const NOT_IN_REFERENCE = ['hpcc-sigcomm19', 'hpcc-pp-draft', 'hpcc-pp-fast-cnp'];
const QUICK_SCENARIOS = 4;
const QUICK_RUNS = 8;

/** All that a custom algorithm can equal. */
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

/** The same run under the examples. */
function withSubstitutes(plan: NetworkPlan): NetworkPlan {
  const parameterSets = (plan.parameterSets as readonly BuiltInParameters[]).map((set) =>
    substitutes[set.algorithm as BuiltInName].substituteFor(set, NETWORK)
  );
  return { ...plan, parameterSets };
}

describe('the algorithms of examples/algorithms give the results of the built-in ones', () => {
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
