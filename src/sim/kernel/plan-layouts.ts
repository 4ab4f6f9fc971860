/** Layouts derived from a plan before memory is laid out, and written afterwards; computed once per run. */
import type { NetworkPlan } from '../plan.js';
import { layOutBalancing, type BalancingLayout } from '../features/balancing/layout.js';
import { layOutJobs, type GraphLayout } from '../features/jobs/layout.js';
import { pathsOf, type LeafPaths } from '../features/reference-lossy/leaf-paths.js';
import { layOutMessages, type MessageLayout } from '../features/messages/compile.js';

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
