/** Finds the graphs that jobs of a scenario name. */
import { WorkloadGraph } from '../../workloads/graph/workload-graph.js';
import { checkRecord, reject } from '../../config/field-rules.js';
import type { JobContext } from '../workload/workload-flow.js';
import type { AlgorithmsOfScenario } from './custom-algorithms.js';
import type { PointsOfScenario } from '../features/points/resolve.js';
import { rejectScenario } from './scenario-error.js';

/** Files that a scenario names but does not contain. */
export interface ScenarioFiles extends AlgorithmsOfScenario, PointsOfScenario {
  /** Graphs of jobs, by the job's `file`. */
  readonly graphs?: Readonly<Record<string, WorkloadGraph>>;
  /** Whether jobs whose files are missing are omitted. Default false: they are rejected. */
  readonly withoutFiles?: boolean;
}

export function graphFinder(files: ScenarioFiles): JobContext['graphOf'] {
  checkRecord(files, 'files');
  const { graphs = {}, withoutFiles = false } = files;
  checkRecord(graphs, 'files.graphs');
  if (typeof withoutFiles !== 'boolean')
    reject({ got: withoutFiles, allowed: [true, false], where: 'files.withoutFiles' });
  return (file, where) => {
    const graph: unknown = Object.hasOwn(graphs, file) ? graphs[file] : undefined;
    if (graph instanceof WorkloadGraph) return graph;
    if (graph !== undefined) reject({ got: graph, allowed: 'a WorkloadGraph', where: `files.graphs[${file}]` });
    if (withoutFiles) return undefined;
    const hint = 'Read the file with roce-cc/workloads, and pass its graph with the scenario';
    return rejectScenario({ what: 'the file of the job', problem: 'has not been read', got: file, where, hint });
  };
}
