/** Conservation in networks of MRC, of one plane and of several: sent = received + dropped + trimmed + in flight. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { mrcNetworks, shutWindowNetworks } from '../support/agreement/mrc-networks.js';
import { planOf } from '../support/agreement/model-balance.js';
import { planeNetworks } from '../support/agreement/plane-networks.js';
import { SMALL } from '../support/agreement/standard-networks.js';
import { expectPlaneBalance, runBalanced } from '../support/conservation.js';
import { caseCount } from '../support/effort.js';

const RUNS = caseCount('ROCE_MRC_BALANCES', { few: 150, all: 2000 });
const SEED = 20_261_128;
const SIZE = { ...SMALL, hosts: 6, flows: 6, flowBytes: 60_000 };

/** Some of them end by their time, with packets in flight. */
const cut = (networks: fc.Arbitrary<ScenarioSpec>): fc.Arbitrary<ScenarioSpec> =>
  fc.record({ spec: networks, durationUs: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined, freq: 2 }) })
    .map(({ spec, durationUs }) => durationUs === undefined ? spec : { ...spec, durationUs });

it.each([
  { name: 'MRC', networks: mrcNetworks(SIZE) },
  { name: 'MRC with shut windows', networks: shutWindowNetworks },
])(`Packets and bytes are accounted for in ${RUNS} random networks of $name`, ({ networks }) => {
  const seen = { inFlight: 0, trimmed: 0, trimmedInFlight: 0, dropped: 0, trimmedDropped: 0, empty: 0 };
  fc.assert(fc.property(cut(networks), (spec) => {
    fc.pre(planOf(spec) !== undefined);
    const { totals: { packetsInFlight, packetsDropped, trimmedPackets = 0, trimmedDropped = 0 } } = runBalanced(spec);
    seen.inFlight += Number(packetsInFlight > 0);
    seen.trimmed += Number(trimmedPackets > 0);
    seen.trimmedInFlight += Number(trimmedPackets > 0 && packetsInFlight > 0);
    seen.dropped += Number(packetsDropped > 0);
    seen.trimmedDropped += Number(trimmedDropped > 0);
    seen.empty += Number(packetsInFlight === 0);
  }), { seed: SEED, numRuns: RUNS });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
}, 60_000 + 300 * RUNS);

it(`Packets and bytes, in total and per plane, are accounted for in ${RUNS} random networks of planes`, () => {
  const seen = { inFlight: 0, trimmed: 0, cut: 0, dropped: 0, exact: 0, trimmedWithin: 0 };
  fc.assert(fc.property(cut(planeNetworks), (spec) => {
    const result = runBalanced(spec);
    const { packetsInFlight, packetsDropped, trimmedPackets = 0, drops: { linkDown } } = result.totals;
    seen.inFlight += Number(packetsInFlight > 0);
    seen.trimmed += Number(trimmedPackets > 0);
    seen.cut += Number(linkDown > 0);
    seen.dropped += Number(packetsDropped > linkDown);
    if (packetsInFlight > 0) return;
    expectPlaneBalance(result);
    seen.exact += Number(linkDown === 0);
    seen.trimmedWithin += Number(trimmedPackets > 0);
  }), { seed: SEED, numRuns: RUNS });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
}, 60_000 + 300 * RUNS);
