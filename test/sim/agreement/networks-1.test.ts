/**
 * The kernel against the plain model, on random networks of fidelity `standard`: same completions, same packets, marks,
 * notifications, pauses, drops and queues at every port. They share the models of congestion control alone.
 *
 * `ROCE_NETWORKS` sets how many networks there are here; networks-2.test.ts has as many others, so that both run at once.
 */
import { describe, expect, it } from 'vitest';
import { compareNetworks } from '../../support/agreement/compare-networks.js';
import { caseCount } from '../../support/effort.js';

const RUNS = caseCount('ROCE_NETWORKS', { few: 500, all: 5000 });
const SEED = 3;
const TEST_TIMEOUT_MS = 60_000 + 200 * RUNS;

describe('The kernel and the plain model under fidelity standard', () => {
  it(`agree on ${RUNS} random networks with losses, faults, Fast CNPs, pools and settings of single nodes`, () => {
    const tally = compareNetworks(RUNS, SEED);
    // Each mechanism occurs in a share of the networks.
    expect(tally.rarerThan(RUNS / 1000)).toEqual([]);
  }, TEST_TIMEOUT_MS);
});
