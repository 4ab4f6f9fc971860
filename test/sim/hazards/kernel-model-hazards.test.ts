/**
 * The kernel against the plain model, on random networks with PFC's hazards: storms, slow receivers, bit errors, watchdogs,
 * deadlocks. Same packets, drops by reason, victims and circles.
 *
 * `ROCE_NETWORKS` sets how many networks there are.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SimKernel } from '../../../src/sim/kernel/kernel.js';
import { modelNetwork, type ModelResult } from '../../../src/sim/model/model.js';
import type { NetworkPlan } from '../../../src/sim/plan.js';
import { hazardNetworks } from '../../support/hazard-networks.js';
import { expectBalance, planOf } from '../../support/model-balance.js';

const RUNS = Number(process.env.ROCE_NETWORKS ?? 40);
const SEED = 20_261_123;
const TEST_TIMEOUT_MS = 60_000 + 400 * RUNS;
const BUDGET = 2 ** 30;

function kernelOutcome(plan: NetworkPlan) {
  const kernel = new SimKernel(plan);
  let end = kernel.run(plan.endPs, BUDGET);
  while (end === 'budget') end = kernel.run(plan.endPs, BUDGET);
  // The kernel leaves out events that change nothing, so its last one may be earlier than the model's.
  kernel.account(end === 'reached' ? plan.endPs : kernel.nowPs);
  const flows = Array.from(plan.flows, (_, index) => {
    const { done, finishPs, startPs, retransmittedPackets, timeouts } = kernel.flow(index);
    return { completionPs: done ? finishPs - startPs : null, retransmittedPackets, timeouts };
  });
  return {
    deadlocked: end === 'deadlock',
    flows,
    ports: plan.ports.map((port, index) => {
      const own = kernel.port(index);
      const { txPackets, txBytes, marks, drops, fastCnps, pausesSent, pausesReceived, pausedPs } = own;
      const queue = plan.nodes[port.node].kind === 'switch' ? own.maxClassQueueBytes : 0;
      return { txPackets, txBytes, marks, drops, fastCnps, pausesSent, pausesReceived, pausedPs, queue };
    }),
    totals: kernel.totals(),
    hazards: plan.hazards && {
      ports: plan.ports.map((_, index) => kernel.hazards?.port(index)),
      victims: Array.from(plan.flows, (_, index) => kernel.hazards?.victim(index)),
      deadlocks: (kernel.hazards?.deadlocks() ?? []).map(({ formedPs, foundPs, resolvedPs, circle }) => ({
        formedPs,
        foundPs,
        resolvedPs,
        circle,
      })),
    },
  };
}

function modelOutcome(plan: NetworkPlan, run: ModelResult) {
  return {
    deadlocked: run.ended === 'deadlock',
    flows: run.flows.map(({ completionPs, retransmitted, timeouts }) => ({
      completionPs,
      retransmittedPackets: retransmitted,
      timeouts,
    })),
    ports: run.ports.map(({ maxClassQueueBytes, ...port }, index) => ({
      ...port,
      queue: plan.nodes[plan.ports[index].node].kind === 'switch' ? maxClassQueueBytes : 0,
    })),
    totals: run.totals,
    hazards: run.hazards && { ...run.hazards, deadlocks: run.hazards.deadlocks.slice(0, 8) },
  };
}

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
    victimsOfCircles: 0,
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
    seen.victimsOfCircles += Number(hazards?.victims.some(({ heldPs, root }) => heldPs > 0 && root < 0) === true);
  };
  return { seen, note };
}

describe('The kernel and the plain model with hazards', () => {
  it(`agree on ${RUNS} random networks with storms, slow receivers, bit errors, watchdogs and rings`, () => {
    const { seen, note } = tally();
    fc.assert(fc.property(hazardNetworks, (spec) => {
      const plan = planOf(spec);
      fc.pre(plan !== undefined);
      const expected = modelNetwork(plan);
      expect(kernelOutcome(plan)).toEqual(modelOutcome(plan, expected));
      expectBalance(expected);
      note(expected);
    }), { seed: SEED, numRuns: RUNS });
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
  }, TEST_TIMEOUT_MS);
});
