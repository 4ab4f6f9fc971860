/**
 * The kernel against the plain model for the tolerant transport, in cases that are rare in the random networks of
 * agreement/: paths whose delays differ by far, flows longer than a map, and windows that count what is acknowledged
 * out of order (Swift), with losses.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { caseCount } from '../support/effort.js';
import { unequalPaths } from '../support/unequal-paths.js';
import type { FaultSpec, ScenarioSpec } from '../../src/sim/scenario/spec.js';

const RUNS = caseCount('ROCE_TOLERANT_NETWORKS', { few: 40, all: 1000 });
const SEED = 20_261_127;

const faults = fc.array(fc.record({
  kind: fc.constant('loss' as const),
  between: fc.constantFrom(['left', 'm0'] as const, ['m1', 'right'] as const, ['a0', 'left'] as const),
  share: fc.constantFrom(0.002, 0.02, 0.1),
  of: fc.constantFrom('data', 'acks', 'all'),
}), { maxLength: 1 });

const networks = fc.record({
  spec: unequalPaths({ maxBytes: 300_000 }),
  isSwift: fc.boolean(),
  loadBalancing: fc.constantFrom('random', 'round-robin', 'drill', 'least-queue'),
  tolerant: fc.record({
    distancePackets: fc.constantFrom(0, 5, 40, 64, 100),
    lossTimeUs: fc.constantFrom(0, 3, 40),
  }),
  reorderingWindowPackets: fc.constantFrom(3, 30, 65, 127, 128, 1024),
  retransmitTimeoutUs: fc.constantFrom(100, 700),
  faults,
}).map(({ spec, isSwift, loadBalancing, tolerant, faults: drawn, ...limits }): ScenarioSpec => ({
  ...spec,
  durationUs: 5000,
  ...(isSwift ?
    { algorithms: { only: { preset: 'swift-sigcomm20', parameters: { baseTargetPs: 1_000_000_000 } } } } :
    {}),
  switches: { ...spec.switches, loadBalancing },
  hosts: { ...spec.hosts, reordering: 'tolerant', tolerant, ...limits },
  faults: drawn as FaultSpec[],
}));

it(`Kernel and model agree on ${RUNS} random networks of tolerant flows over unequal paths`, () => {
  const seen = { retransmitted: 0, fast: 0, timedOut: 0, spurious: 0, farAhead: 0, sacked: 0 };
  const property = fc.property(networks, (spec) => {
    const plan = planOf(spec);
    fc.pre(plan !== undefined);
    const { totals, flows } = expectAgreement(plan);
    seen.retransmitted += Number(totals.retransmittedPackets > 0);
    seen.fast += Number(totals.retransmittedPackets > 0 && totals.timeouts === 0);
    seen.timedOut += Number(totals.timeouts > 0);
    seen.spurious += Number(flows.some(({ duplicates }) => duplicates > 0));
    seen.farAhead += Number(flows.some(({ depth }) => depth > 64));
    seen.sacked += Number(flows.some(({ sacked }) => sacked > 0));
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(RUNS / 40);
}, 60_000 + 300 * RUNS);
