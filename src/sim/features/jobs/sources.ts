/**
 * What a result's hash leaves out of jobs: names, and the sources of their graphs. So the same graph has one hash,
 * whether it comes from a GOAL schedule, from Chakra traces or from a collective of the scenario.
 */
import type { JobResult, SimResult } from '../../result.js';

type Unhashed = Omit<SimResult, 'hash'>;

/** The members that are hashed in another form; none without jobs. */
export function withoutSources({ scenario, jobs }: Unhashed): Readonly<Record<string, unknown>> {
  if (!Array.isArray(jobs) || typeof scenario !== 'object' || scenario === null) return {};
  const { workload } = scenario;
  const all: readonly unknown[] = Array.isArray(workload) ? workload : [workload];
  return {
    scenario: { ...scenario, name: undefined, description: undefined, workload: all.map(withoutSource) },
    jobs: (jobs as readonly JobResult[]).map((job) => ({
      ...job,
      name: undefined,
      operations: undefined,
      operationsDone: undefined,
      waiting: undefined,
      collectives: undefined,
      criticalPath: undefined,
      timeline: undefined,
    })),
  };
}

function withoutSource(workload: unknown): unknown {
  const kind: unknown = typeof workload === 'object' && workload !== null && 'kind' in workload ?
    workload.kind :
    undefined;
  return kind === 'job' || kind === 'collective' ? { kind: 'job' } : workload;
}
