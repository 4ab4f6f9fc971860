/**
 * A feature's part of the kernel's memory: its sizes, its rules, the data of the plan that it writes, and the layouts
 * that these have in common.
 */
import type { SlotValues } from '../../abi/records/define-record.js';
import type { SIM_CAPACITY, RuleValues } from '../../abi/records/sim-run.js';
import { layOutBalancing, type BalancingLayout } from '../features/balancing/layout.js';
import { layOutJobs, type GraphLayout } from '../features/jobs/layout.js';
import { layOutMessages, type MessageLayout } from '../features/messages/compile.js';
import { pathsOf, type LeafPaths } from '../features/reference-lossy/leaf-paths.js';
import type { NetworkPlan } from '../plan.js';
import type { SimAbi } from './sim-abi.js';

export type CapacityValues = SlotValues<typeof SIM_CAPACITY>;

/** A member is omitted if the feature does not need it. */
export interface KernelPart {
  /** Sizes, needed before memory is laid out. Those that a plan does not need are 0 or omitted. */
  readonly capacity?: (plan: NetworkPlan, layouts: PlanLayouts) => CapacityValues;
  readonly rules?: (plan: NetworkPlan) => RuleValues;
  /** Writes the feature's data, after nodes, ports and flows. No feature reads the data of another. */
  readonly write?: (abi: SimAbi, plan: NetworkPlan, layouts: PlanLayouts) => void;
}

/** Layouts derived from a plan before memory is laid out, and written afterwards; computed once per run. */
export interface PlanLayouts {
  /** Operations of all jobs. */
  readonly graph: GraphLayout;
  /** Paths among which first leaves choose under `reference-lossy`. */
  readonly leafPaths: LeafPaths;
  /** Tables of load balancing under `standard`. */
  readonly balancing: BalancingLayout;
  /** Messages that share records; undefined: none do. */
  readonly messages: MessageLayout | undefined;
}

/** @throws RoceError `invalid-scenario` for paths that can't be written. */
export function layOut(plan: NetworkPlan): PlanLayouts {
  return {
    graph: layOutJobs(plan.jobs ?? []),
    leafPaths: pathsOf(plan),
    balancing: layOutBalancing(plan),
    messages: layOutMessages(plan),
  };
}
