/**
 * Whole runs under DCQCN and HPCC as modules, each substituted for the built-in algorithm: the scenarios of
 * examples/scenarios, and the runs of the two reference simulators under DCQCN or HPCC, have the same results.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { BuiltInParameters } from '../../src/config/algorithms/registry.js';
import type { CustomAlgorithm } from '../../src/config/algorithms/custom/custom-algorithm.js';
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { choiceOf, someOf } from '../support/effort.js';
import { describeNeeding } from '../support/foreign-tools.js';
import { lossyGoldenPlan, lossyRuns } from '../support/golden-lossy.js';
import { goldenPlan, goldenRuns } from '../support/golden-plan.js';
import { MISSING } from './support/build-module.js';
import { moduleSubstitutes } from './support/module-algorithms.js';

const FOLDER = new URL('../../examples/scenarios/', import.meta.url);
/** Runs of several minutes, whose features the other scenarios cover. */
const LONG_SCENARIOS = ['convergence-1024.json', 'fat-tree-k16-10000-flows.json', 'fat-tree-k16-sprayed.json'];
const QUICK_SCENARIOS = 4;
const QUICK_RUNS = 6;
const NETWORK = { lineRateBps: 100e9, baseRttPs: 8e6, windowBytes: 100_000, mtuBytes: 1000 };

const specOf = (file: string): ScenarioSpec => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as ScenarioSpec;
const SCENARIOS = readdirSync(FOLDER).filter((file) =>
  file.endsWith('.json') && !file.endsWith('-uet.json') && !LONG_SCENARIOS.includes(file)
);
/** Names of the reference runs under DCQCN or HPCC. */
const IS_OURS = /dcqcn|hpcc(?!Pint)/;
const RUNS = goldenRuns().filter(([, cc]) => IS_OURS.test(cc));
const LOSSY = lossyRuns().filter(({ variant }) => IS_OURS.test(variant)).map((run) =>
  [run.scenario, run.variant, run] as const
);

for (const language of ['assemblyscript', 'c'] as const) {
  describeNeeding(MISSING[language], `modules in ${language} have the results of the built-in algorithms`, () => {
    const substitutes = moduleSubstitutes(language);

    const scenarios = someOf(SCENARIOS, QUICK_SCENARIOS);
    it.each(scenarios)(`in the scenario %s (${choiceOf(scenarios, SCENARIOS)})`, async (file) => {
      const spec = specOf(file);
      expect(runScenarioSync(spec, { substitutes: await substitutes }).hash).toBe(runScenarioSync(spec).hash);
    }, 600_000);

    const runs = someOf(RUNS, QUICK_RUNS);
    it.each(runs)(`in the reference run %s %s (${choiceOf(runs, RUNS)})`, async (scenario, cc) => {
      const plan = goldenPlan(scenario, cc);
      expect(runPlan(withSubstitutes(plan, await substitutes))).toEqual(runPlan(plan));
    }, 120_000);

    const lossy = someOf(LOSSY, QUICK_RUNS);
    it.each(lossy)(`in the lossy reference run %s %s (${choiceOf(lossy, LOSSY)})`, async (_, _variant, run) => {
      const plan = lossyGoldenPlan(run);
      expect(runPlan(withSubstitutes(plan, await substitutes))).toEqual(runPlan(plan));
    }, 120_000);
  });
}

/** The same plan with the modules as substitutes. */
function withSubstitutes(plan: NetworkPlan, substitutes: Readonly<Record<string, CustomAlgorithm>>): NetworkPlan {
  const parameterSets = (plan.parameterSets as readonly BuiltInParameters[]).map((set) =>
    substitutes[set.algorithm]?.substituteFor(set, NETWORK) ?? set
  );
  return { ...plan, parameterSets };
}
