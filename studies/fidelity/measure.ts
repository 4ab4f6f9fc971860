/** Results of a plan, as the few numbers by which fidelities are compared. */
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import { PS_PER_NS } from '../../src/units.js';
import { planOf, referenceSpec, standardSpec, type FidelityCase } from './cases.js';
import { DIFFERENCES, type Difference } from './differences.js';
import type { Measured } from './measured.js';

export function measure(plan: NetworkPlan): Measured {
  const { flows, ports, totals } = runPlan(plan);
  const times = flows.flatMap(({ completionPs }) => (completionPs === null ? [] : [completionPs]));
  const queues = ports.flatMap(({ maxClassQueueBytes },
    port) => (plan.nodes[plan.ports[port].node].kind === 'switch' ? [maxClassQueueBytes] : [])
  );
  return {
    meanNs: times.reduce((sum, time) => sum + time, 0) / times.length / PS_PER_NS,
    maxQueueBytes: Math.max(...queues),
    marks: totals.marks,
    pauses: totals.pauses,
    sentAgain: totals.retransmittedPackets,
    unfinished: flows.length - times.length,
  };
}

/** A case under `reference`, with each difference alone, and under `standard`. */
export interface CaseResult {
  readonly name: string;
  readonly reference: Measured;
  readonly standard: Measured;
  /** By the difference's name; those that are the same in both are left out. */
  readonly changed: ReadonlyMap<string, Measured>;
}

/** @throws Error when `reference` is not what the reference simulator gave. */
export function measureCase(one: FidelityCase): CaseResult {
  const [plan, target] = [planOf(referenceSpec(one)), planOf(standardSpec(one))];
  const reference = measure(plan);
  checkGolden(one, reference);
  const changed = new Map(DIFFERENCES.filter(({ apply }) => apply !== undefined)
    .map((difference) => [difference.name, measure(withDifference(plan, target, difference))]));
  return { name: one.name, reference, standard: measure(target), changed };
}

function checkGolden({ name, golden }: FidelityCase, reference: Measured): void {
  for (const [key, value] of Object.entries(golden ?? {})) {
    const got = reference[key as keyof Measured];
    if (got !== value) throw new Error(`${name}: ${key} is ${got}, the reference simulator's is ${value}`);
  }
}

/** The plan with one difference, and what that builds on. */
function withDifference(plan: NetworkPlan, target: NetworkPlan, { apply, on = [] }: Difference): NetworkPlan {
  const before = on.reduce((current, name) => {
    const found = DIFFERENCES.find((difference) => difference.name === name);
    return found === undefined ? current : withDifference(current, target, found);
  }, plan);
  return apply?.(before, target) ?? before;
}
