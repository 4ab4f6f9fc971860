/** The inputs of a job's results. */
import { SEND } from '../../../workloads/graph/workload-graph.js';
import type { FlowPaths } from '../../compile/compiled-scenario.js';
import type { JobPlan } from './plan.js';
import type { RawJob } from './memory.js';
import type { NetworkPlan } from '../../plan.js';
import type { FlowResult, PortResult, SeriesResult } from '../../result.js';

/** A network and its results after a run. */
export interface NetworkFacts {
  readonly plan: NetworkPlan;
  readonly flowPaths: FlowPaths;
  readonly portNames: readonly string[];
  readonly flows: readonly FlowResult[];
  readonly ports: readonly PortResult[];
  readonly series: SeriesResult;
}

/** A job and its results after a run. */
export interface JobFacts {
  readonly job: JobPlan;
  readonly raw: RawJob;
  readonly startPs: number;
  /** Flow of each operation; -1: none. */
  readonly flowOf: Int32Array;
  /** Rank of each operation. */
  readonly rankOf: Uint32Array;
}

export function jobFacts(job: JobPlan, raw: RawJob, startPs: number): JobFacts {
  const { graph, hosts } = job;
  const flowOf = new Int32Array(graph.length).fill(-1);
  const rankOf = new Uint32Array(graph.length);
  const { kind, peer } = graph.operations;
  let flow = job.firstFlow;
  for (let rank = 0; rank < graph.ranks; rank++) {
    for (let operation = graph.firstOperation[rank]; operation < graph.firstOperation[rank + 1]; operation++) {
      rankOf[operation] = rank;
      if (kind[operation] === SEND && hosts[rank] !== hosts[peer[operation]]) flowOf[operation] = flow++;
    }
  }
  return { job, raw, startPs, flowOf, rankOf };
}
