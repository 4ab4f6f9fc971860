/** The kernel against the plain model on random networks with flows of RCCC, whose receivers grant credit, and of other algorithms. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { READS_CREDIT } from '../../src/abi/algorithms.js';
import { factsOf } from '../../src/config/algorithms/registry.js';
import { withCredit } from '../support/agreement/credit-networks.js';
import { hazardNetworks } from '../support/agreement/hazard-networks.js';
import { planOf } from '../support/agreement/model-balance.js';
import { mrcNetworks } from '../support/agreement/mrc-networks.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { planeNetworks } from '../support/agreement/plane-networks.js';
import { SMALL, standardNetworks } from '../support/agreement/standard-networks.js';
import { verbNetworks } from '../support/agreement/verb-networks.js';
import { caseCount } from '../support/effort.js';
import { wanNetworks } from './wan/wan-networks.js';

const RUNS = caseCount('ROCE_CREDIT_NETWORKS', { few: 200, all: 3000 });
const SEED = 20_261_129;
const SIZE = { ...SMALL, hosts: 6, flows: 6, flowBytes: 60_000 };

const networks = withCredit(fc.oneof({ weight: 4, arbitrary: mrcNetworks(SIZE) }, {
  weight: 4,
  arbitrary: standardNetworks(SIZE),
}, { weight: 1, arbitrary: hazardNetworks(SIZE) }, { weight: 1, arbitrary: verbNetworks(SIZE) }, {
  weight: 1,
  arbitrary: planeNetworks,
}, { weight: 1, arbitrary: wanNetworks }));

it(`Kernel and model agree on ${RUNS} random networks of RCCC`, () => {
  const seen = {
    credited: 0,
    mixed: 0,
    dropped: 0,
    timedOut: 0,
    trimmed: 0,
    failed: 0,
    unfinished: 0,
    paths: 0,
    hazards: 0,
    verbs: 0,
    planes: 0,
    tunnels: 0,
  };
  const property = fc.property(networks, (spec) => {
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
    seen.hazards += Number(plan.hazards !== undefined);
    seen.verbs += Number(plan.verbs !== undefined);
    seen.planes += Number(plan.nodes.some(({ isAdapter }) => isAdapter));
    seen.tunnels += Number(plan.wan !== undefined);
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(RUNS / 100);
}, 60_000 + 300 * RUNS);
