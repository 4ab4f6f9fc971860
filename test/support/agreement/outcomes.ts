/** Results of the kernel and of the plain model for one plan, in one form, and their comparison. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { SimKernel } from '../../../src/sim/kernel/kernel.js';
import { modelNetwork, type ModelFlow, type ModelPort, type ModelResult } from '../../model/model.js';
import type { NetworkPlan } from '../../../src/sim/plan.js';
import type { LossFigures } from '../../../src/sim/result.js';
import { expectBalance } from './model-balance.js';

const BUDGET = 2 ** 30;
/** Maximum cycles that the kernel keeps. */
const KEPT_DEADLOCKS = 8;

/** The model keeps only queues of switches. */
function portsOf(plan: NetworkPlan, ports: readonly ModelPort[]) {
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

function flowOf(kernel: SimKernel, index: number) {
  const { done, finishPs, startPs, failed, retransmittedPackets, timeouts } = kernel.flow(index);
  const completionPs = done ? finishPs - startPs : null;
  const message = kernel.message(index);
  return { completionPs, failed, retransmittedPackets, timeouts, detours: kernel.detours(index), message };
}

function hazardsOf(plan: NetworkPlan, { hazards }: SimKernel) {
  if (plan.hazards === undefined) return undefined;
  return {
    ports: plan.ports.map((_, index) => hazards?.port(index)),
    victims: Array.from(plan.flows, (_, index) => hazards?.victim(index)),
    deadlocks: (hazards?.deadlocks() ?? []).map(({ formedPs, foundPs, resolvedPs, cycle }) => ({
      formedPs,
      foundPs,
      resolvedPs,
      cycle,
    })),
  };
}

function wanOf(plan: NetworkPlan, { wan }: SimKernel) {
  return wan && {
    nodes: plan.nodes.map((_, index) => wan.node(index)),
    ports: plan.ports.map((_, index) => wan.port(index)),
    heldPs: wan.heldPs(),
  };
}

function kernelOutcome(plan: NetworkPlan) {
  const kernel = new SimKernel(plan);
  let end = kernel.run(plan.endPs, BUDGET);
  while (end === 'budget') end = kernel.run(plan.endPs, BUDGET);
  // The kernel leaves out events that change nothing, so its last one may be earlier than the model's.
  kernel.account(end === 'reached' ? plan.endPs : kernel.nowPs);
  const numbers = Array.from({ length: plan.flows.length }, (_, index) => index);
  return {
    deadlocked: end === 'deadlock',
    flows: numbers.map((index) => flowOf(kernel, index)),
    losses: numbers.map((index) => kernel.losses(index)),
    verbs: numbers.map((index) => kernel.verb(index)),
    ports: portsOf(plan, plan.ports.map((_, index) => kernel.port(index))),
    totals: kernel.totals(),
    trimming: kernel.trimming,
    hazards: hazardsOf(plan, kernel),
    wan: wanOf(plan, kernel),
  };
}

function lossesOf(
  { outOfOrder, depth, duplicates, naks, retransmittedBytes, sacked, beyond, discarded }: ModelFlow,
): LossFigures {
  return {
    outOfOrderPackets: outOfOrder,
    reorderingDepthPackets: depth,
    duplicatePackets: duplicates,
    naks,
    retransmittedBytes,
    sackedPackets: sacked,
    beyondWindowPackets: beyond,
    discardedPackets: discarded,
  };
}

function modelOutcome(plan: NetworkPlan, run: ModelResult) {
  const { hazards } = run;
  return {
    deadlocked: run.ended === 'deadlock',
    flows: run.flows.map(({ completionPs, failed, retransmitted, timeouts, detours, message }) => ({
      completionPs,
      failed,
      retransmittedPackets: retransmitted,
      timeouts,
      detours,
      message,
    })),
    losses: run.flows.map(lossesOf),
    verbs: run.flows.map(({ readRequests, rnrNaks, rnrWaitPs }) => ({ readRequests, rnrNaks, rnrWaitPs })),
    ports: portsOf(plan, run.ports),
    totals: run.totals,
    trimming: run.trimming.map(({ trimmed, dropped }) => ({ trimmed, dropped })),
    hazards: hazards && { ...hazards, deadlocks: hazards.deadlocks.slice(0, KEPT_DEADLOCKS) },
    wan: run.wan,
  };
}

/** Runs a plan in both, and compares flows, ports, totals, hazards and counters of WAN routers; packets and bytes add up. */
export function expectAgreement(plan: NetworkPlan): ModelResult {
  const run = modelNetwork(plan);
  const [kernel, model] = [kernelOutcome(plan), modelOutcome(plan, run)];
  // vitest's comparison takes as long as the kernel's run, so it only reports differences.
  if (!isDeepStrictEqual(kernel, model)) expect(kernel).toEqual(model);
  expectBalance(run);
  return run;
}
