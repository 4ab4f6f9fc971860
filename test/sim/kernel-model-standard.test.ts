/**
 * The kernel against the plain model, on random networks of fidelity `standard`: same completions, same packets, marks,
 * notifications, pauses, drops and queues at every port. They share the models of congestion control alone.
 *
 * `ROCE_NETWORKS` sets how many networks there are.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runPlan, type PlanResult } from '../../src/sim/kernel/run-plan.js';
import { modelNetwork, type ModelFlow, type ModelResult } from '../../src/sim/model/model.js';
import type { BalancingRule } from '../../src/sim/balancing-plan.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import type { LossFigures } from '../../src/sim/results/loss-figures.js';
import { expectBalance, planOf } from '../support/model-balance.js';
import { standardNetworks } from '../support/standard-networks.js';

const RUNS = Number(process.env.ROCE_NETWORKS ?? 300);
const SEED = 20_261_122;
const TEST_TIMEOUT_MS = 60_000 + 200 * RUNS;

/** The model keeps queues of switches alone. */
function portsOf(plan: NetworkPlan, { ports }: PlanResult | ModelResult) {
  return ports.map((port, index) => ({
    txPackets: port.txPackets,
    txBytes: port.txBytes,
    marks: port.marks,
    drops: port.drops,
    fastCnps: port.fastCnps,
    pausesSent: port.pausesSent,
    pausesReceived: port.pausesReceived,
    pausedPs: port.pausedPs,
    maxClassQueueBytes: plan.nodes[plan.ports[index].node].kind === 'switch' ? port.maxClassQueueBytes : 0,
  }));
}

function kernelOutcome(plan: NetworkPlan) {
  const run = runPlan(plan);
  const flows = run.flows.map(({ completionPs, failed, retransmittedPackets, timeouts, detours }) => ({
    completionPs,
    failed,
    retransmittedPackets,
    timeouts,
    detours,
  }));
  return { flows, losses: run.losses, ports: portsOf(plan, run), totals: run.totals };
}

function lossesOf({ outOfOrder, depth, duplicates, naks, retransmittedBytes, sacked, beyond }: ModelFlow): LossFigures {
  return {
    outOfOrderPackets: outOfOrder,
    reorderingDepthPackets: depth,
    duplicatePackets: duplicates,
    naks,
    retransmittedBytes,
    sackedPackets: sacked,
    beyondWindowPackets: beyond,
  };
}

function modelOutcome(plan: NetworkPlan, run: ModelResult) {
  const flows = run.flows.map(({ completionPs, failed, retransmitted, timeouts, detours }) => ({
    completionPs,
    failed,
    retransmittedPackets: retransmitted,
    timeouts,
    detours,
  }));
  return { flows, losses: run.flows.map(lossesOf), ports: portsOf(plan, run), totals: run.totals };
}

const RULES: readonly BalancingRule[] = ['random', 'round-robin', 'flowlet', 'drill', 'conga', 'least-queue'];

/** By rule, 1 if it is among some. */
function atWork(some: readonly BalancingRule[]) {
  return Object.fromEntries(RULES.map((rule) => [rule, Number(some.includes(rule))])) as Record<BalancingRule, number>;
}

/** Rules of switches that have several ways to choose from. */
function rulesAtWork({ balancing, nodes, groups, ports }: NetworkPlan): BalancingRule[] {
  const several = new Set(groups.filter((group) => group.length > 1).map(([port]) => ports[port!]!.node));
  return (balancing?.rules ?? []).filter((_, node) => nodes[node]!.kind === 'switch' && several.has(node));
}

/** How many networks have seen something. */
function tally() {
  const seen = {
    paused: 0,
    lostForMemory: 0,
    lostOnLinks: 0,
    damaged: 0,
    cutOff: 0,
    marked: 0,
    cnps: 0,
    fastCnps: 0,
    bothNotifications: 0,
    timedOut: 0,
    sentAgain: 0,
    followed: 0,
    detoured: 0,
    ...atWork([]),
    askedForOne: 0,
    sacked: 0,
    keptOut: 0,
    failed: 0,
  };
  const note = (plan: NetworkPlan, { totals, flows }: ModelResult): void => {
    const isSelective = (_: unknown, flow: number) =>
      plan.transports?.kinds[plan.transports.kindOf[flow]].transport === 'selective-repeat';
    seen.detoured += Number(flows.some(({ detours }) => detours > 0));
    for (const [rule, isAtWork] of Object.entries(atWork(rulesAtWork(plan)))) seen[rule as BalancingRule] += isAtWork;
    seen.paused += Number(totals.pauses > 0);
    seen.lostForMemory += Number(totals.drops.buffer > 0);
    seen.lostOnLinks += Number(totals.drops.loss > 0);
    seen.damaged += Number(totals.drops.corrupt > 0);
    seen.cutOff += Number(totals.drops.linkDown > 0);
    seen.marked += Number(totals.marks > 0);
    seen.cnps += Number(totals.cnps > 0);
    seen.fastCnps += Number(totals.fastCnps > 0);
    seen.bothNotifications += Number(totals.cnps > 0 && totals.fastCnps > 0);
    seen.timedOut += Number(totals.timeouts > 0);
    seen.sentAgain += Number(totals.retransmittedPackets > 0);
    seen.askedForOne += Number(flows.filter(isSelective).some(({ naks }) => naks > 0));
    seen.sacked += Number(flows.some(({ sacked }) => sacked > 0));
    seen.keptOut += Number(flows.some(({ beyond }) => beyond > 0));
    seen.failed += Number(flows.some(({ failed }) => failed));
    seen.followed += Number(plan.flows.after.some((after) => after >= 0));
  };
  return { seen, note };
}

describe('The kernel and the plain model under standard', () => {
  it(`agree on ${RUNS} random networks with losses, faults, Fast CNPs and settings of single nodes`, () => {
    const { seen, note } = tally();
    fc.assert(fc.property(standardNetworks, (spec) => {
      const plan = planOf(spec);
      fc.pre(plan !== undefined);
      const expected = modelNetwork(plan);
      expect(kernelOutcome(plan)).toEqual(modelOutcome(plan, expected));
      expectBalance(expected);
      note(plan, expected);
    }), { seed: SEED, numRuns: RUNS });
    // The networks are such that each mechanism has its share of them.
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(RUNS / 50);
  }, TEST_TIMEOUT_MS);
});
