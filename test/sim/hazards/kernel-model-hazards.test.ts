/**
 * The kernel against the plain model, on random networks with PFC's hazards: storms, slow receivers, bit errors, watchdogs,
 * deadlocks. Same packets, drops by reason, victims and cycles.
 *
 * `ROCE_HAZARDS` sets how many networks there are.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelResult } from '../../model/model.js';
import { hazardNetworks, hazardRings } from '../../support/agreement/hazard-networks.js';
import { planOf } from '../../support/agreement/model-balance.js';
import { expectAgreement } from '../../support/agreement/outcomes.js';
import { BIG } from '../../support/agreement/standard-networks.js';
import { caseCount } from '../../support/effort.js';

const RUNS = caseCount('ROCE_HAZARDS', { few: 40, all: 40 });
const SEED = 20_261_123;
const TEST_TIMEOUT_MS = 60_000 + 400 * RUNS;

const networks = fc.oneof({ arbitrary: hazardNetworks(BIG), weight: 1 }, { arbitrary: hazardRings, weight: 1 });

/** How many networks have seen something. */
function tally() {
  const seen = {
    bitErrors: 0,
    receiveBuffer: 0,
    watchdog: 0,
    restored: 0,
    deadlocks: 0,
    resolved: 0,
    ended: 0,
    victims: 0,
    victimsOfCycles: 0,
  };
  const note = ({ totals: { drops }, hazards, ended }: ModelResult): void => {
    seen.bitErrors += Number(drops.bitErrors !== undefined);
    seen.receiveBuffer += Number(drops.receiveBuffer !== undefined);
    seen.watchdog += Number(drops.watchdog !== undefined);
    seen.restored += Number(hazards?.ports.some(({ restored }) => restored > 0) === true);
    seen.deadlocks += Number((hazards?.deadlocks.length ?? 0) > 0);
    seen.resolved += Number(hazards?.deadlocks.some(({ resolvedPs }) => resolvedPs !== null) === true);
    seen.ended += Number(ended === 'deadlock');
    seen.victims += Number(hazards?.victims.some(({ heldPs }) => heldPs > 0) === true);
    seen.victimsOfCycles += Number(hazards?.victims.some(({ heldPs, root }) => heldPs > 0 && root < 0) === true);
  };
  return { seen, note };
}

describe('The kernel and the plain model with hazards', () => {
  it(`agree on ${RUNS} random networks with storms, slow receivers, bit errors, watchdogs and rings`, () => {
    const { seen, note } = tally();
    fc.assert(fc.property(networks, (spec) => {
      const plan = planOf(spec);
      fc.pre(plan !== undefined);
      note(expectAgreement(plan));
    }), { seed: SEED, numRuns: RUNS });
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
  }, TEST_TIMEOUT_MS);
});
