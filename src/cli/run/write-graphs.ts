/** Exports the graphs of a run's jobs as GOAL text and Chakra traces. */
import path from 'node:path';
import { writeChakra } from '../../workloads/chakra/write-chakra.js';
import { writeGoal } from '../../workloads/goal/write-goal.js';
import type { WorkloadGraph } from '../../workloads/index.js';
import type { FileContent } from '../kept-file.js';
import { fileNamePart, fileOfRun, folderOfRun } from './run-names.js';

/** A job's name and graph. */
export interface NamedGraph {
  readonly name: string;
  readonly graph: WorkloadGraph;
}

/** Output paths; undefined = not requested. */
export interface GraphFlags {
  readonly writeGoal?: string;
  readonly writeChakra?: string;
}

/** A file to be written. */
export interface GraphFile {
  readonly what: string;
  readonly file: string;
  readonly content: FileContent;
}

/**
 * With several jobs, each file name contains the job's name.
 *
 * @throws RoceError `invalid-workload` if a format cannot express the graph, before any file of the job is written.
 */
export function* graphFiles(graphs: readonly NamedGraph[], flags: GraphFlags, runName: string,
  runCount: number): Generator<GraphFile> {
  for (const { name, graph } of graphs) {
    if (flags.writeGoal !== undefined) {
      const file = fileOfRun(fileOfRun(flags.writeGoal, runName, runCount), name, graphs.length);
      yield { what: 'goal', file, content: [...writeGoal(graph)] };
    }
    if (flags.writeChakra === undefined) continue;
    const folder = folderOfRun(flags.writeChakra, runName, runCount);
    for (const { name: file, bytes } of [...writeChakra(graph, { prefix: fileNamePart(name) })]) {
      yield { what: 'chakra', file: path.join(folder, file), content: bytes };
    }
  }
}
