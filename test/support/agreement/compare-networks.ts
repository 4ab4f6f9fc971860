/** Random networks of fidelity `standard`, each in the kernel and in the plain model, until N have agreed. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ModelResult } from '../../model/model.js';
import { FlowPlans } from '../../../src/sim/flow-plans.js';
import type { NetworkPlan } from '../../../src/sim/plan.js';
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';
import { hazardNetworks } from './hazard-networks.js';
import { planOf } from './model-balance.js';
import { expectAgreement } from './outcomes.js';
import { BIG, SMALL, standardNetworks } from './standard-networks.js';
import { Tally } from './tally.js';
import { verbNetworks } from './verb-networks.js';

/** Mostly small ones, which take a tenth of the time and find most differences. */
const networks: fc.Arbitrary<ScenarioSpec> = fc.oneof({ weight: 52, arbitrary: standardNetworks(SMALL) }, {
  weight: 30,
  arbitrary: hazardNetworks(SMALL),
}, { weight: 14, arbitrary: verbNetworks(SMALL) }, { weight: 3, arbitrary: standardNetworks(BIG) }, {
  weight: 1,
  arbitrary: verbNetworks(BIG),
});

/** Half of a small network's time is checking and compiling it, so each is run twice. */
const RUNS_PER_NETWORK = 2;
const LATER_PS = 1_237_000;

/** The same network with another seed, and its flows at other times. */
function variant(plan: NetworkPlan): NetworkPlan {
  const later = [...plan.flows].map((flow, index) => ({ ...flow, startPs: flow.startPs + LATER_PS * (index % 7) }));
  return { ...plan, seed: plan.seed + 1, flows: FlowPlans.of(later) };
}

/** When flows that wait for no other are done. */
function endsPs({ flows: { startPs, after } }: NetworkPlan, { flows }: ModelResult): number[] {
  return flows.flatMap(({ completionPs }, index) =>
    completionPs === null || after[index] >= 0 ? [] : [startPs[index] + completionPs]
  );
}

/** The same run up to the instant at which its first flow would be done: events at that instant are too late. */
function compareShorter(plan: NetworkPlan, run: ModelResult): void {
  const first = Math.min(...endsPs(plan, run));
  if (first === Infinity) return;
  const shorter = { ...plan, endPs: first };
  expect(endsPs(shorter, expectAgreement(shorter))).toEqual([]);
}

/** @throws the assertion that the smallest network which differs breaks. */
export function compareNetworks(count: number, seed: number): Tally {
  const tally = new Tally();
  fc.assert(fc.property(networks, (spec) => {
    const plan = planOf(spec);
    fc.pre(plan !== undefined);
    for (const one of [plan, variant(plan)]) {
      const run = expectAgreement(one);
      tally.note(spec, one, run);
      compareShorter(one, run);
    }
  }), { seed, numRuns: count / RUNS_PER_NETWORK });
  return tally;
}
