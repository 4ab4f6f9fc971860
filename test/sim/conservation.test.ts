/**
 * Conservation: whatever a random network does, each packet and byte is received, dropped for a reason, or in flight, and each
 * flow is done or accounted for. Fidelity `standard` from test/support/random-scenarios.ts, with and without faults; `reference`
 * too.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import type { SimResult } from '../../src/sim/result.js';
import { runBalanced } from '../support/conservation.js';
import { randomScenario } from '../support/random-scenarios.js';
import { referenceNetworks } from '../support/reference-networks.js';
import { caseCount } from '../support/effort.js';

const TEST_TIMEOUT_MS = 120_000;
const SEED = 20_261_121;
const NETWORKS = caseCount('ROCE_NETWORKS', { few: 60, all: 250 });
const CUT_NETWORKS = Math.ceil(NETWORKS * 0.4);

/** Nothing is retransmitted if nothing was lost, except after a timeout. */
function expectNoNeedlessWork({ totals }: SimResult): void {
  if (totals.packetsDropped === 0 && totals.timeouts === 0) {
    expect([totals.naks, totals.retransmittedPackets]).toEqual([0, 0]);
  }
}

describe('Packets, bytes and flows are accounted for', () => {
  it('under standard without faults: PFC prevents loss and all flows finish', () => {
    let paused = 0;
    fc.assert(fc.property(fc.nat(), (seed) => {
      const result = runBalanced(randomScenario(seed, { faults: false }));
      expect(result.totals.packetsDropped).toBe(0);
      expect(result.ended).toBe('all-flows-done');
      expectNoNeedlessWork(result);
      paused += Number(result.totals.pauses > 0);
    }), { seed: SEED, numRuns: NETWORKS });
    expect(paused).toBeGreaterThan(NETWORKS / 25);
  }, TEST_TIMEOUT_MS);

  it('under standard with links that fail, lose and corrupt packets: all flows finish by retransmissions', () => {
    const seen = { linkDown: 0, loss: 0, corrupt: 0, timeouts: 0 };
    fc.assert(fc.property(fc.nat(), (seed) => {
      const spec = randomScenario(seed, { faults: true });
      const { totals, ended } = runBalanced(spec);
      if (spec.switches?.pfc === true) expect(totals.drops.buffer).toBe(0);
      expect(ended).toBe('all-flows-done');
      seen.linkDown += totals.drops.linkDown;
      seen.loss += totals.drops.loss;
      seen.corrupt += totals.drops.corrupt;
      seen.timeouts += totals.timeouts;
    }), { seed: SEED, numRuns: NETWORKS });
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  }, TEST_TIMEOUT_MS);

  it('when the time of a run is over while packets are in flight', () => {
    let cut = 0;
    fc.assert(fc.property(fc.nat(), fc.integer({ min: 1, max: 60 }), (seed, durationUs) => {
      const { ended, totals } = runBalanced({ ...randomScenario(seed, { faults: true }), durationUs });
      cut += Number(ended === 'time' && totals.packetsInFlight > 0);
    }), { seed: SEED, numRuns: CUT_NETWORKS });
    expect(cut).toBeGreaterThan(CUT_NETWORKS / 10);
  }, TEST_TIMEOUT_MS);

  it('under reference, with pauses and with losses', () => {
    fc.assert(fc.property(referenceNetworks, (spec) => {
      try {
        expectNoNeedlessWork(runBalanced(spec));
      } catch (error) {
        fc.pre(!(error instanceof RoceError));
        throw error;
      }
    }), { seed: SEED, numRuns: NETWORKS });
  }, TEST_TIMEOUT_MS);
});
