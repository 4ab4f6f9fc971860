/** The kernel against the plain model on random networks of MRC, with packet trimming and without. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { changingRanges, mrcNetworks, shutWindowNetworks } from '../support/agreement/mrc-networks.js';
import { planOf } from '../support/agreement/model-balance.js';
import { expectAgreement } from '../support/agreement/outcomes.js';
import { SMALL } from '../support/agreement/standard-networks.js';
import { caseCount } from '../support/effort.js';

const RUNS = caseCount('ROCE_MRC_NETWORKS', { few: 300, all: 2000 });
const SEED = 20_261_128;
const SIZE = { ...SMALL, hosts: 6, flows: 6, flowBytes: 60_000 };

/** Policies for packets beyond a receiver's range. */
const sendsNacksBeyond = ({ transports }: NetworkPlan): boolean => transports?.mrc?.dropsBeyond !== true;

const any = (count = 0): number => Number(count > 0);

it(`Kernel and model agree on ${RUNS} random networks of MRC`, () => {
  const seen = {
    trimmed: 0,
    atLastHop: 0,
    onTheWay: 0,
    trimmedDropped: 0,
    nacks: 0,
    beyond: 0,
    rejected: 0,
    coalesced: 0,
    timedOut: 0,
    duplicates: 0,
    failed: 0,
    shared: 0,
    probed: 0,
    probesLost: 0,
    denied: 0,
    alwaysSkipped: 0,
    structured: 0,
    discarded: 0,
    limited: 0,
  };
  const property = fc.property(mrcNetworks(SIZE), (spec) => {
    const plan = planOf(spec);
    fc.pre(plan !== undefined);
    const { totals, flows, trimming } = expectAgreement(plan);
    const trimsAt = (kind: 'host' | 'switch'): boolean =>
      trimming.some(({ trimmed }, port) =>
        plan.nodes[plan.ports[plan.ports[port]!.peerPort]!.node]!.kind === kind && trimmed.some((count) => count > 0)
      );
    seen.trimmed += any(totals.trimmedPackets);
    seen.atLastHop += Number(trimsAt('host'));
    seen.onTheWay += Number(trimsAt('switch'));
    seen.trimmedDropped += any(totals.trimmedDropped);
    seen.nacks += any(totals.nacks);
    seen.beyond += Number(flows.some(({ beyond }) => beyond > 0));
    seen.rejected += Number(sendsNacksBeyond(plan) && flows.some(({ beyond }) => beyond > 0));
    seen.coalesced += Number(totals.acks < totals.dataPackets / 2);
    seen.timedOut += Number(totals.timeouts > 0);
    seen.duplicates += Number(flows.some(({ duplicates }) => duplicates > 0));
    seen.failed += Number(flows.some(({ failed }) => failed));
    seen.shared += Number(plan.connections !== undefined);
    seen.probed += any(totals.probes);
    seen.probesLost += any(totals.probesLost);
    seen.alwaysSkipped += Number(totals.marks > 0 && plan.balancing?.selection?.states?.alwaysSkipMarks !== undefined);
    seen.discarded += Number(flows.some(({ discarded }) => discarded > 0));
    seen.limited += Number(plan.transports?.mrc?.maxMessages !== undefined && plan.connections !== undefined);
    seen.structured += Number(plan.balancing?.rules.includes('entropy-bits') === true);
    seen.denied += Number(plan.balancing?.selection?.states?.denials !== undefined);
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(RUNS / 60);
}, 60_000 + 300 * RUNS);

it(`Kernel and model agree on ${RUNS} random networks of MRC with probes of closed windows`, () => {
  const seen = { probed: 0, lost: 0, withoutTimeouts: 0 };
  const property = fc.property(shutWindowNetworks, (spec) => {
    const plan = planOf(spec);
    fc.pre(plan !== undefined);
    const { totals } = expectAgreement(plan);
    const probed = (totals.probes ?? 0) > 0;
    seen.probed += Number(probed);
    seen.lost += Number((totals.probesLost ?? 0) > 0);
    seen.withoutTimeouts += Number(probed && totals.timeouts === 0);
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
  expect(seen.probed, 'probed').toBeGreaterThan(RUNS / 15);
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
}, 60_000 + 300 * RUNS);

it(`Kernel and model agree on ${RUNS} random networks of MRC with dynamic ranges, and no packet exceeds its range`,
  () => {
    const seen = { announced: 0, changed: 0, beyond: 0, lost: 0, probed: 0 };
    const property = fc.property(changingRanges, (spec) => {
      const plan = planOf(spec);
      fc.pre(plan !== undefined);
      const { totals, flows } = expectAgreement(plan);
      const announces = plan.transports?.mrc?.announcesRange === true;
      const beyond = flows.some((flow) => flow.beyond > 0);
      if (announces) expect(beyond).toBe(false);
      seen.announced += Number(announces);
      seen.changed += Number(announces && plan.changes !== undefined);
      seen.beyond += Number(beyond);
      seen.lost += Number(announces && totals.retransmittedPackets > 0);
      seen.probed += Number(
        announces && plan.transports?.mrc?.windowProbeBytes !== undefined && (totals.probes ?? 0) > 0,
      );
    });
    fc.assert(property, { seed: SEED, numRuns: RUNS });
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(RUNS / 60);
  }, 60_000 + 300 * RUNS);
