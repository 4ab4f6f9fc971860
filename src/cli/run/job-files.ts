/** The files that jobs of a scenario name, read into graphs; and scenarios of such files alone. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { readConnectionMatrix, readGoal, type MatrixOptions, type WorkloadGraph } from '../../workloads/index.js';
import { readChakraFiles } from './chakra-files.js';
import type { TopologyOption } from './topology-option.js';

/** By what the scenario calls the file. */
export type JobGraphs = Readonly<Record<string, WorkloadGraph>>;
/** Formats that a file may have. */
export type JobFormat = 'goal' | 'cm' | 'chakra';
/** A file that is run as it is. */
export interface JobFile {
  readonly format: JobFormat;
  readonly file: string;
}

/** What a job says of its file. */
interface JobEntry extends JobFile {
  readonly startUnit?: MatrixOptions['startUnit'];
  readonly groups?: string;
  readonly controlDependencies?: boolean;
}

type Read = (file: string, entry: JobEntry) => Promise<WorkloadGraph>;

const READERS: Readonly<Record<JobFormat, Read>> = {
  goal: (file, { file: name }) => readGoal(createReadStream(file), { name }),
  cm: (file, { file: name, startUnit = 'ps' }) => readConnectionMatrix(createReadStream(file), { name, startUnit }),
  chakra: readChakraFiles,
};

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
    graphs[entry.file] = await READERS[entry.format](path.resolve(folder, entry.file), entry);
  }
  return graphs;
}

/** What has the form of a job; the scenario's own check says what is wrong with others. */
function jobEntries(spec: unknown): JobEntry[] {
  const workload: unknown = isRecord(spec) ? spec['workload'] : undefined;
  const all: readonly unknown[] = Array.isArray(workload) ? workload : [workload];
  return all.filter((one) => isRecord(one) && one['kind'] === 'job').filter(isEntry);
}

function isEntry(one: unknown): one is JobEntry {
  if (!isRecord(one) || typeof one['file'] !== 'string' || typeof one['format'] !== 'string') return false;
  const { startUnit: unit, groups, controlDependencies: control } = one;
  return Object.hasOwn(READERS, one['format']) && (unit === undefined || unit === 'ps' || unit === 'us') &&
    (groups === undefined || typeof groups === 'string') && (control === undefined || typeof control === 'boolean');
}

/** A scenario of one file; without a topology, of one switch with as many hosts as there are ranks. */
export async function fileScenario({ format, file }: JobFile, topology: TopologyOption | undefined): Promise<{
  readonly spec: unknown;
  readonly graphs: JobGraphs;
}> {
  const graph = await READERS[format](file, { format, file });
  return {
    spec: {
      name: path.basename(path.resolve(file)).replace(/\.gz$/, '').replace(/\.[^.]*$/, '').replace(/[\s:]/g, '-').slice(
        0,
        64,
      ),
      topology: topology?.topology ?? { kind: 'star', hosts: Math.max(2, graph.hostRanks) },
      workload: { kind: 'job', format, file },
    },
    // What --set gives may be another reading of the others.
    graphs: format === 'goal' ? { [file]: graph } : {},
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
