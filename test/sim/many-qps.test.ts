/**
 * Hosts with many QPs: the kernel keeps a tree over those that may be able to send (assembly/simulator/ready-qps.ts), the plain
 * model looks at all of them. Same completions, packets, marks, pauses and drops.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { caseCount } from '../support/effort.js';

const RUNS = caseCount('ROCE_MANY_QPS', { few: 60, all: 60 });
const SEED = 20_261_124;
/** Below this number of QPs there is no tree. */
const MANY = 16;
/** By then many of the first ones are done, so lists become short, and long again. */
const LATER_US = 150;
const HOSTS = 4;

const flows = fc.array(fc.record({
  from: fc.constantFrom(0, 0, 0, 1),
  step: fc.integer({ min: 1, max: HOSTS - 1 }),
  sizeBytes: fc.oneof(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 8000, max: 30_000 })),
  startUs: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: LATER_US, max: LATER_US + 12 })),
  trafficClass: fc.constantFrom(3, 3, 4),
}), { minLength: 20, maxLength: 90 });

const networks = fc.record({
  flows,
  preset: fc.constantFrom('dcqcn-sigcomm15', 'dcqcn-mlnx-settings', 'hpcc-sigcomm19', 'dctcp-ns3', 'timely-ns3',
    'none'),
  transport: fc.constantFrom('go-back-n' as const, 'selective-repeat' as const, 'irn' as const, 'tolerant' as const),
  fastCnp: fc.boolean(),
  pausing: fc.boolean(),
  loss: fc.constantFrom(0, 0, 0.01),
  seed: fc.integer({ min: 0, max: 1000 }),
});

type Drawn = typeof networks extends fc.Arbitrary<infer Value> ? Value : never;

function specOf(drawn: Drawn): ScenarioSpec {
  const { preset, transport, fastCnp, pausing, loss, seed } = drawn;
  return {
    name: 'many',
    seed,
    topology: { kind: 'star', hosts: HOSTS, rateGbps: 25 },
    workload: {
      kind: 'flows',
      flows: drawn.flows.map(({ from, step, ...rest }) => ({
        from: `h${from}`,
        to: `h${(from + step) % HOSTS}`,
        ...rest,
      })),
    },
    algorithms: { one: { preset } },
    hosts: { transport },
    switches: {
      fastCnp: { enabled: fastCnp },
      ecn: { kminKB: 5, kmaxKB: 20, pmax: 0.5, scaleWithRate: false },
      ...(pausing ? { headroomBytes: 20_000, bufferBytes: 230_000 } : {}),
    },
    durationUs: 4000,
    faults: loss === 0 ? [] : [{ kind: 'loss', between: ['h0', 's0'], share: loss }],
  } as unknown as ScenarioSpec;
}

/** Flows of the first host that start in an interval. */
function countFrom({ flows: drawn }: Drawn, fromUs: number, toUs: number): number {
  return drawn.filter(({ from, startUs }) => from === 0 && startUs >= fromUs && startUs < toUs).length;
}

describe('Hosts with many QPs', () => {
  test(`give the same result in the kernel and the plain model, in ${RUNS} random networks`, () => {
    const seen = { many: 0, paused: 0, marked: 0, lost: 0, resent: 0, again: 0, fewer: 0 };
    fc.assert(fc.property(networks, (drawn) => {
      const plan = planOf(specOf(drawn));
      fc.pre(plan !== undefined);
      const run = expectAgreement(plan);
      seen.many += Number(drawn.flows.filter(({ from }) => from === 0).length >= MANY);
      const early = countFrom(drawn, 0, LATER_US);
      const late = countFrom(drawn, LATER_US, Infinity);
      seen.again += Number(early >= MANY && late >= MANY);
      seen.fewer += Number(early >= MANY && late > 0 && late < MANY);
      seen.paused += Number(run.ports.some(({ pausedPs }) => pausedPs > 0));
      seen.marked += Number(run.ports.some(({ marks }) => marks > 0));
      seen.lost += Number(run.ports.some(({ drops }) => drops > 0));
      seen.resent += Number(run.flows.some(({ retransmitted }) => retransmitted > 0));
    }), { numRuns: RUNS, seed: SEED });
    expect(seen.many).toBeGreaterThan(RUNS / 2);
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  }, 60_000 + 500 * RUNS);
});
