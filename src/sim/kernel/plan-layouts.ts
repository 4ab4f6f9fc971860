/** Derived from a plan before its memory is laid out, and written into it afterwards: once per run. */
import type { NetworkPlan } from '../plan.js';
import { layOutBalancing, type BalancingLayout } from './balancing-layout.js';
import { layOutJobs, type GraphLayout } from './job-layout.js';
import type { LeafPaths } from './leaf-paths.js';
import { layOutMessages, type MessageLayout } from './message-layout.js';
import { pathsOf } from './write-lossy.js';

export interface PlanLayouts {
  /** Operations of all jobs. */
  readonly graph: GraphLayout;
  /** Paths from which first leaves choose under `reference-lossy`. */
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
