/** The files that jobs of a scenario name, read into graphs; and scenarios of such files alone. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { readGoal, type WorkloadGraph } from '../../workloads/index.js';
import type { TopologyOption } from './topology-option.js';

/** By what the scenario calls the file. */
export type JobGraphs = Readonly<Record<string, WorkloadGraph>>;

/**
 * Reads the files of all jobs.
 *
 * @param folder where the scenario is: its files are named from there.
 * @param known files that have been read.
 * @throws RoceError `invalid-workload`; errors of the system, which name the file.
 */
export async function readJobFiles(spec: unknown, folder: string, known: JobGraphs): Promise<JobGraphs> {
  const graphs: Record<string, WorkloadGraph> = { ...known };
  for (const file of jobFiles(spec)) {
    if (!Object.hasOwn(graphs, file)) graphs[file] = await readGraph(path.resolve(folder, file), file);
  }
  return graphs;
}

/** What has the form of a job; the scenario's own check says what is wrong with others. */
function jobFiles(spec: unknown): string[] {
  const workload: unknown = isRecord(spec) ? spec['workload'] : undefined;
  const all: readonly unknown[] = Array.isArray(workload) ? workload : [workload];
  return all.flatMap((one) =>
    isRecord(one) && one['kind'] === 'job' && one['format'] === 'goal' && typeof one['file'] === 'string' ?
      [one['file']] :
      []
  );
}

function readGraph(file: string, name: string): Promise<WorkloadGraph> {
  return readGoal(createReadStream(file), { name });
}

/** A scenario of one GOAL file; without a topology, of one switch with as many hosts as there are ranks. */
export async function goalScenario(file: string, topology: TopologyOption | undefined): Promise<{
  readonly spec: unknown;
  readonly graphs: JobGraphs;
}> {
  const graph = await readGraph(file, file);
  return {
    spec: {
      name: path.basename(file).replace(/\.gz$/, '').replace(/\.[^.]*$/, ''),
      topology: topology?.topology ?? { kind: 'star', hosts: Math.max(2, graph.ranks) },
      workload: { kind: 'job', format: 'goal', file },
    },
    graphs: { [file]: graph },
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
