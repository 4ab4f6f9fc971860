/** The kernel against the plain model on random networks with flows of RCCC, whose receivers grant credit, and of other algorithms. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { READS_CREDIT } from '../../src/abi/algorithms.js';
import { factsOf } from '../../src/config/algorithms/registry.js';
import { creditNetworks } from '../support/agreement/credit-networks.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { SMALL } from '../support/agreement/standard-networks.js';
import { caseCount } from '../support/effort.js';

const RUNS = caseCount('ROCE_CREDIT_NETWORKS', { few: 200, all: 3000 });
const SEED = 20_261_129;
const SIZE = { ...SMALL, hosts: 6, flows: 6, flowBytes: 60_000 };

it(`Kernel and model agree on ${RUNS} random networks of RCCC`, () => {
  const seen = { credited: 0, mixed: 0, dropped: 0, timedOut: 0, trimmed: 0, failed: 0, unfinished: 0, paths: 0 };
  const property = fc.property(creditNetworks(SIZE), (spec) => {
    const plan = planOf(spec);
    fc.pre(plan !== undefined);
    const { totals, flows } = expectAgreement(plan);
    const withCredit = plan.parameterSets.map((parameters) => (factsOf(parameters).traits & READS_CREDIT) !== 0);
    const used = new Set([...plan.flows].map(({ parameterSet }) => withCredit[parameterSet]));
    seen.credited += Number((totals.creditsReceived ?? 0) > 0);
    seen.mixed += Number(used.size === 2);
    seen.dropped += Number((totals.creditsDropped ?? 0) > 0);
    seen.timedOut += Number(totals.timeouts > 0);
    seen.trimmed += Number((totals.trimmedPackets ?? 0) > 0);
    seen.failed += Number(flows.some(({ failed }) => failed));
    seen.unfinished += Number(flows.some(({ completionPs, failed }) => completionPs === null && !failed));
    seen.paths += Number(plan.balancing?.selection !== undefined);
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(RUNS / 60);
}, 60_000 + 300 * RUNS);
