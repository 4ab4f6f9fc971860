/**
 * The kernel against the plain model on random WANs: same completions, packets, marks, drops, tunnels, access lists and ARNs; and
 * the balance of packets and bytes in each.
 *
 * `ROCE_WANS` sets how many networks there are.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ModelResult } from '../../model/model.js';
import { planOf } from '../../support/agreement/model-balance.js';
import { expectAgreement } from '../../support/agreement/outcomes.js';
import { wanNetworks } from './wan-networks.js';
import { caseCount } from '../../support/effort.js';

const RUNS = caseCount('ROCE_WANS', { few: 80, all: 80 });
const SEED = 20_261_123;

function tally() {
  const seen = {
    tunnels: 0,
    wrapped: 0,
    denied: 0,
    ecnDropped: 0,
    arns: 0,
    refreshed: 0,
    expired: 0,
    resumed: 0,
    held: 0,
    cut: 0,
    full: 0,
  };
  const note = ({ totals, wan }: ModelResult): void => {
    if (wan === undefined) return;
    const any = <Item>(items: readonly Item[], test: (item: Item) => boolean): number => Number(items.some(test));
    seen.tunnels += any(wan.nodes, ({ encapsulated }) => encapsulated > 0);
    seen.wrapped += any(wan.nodes, ({ unwrapped }) => unwrapped > 0);
    seen.denied += Number((totals.drops.accessList ?? 0) > 0);
    seen.ecnDropped += Number((totals.drops.tunnelEcn ?? 0) > 0);
    seen.arns += Number((totals.arns ?? 0) > 0);
    seen.refreshed += any(wan.ports, ({ arnsRefreshed }) => arnsRefreshed > 0);
    seen.expired += any(wan.ports, ({ arnsExpired }) => arnsExpired > 0);
    seen.resumed += any(wan.ports, ({ arnResumes }) => arnResumes > 0);
    seen.held += any(wan.heldPs, (heldPs) => heldPs > 0);
    seen.cut += Number(totals.drops.linkDown > 0);
    seen.full += Number(totals.drops.buffer > 0);
  };
  return { seen, note };
}

describe('The kernel and the plain model of a WAN', () => {
  test(`agree on ${RUNS} random networks, and account for every loss`, () => {
    const { seen, note } = tally();
    let run = 0;
    fc.assert(fc.property(wanNetworks, (spec) => {
      const plan = planOf(spec);
      if (plan === undefined) return;
      run += 1;
      note(expectAgreement(plan));
    }), { numRuns: RUNS, seed: SEED });
    expect(run).toBeGreaterThan(0.5 * RUNS);
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([]);
  }, 60_000 + 500 * RUNS);
});
