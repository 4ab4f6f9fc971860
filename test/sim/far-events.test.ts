/**
 * Events far in the future: the kernel keeps them in slots of 8 us up to 34 ms ahead (assembly/simulator/far-wheel.ts),
 * and in a heap beyond; the plain model has one heap. Long links and long timeouts, with losses: same completions,
 * packets and drops. The result does not depend on the slices of the run.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_US } from '../../src/units.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { caseCount } from '../support/effort.js';

const RUNS = caseCount('ROCE_FAR_EVENTS', { few: 20, all: 60 });
const SEED = 20_261_124;
const HOSTS = 4;
const DURATION_US = 400_000;
const BUDGET = 2 ** 30;
/** The reach of the slots, and beyond. */
const FAR_US = 34_000;

const delayNs = fc.constantFrom(1000, 8000, 17_000, 300_000, 5_000_000, 34_350_000, 34_366_000, 40_000_000);

const networks = fc.record({
  delays: fc.array(delayNs, { minLength: HOSTS, maxLength: HOSTS }),
  flows: fc.array(fc.record({
    from: fc.integer({ min: 0, max: HOSTS - 1 }),
    step: fc.integer({ min: 1, max: HOSTS - 1 }),
    sizeBytes: fc.integer({ min: 1, max: 20_000 }),
    startUs: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 90_000 })),
  }), { minLength: 1, maxLength: 12 }),
  preset: fc.constantFrom('dcqcn-sigcomm15', 'hpcc-sigcomm19'),
  // A gap at 100 Mb/s is beyond the first wheel, and an ACK moves its end.
  rateGbps: fc.constantFrom(1, 0.1),
  retransmitTimeoutUs: fc.constantFrom(500, 9000, 33_000, 50_000, 120_000),
  loss: fc.constantFrom(0, 0.02, 0.1),
  seed: fc.integer({ min: 0, max: 1000 }),
  slicesUs: fc.array(fc.double({ min: 0.1, max: 20_000, noNaN: true }), { minLength: 1, maxLength: 40 }),
});

type Drawn = typeof networks extends fc.Arbitrary<infer Value> ? Value : never;

function specOf({ delays, flows, preset, rateGbps, retransmitTimeoutUs, loss, seed }: Drawn): ScenarioSpec {
  return {
    name: 'far',
    seed,
    topology: {
      kind: 'edges',
      nodes: [
        ...delays.map((_, host) => ({ name: `h${host}`, kind: 'host' as const })),
        { name: 's0', kind: 'switch' as const },
      ],
      links: delays.map((delay, host) => ({ from: `h${host}`, to: 's0', rateGbps, delayNs: delay })),
    },
    workload: {
      kind: 'flows',
      flows: flows.map(({ from, step, ...rest }) => ({ from: `h${from}`, to: `h${(from + step) % HOSTS}`, ...rest })),
    },
    algorithms: { one: { preset } },
    hosts: { retransmitTimeoutUs },
    durationUs: DURATION_US,
    faults: loss === 0 ? [] : [{ kind: 'loss', between: ['h0', 's0'], share: loss }],
  };
}

/** The outcome of a run in slices that end at the given instants. */
function outcome(plan: NetworkPlan, untilPs: readonly number[]) {
  const kernel = new SimKernel(plan);
  for (const instantPs of [...untilPs, plan.endPs]) if (kernel.run(instantPs, BUDGET) !== 'reached') break;
  return {
    flows: Array.from({ length: plan.flows.length }, (_, index) => kernel.flow(index)),
    totals: kernel.totals(),
    events: kernel.events,
  };
}

function instantsOf(slicesUs: readonly number[], endPs: number): number[] {
  let atPs = 0;
  return slicesUs.map((us) => (atPs += Math.round(us * PS_PER_US))).filter((instantPs) => instantPs < endPs);
}

describe('Events far in the future', () => {
  test(`occur in the kernel as in the plain model, in ${RUNS} random networks, with slices of any length`, () => {
    const seen = { far: 0, beyond: 0, timedOut: 0, lost: 0, done: 0 };
    fc.assert(fc.property(networks, (drawn) => {
      const plan = planOf(specOf(drawn));
      if (plan === undefined) throw new Error('The scenario was rejected.');
      const run = expectAgreement(plan);
      expect(outcome(plan, instantsOf(drawn.slicesUs, plan.endPs))).toEqual(outcome(plan, []));
      const longestUs = Math.max(...drawn.delays) / 1000;
      seen.far += Number(longestUs > 17 && longestUs < FAR_US);
      seen.beyond += Number(longestUs > FAR_US || drawn.retransmitTimeoutUs > FAR_US);
      seen.timedOut += Number(run.flows.some(({ timeouts }) => timeouts > 0));
      seen.lost += Number(run.ports.some(({ drops }) => drops > 0));
      seen.done += Number(run.flows.every(({ completionPs }) => completionPs !== null));
    }), { numRuns: RUNS, seed: SEED });
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  }, 60_000 + 500 * RUNS);
});
