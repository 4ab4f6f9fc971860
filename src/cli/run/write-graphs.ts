/**
 * Exports the graphs of a run's jobs as GOAL text and Chakra traces. With several jobs, file names contain the job's
 * name.
 */
import path from 'node:path';
import { writeChakra } from '../../workloads/chakra/write-chakra.js';
import { writeGoal } from '../../workloads/goal/write-goal.js';
import type { WorkloadGraph } from '../../workloads/index.js';
import type { FileContent } from '../kept-file.js';
import { fileNamePart, fileOfRun } from './run-names.js';

/** A job's name and graph. */
export interface NamedGraph {
  readonly name: string;
  readonly graph: WorkloadGraph;
}

/** A file to be written. */
export interface GraphFile {
  readonly what: string;
  readonly file: string;
  readonly content: FileContent;
}

export function* goalFiles(graphs: readonly NamedGraph[], target: string): Generator<GraphFile> {
  for (const { name, graph } of graphs) {
    yield { what: 'goal', file: fileOfRun(target, name, graphs.length), content: [...writeGoal(graph)] };
  }
}

/** @throws RoceError `invalid-workload` if Chakra cannot express the graph, before any file of the job is written. */
export function* chakraFiles(graphs: readonly NamedGraph[], folder: string): Generator<GraphFile> {
  for (const { name, graph } of graphs) {
    for (const { name: file, bytes } of [...writeChakra(graph, { prefix: fileNamePart(name) })]) {
      yield { what: 'chakra', file: path.join(folder, file), content: bytes };
    }
  }
}
