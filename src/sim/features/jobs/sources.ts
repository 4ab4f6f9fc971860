/**
 * What a result's hash excludes of jobs: names, and the sources of their graphs. A graph therefore has the same hash whether it
 * comes from a GOAL schedule, Chakra traces or a collective of the scenario.
 */
import type { JobResult, SimResult } from '../../result.js';

type Unhashed = Omit<SimResult, 'hash'>;

/** The members that are hashed in another form; empty without jobs. */
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
