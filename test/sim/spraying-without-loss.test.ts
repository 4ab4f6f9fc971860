/**
 * No loss, no retransmission: whatever balancer sprays, and whatever the paths' queues, rates and delays are, flows of the tolerant
 * transport with default settings retransmit nothing on a network that drops nothing. With PFC and without.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planOf } from '../support/agreement/model-balance.js';
import { BIG, SMALL, standardNetworks } from '../support/agreement/standard-networks.js';
import { caseCount } from '../support/effort.js';
import { unequalPaths } from '../support/unequal-paths.js';
import { SimKernel } from '../../src/sim/kernel/kernel.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import type { HostSpec, ScenarioSpec, WorkloadSpec } from '../../src/sim/scenario/spec.js';

const RUNS = caseCount('ROCE_SPRAYED_NETWORKS', { few: 200, all: 3000 });
const SEED = 20_261_126;
const SPRAYING = ['random', 'round-robin', 'flowlet', 'drill', 'least-queue'] as const;
const BUDGET = 2 ** 30;
const TOLERANT: HostSpec = { reordering: 'tolerant' };

/** The random networks on which kernel and model are compared, without faults, and with one transport. */
const networks = fc.oneof(standardNetworks(SMALL), standardNetworks(BIG)).map((spec): ScenarioSpec => {
  const { mtuBytes, cnpDelayUs, cnpIntervalUs, paced, acksPausable } = spec.hosts ?? {};
  return {
    ...spec,
    hosts: { mtuBytes, cnpDelayUs, cnpIntervalUs, paced, acksPausable, ...TOLERANT } as HostSpec,
    workload: ([spec.workload].flat() as readonly WorkloadSpec[]).map(withOneTransport),
    overrides: [],
    faults: [],
  };
});

function withOneTransport(workload: WorkloadSpec): WorkloadSpec {
  if (workload.kind !== 'flows') return workload;
  return { ...workload, flows: workload.flows.map((flow) => ({ ...flow, transport: 'tolerant' })) };
}

const sprayed = fc.record({
  spec: fc.oneof(networks,
    unequalPaths({ maxBytes: 1_500_000 }).map((spec) => ({ ...spec, hosts: { ...spec.hosts, ...TOLERANT } }))),
  loadBalancing: fc.constantFrom(...SPRAYING),
  flowletGapUs: fc.constantFrom(0, 0.5),
}).map(({ spec, ...balancing }): ScenarioSpec => ({ ...spec, switches: { ...spec.switches, ...balancing } }));

function runOf(plan: NetworkPlan) {
  const kernel = new SimKernel(plan);
  while (kernel.run(plan.endPs, BUDGET) === 'budget');
  const flows = Array.from({ length: plan.flows.length }, (_, index) => kernel.losses(index));
  return { totals: kernel.totals(), flows, isDone: kernel.flowsDone === plan.flows.length };
}

it(`Packets are not retransmitted on ${RUNS} random networks with spraying and without drops`, () => {
  const seen = { lossless: 0, withoutPfc: 0, outOfOrder: 0, farAhead: 0, paused: 0, done: 0 };
  const property = fc.property(sprayed, (spec) => {
    const plan = planOf(spec);
    fc.pre(plan !== undefined);
    const { totals, flows, isDone } = runOf(plan);
    fc.pre(Object.values(totals.drops).every((count) => count === 0));
    const { retransmittedPackets, naks, timeouts } = totals;
    expect({ retransmittedPackets, naks, timeouts }).toEqual({ retransmittedPackets: 0, naks: 0, timeouts: 0 });
    expect(flows.every((flow) => flow.duplicatePackets + flow.beyondWindowPackets === 0)).toBe(true);
    seen.lossless += Number(spec.switches?.pfc === true);
    seen.withoutPfc += Number(spec.switches?.pfc === false);
    seen.outOfOrder += Number(flows.some((flow) => flow.outOfOrderPackets > 0));
    seen.farAhead += Number(flows.some((flow) => flow.reorderingDepthPackets > 100));
    seen.paused += Number(totals.pauses > 0);
    seen.done += Number(isDone);
  });
  fc.assert(property, { seed: SEED, numRuns: RUNS });
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(RUNS / 50);
}, 60_000 + 200 * RUNS);
