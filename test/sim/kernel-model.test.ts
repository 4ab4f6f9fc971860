/**
 * The kernel against the plain model, on random networks of fidelity `reference`: same completions, same packets, marks, pauses,
 * drops and queues at every port. They share no network code, so an omission in one of them shows as a difference.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoceError } from '../../src/errors.js';
import { modelNetwork } from '../model/model.js';
import { compileScenario } from '../../src/sim/compile/compile-scenario.js';
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';
import { validateScenario } from '../../src/sim/scenario/validate.js';
import { referenceNetworks } from '../support/reference-networks.js';
import { caseCount } from '../support/effort.js';

const RUNS = caseCount('ROCE_NETWORKS', { few: 250, all: 1000 });
const SEED = 20_261_121;
const TEST_TIMEOUT_MS = 120_000;

/**
 * A first ACK arrives while the port's wake-up is set for another flow: HPCC does not change the rate, so the wake-up
 * stays.
 */
const FIRST_ACK_BEFORE_WAKE_UP: ScenarioSpec = {
  name: 'a first ACK leaves the wake-up alone',
  fidelity: 'reference',
  durationUs: 10_000,
  topology: { kind: 'star', hosts: 3, delayNs: 1 },
  workload: {
    kind: 'flows',
    flows: [
      { from: 'h1', to: 'h2', sizeBytes: 7_054, startPs: 0 },
      { from: 'h1', to: 'h2', sizeBytes: 7_420, startPs: 0 },
      { from: 'h0', to: 'h2', sizeBytes: 4_610, startPs: 4_569_000 },
      { from: 'h0', to: 'h2', sizeBytes: 10_927, startPs: 0 },
      { from: 'h1', to: 'h2', sizeBytes: 11_978, startPs: 2_528_000 },
      { from: 'h1', to: 'h2', sizeBytes: 14_066, startPs: 1_000_000 },
      { from: 'h0', to: 'h2', sizeBytes: 2_879, startPs: 2_101_000 },
    ],
  },
  algorithms: { only: { preset: 'hpcc-ns3', set: 'multirate' } },
  switches: { headroomBytes: 0, bufferBytes: 32_288, ecn: { kminKB: 40, kmaxKB: 56, pmax: 0.01 } },
  hosts: { paced: false },
};

/** Window times rate must fit into 64 bits, which it doesn't over the longest and fastest links. */
function planOf(spec: ScenarioSpec): NetworkPlan | undefined {
  try {
    return compileScenario(validateScenario(spec)).plan;
  } catch (error) {
    if (error instanceof RoceError && error.where.endsWith('windowBytes')) return undefined;
    throw error;
  }
}

/** Counters of both. The model has queues at switches only, and counts a pause frame when it is sent. */
function outcome(plan: NetworkPlan, run: ReturnType<typeof runPlan> | ReturnType<typeof modelNetwork>) {
  const ports = run.ports.map(({ txPackets, txBytes, marks, drops, pausesSent, maxClassQueueBytes }, port) => ({
    txPackets,
    txBytes,
    marks,
    drops,
    pausesSent,
    maxClassQueueBytes: plan.nodes[plan.ports[port].node].kind === 'switch' ? maxClassQueueBytes : 0,
  }));
  return { completionsPs: run.flows.map(({ completionPs }) => completionPs), ports, totals: run.totals };
}

describe('The kernel and the plain model', () => {
  it(`agree on ${RUNS} random networks, event for event in outcome`, () => {
    const seen = { ran: 0, silent: 0, paused: 0, lost: 0, marked: 0, beyondWheel: 0, timedOut: 0, ownPayload: 0 };
    fc.assert(fc.property(referenceNetworks, (spec) => {
      const plan = planOf(spec);
      fc.pre(plan !== undefined);
      const expected = modelNetwork(plan);
      expect(outcome(plan, runPlan(plan))).toEqual(outcome(plan, expected));
      seen.ran += 1;
      seen.silent += Number(plan.rules.delayedAck !== undefined);
      seen.paused += Number(expected.totals.pauses > 0);
      seen.lost += Number(expected.totals.packetsDropped > 0);
      seen.timedOut += Number(expected.totals.timeouts > 0);
      seen.ownPayload += Number([...plan.flows].some(({ source }) => plan.nodes[source].mtuBytes !== undefined));
      seen.marked += Number(expected.totals.marks > 0);
      seen.beyondWheel += Number(plan.ports.some(({ delayPs }) => delayPs > 2 ** 24));
    }), { seed: SEED, numRuns: RUNS, examples: [[FIRST_ACK_BEFORE_WAKE_UP]] });
    // Each mechanism occurs in a share of the networks.
    expect(seen.ran).toBeGreaterThanOrEqual(RUNS);
    for (
      const count of [
        seen.silent,
        seen.paused,
        seen.lost,
        seen.marked,
        seen.beyondWheel,
        seen.timedOut,
        seen.ownPayload,
      ]
    ) expect(count).toBeGreaterThan(RUNS / 25);
  }, TEST_TIMEOUT_MS);
});
