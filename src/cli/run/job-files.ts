/** Reads the files that jobs of a scenario name into graphs, and makes scenarios from such files alone. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { endlessOf, jobEntries, scenarioName, scenarioOfFile } from '../../sim/features/jobs/files.js';
import { FILE_READERS, type Endless, type JobEntry, type JobFile } from '../../workloads/job-readers.js';
import type { WorkloadGraph } from '../../workloads/index.js';
import { readChakraFiles } from './chakra-files.js';
import { simaiFolderScenario } from './simai-files.js';
import { readTopologyFile } from './topology-files.js';
import type { FileNetwork } from './topology-option.js';

/** Graphs by file name, as written in the scenario. */
export type JobGraphs = Readonly<Record<string, WorkloadGraph>>;

/** @param place resolved path of the file or folder. */
function readFileOf(place: string, entry: JobEntry, endless: Endless): Promise<WorkloadGraph> {
  if (entry.format === 'chakra') return readChakraFiles(place, entry);
  return FILE_READERS[entry.format](createReadStream(place), entry, endless);
}

/**
 * Reads the files of all jobs.
 *
 * @param folder of the scenario; its file names are relative to this.
 * @param known graphs that have already been read.
 * @throws RoceError `invalid-workload`; system errors, which name the file.
 */
export async function readJobFiles(spec: unknown, folder: string, known: JobGraphs): Promise<JobGraphs> {
  const graphs: Record<string, WorkloadGraph> = { ...known };
  for (const entry of jobEntries(spec)) {
    if (Object.hasOwn(graphs, entry.file)) continue;
    graphs[entry.file] = await readFileOf(path.resolve(folder, entry.file), entry, endlessOf(spec));
  }
  return graphs;
}

interface FileScenario {
  readonly spec: unknown;
  readonly graphs: JobGraphs;
}

/** Makes a scenario from one file. Without a topology, it has one switch with as many hosts as there are ranks. */
export async function fileScenario({ format, file }: JobFile, network: FileNetwork): Promise<FileScenario> {
  const name = scenarioName(path.resolve(file));
  if (format === 'simai') return { spec: await simaiFolderScenario(file, name, network), graphs: {} };
  const isFailing = format === 'cm' && network.topo !== undefined;
  const failures = isFailing ? { failures: 'in-topology' as const } : {};
  // Whether the run has an end is known only after --until and --set are applied.
  const graph = await readFileOf(file, { format, file, ...failures }, 'sent');
  const read = network.topo === undefined ?
    undefined :
    await readTopologyFile(network.topo, graph.hostRanks, graph.failures);
  const given = read ?? network.topology;
  return {
    spec: {
      ...scenarioOfFile({ format, file, ...failures }, graph),
      name,
      ...(given === undefined ? {} : { topology: given.topology }),
      ...(read === undefined || read.notes.length === 0 ? {} : { notes: read.notes }),
    },
    // --set may change how files of the other formats are read, so they are read again.
    graphs: format === 'goal' ? { [file]: graph } : {},
  };
}
