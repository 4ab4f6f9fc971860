/** The files that jobs of a scenario name, read into graphs; and scenarios of such files alone. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { endlessOf, jobEntries, scenarioName, scenarioOfFile } from '../../sim/features/jobs/files.js';
import { FILE_READERS, type Endless, type JobEntry, type JobFile } from '../../workloads/job-readers.js';
import type { WorkloadGraph } from '../../workloads/index.js';
import { readChakraFiles } from './chakra-files.js';
import { simaiFolderScenario } from './simai-files.js';
import { readTopologyFile } from './topology-files.js';
import type { FileNetwork } from './topology-option.js';

/** By what the scenario calls the file. */
export type JobGraphs = Readonly<Record<string, WorkloadGraph>>;

/** @param place of the file, or the folder. */
function readFileOf(place: string, entry: JobEntry, endless: Endless): Promise<WorkloadGraph> {
  if (entry.format === 'chakra') return readChakraFiles(place, entry);
  return FILE_READERS[entry.format](createReadStream(place), entry, endless);
}

/**
 * Reads the files of all jobs.
 *
 * @param folder where the scenario is: its files are named from there.
 * @param known files that have been read.
 * @throws RoceError `invalid-workload`; errors of the system, which name the file.
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

/** A scenario of one file; without a topology, of one switch with as many hosts as there are ranks. */
export async function fileScenario({ format, file }: JobFile, network: FileNetwork): Promise<FileScenario> {
  const name = scenarioName(path.resolve(file));
  if (format === 'simai') return { spec: await simaiFolderScenario(file, name, network), graphs: {} };
  const isFailing = format === 'cm' && network.topo !== undefined;
  const failures = isFailing ? { failures: 'in-topology' as const } : {};
  // Whether the run has an end is known when --until and --set are applied.
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
    // What --set gives may be another reading of the others.
    graphs: format === 'goal' ? { [file]: graph } : {},
  };
}
