/** The files that jobs of a scenario name, read into graphs; and scenarios of such files alone. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { FILE_DEFAULTS } from '../../workloads/file-defaults.js';
import { readConnectionMatrix, type MatrixOptions } from '../../workloads/htsim/read-matrix.js';
import { readGoal } from '../../workloads/goal/read-goal.js';
import { isNcclValue, NCCL_SETTINGS, ncclSettingsOf,
  type NcclSettings } from '../../workloads/simai/nccl/nccl-settings.js';
import { readSimai } from '../../workloads/simai/read-simai.js';
import type { WorkloadGraph } from '../../workloads/index.js';
import { readChakraFiles, type ChakraEntry } from './chakra-files.js';
import { simaiFolderScenario } from './simai-files.js';
import { readTopologyFile } from './topology-files.js';
import type { FileNetwork } from './topology-option.js';
import { isRecord } from './plain-record.js';

/** By what the scenario calls the file. */
export type JobGraphs = Readonly<Record<string, WorkloadGraph>>;
/** Formats that a file may have. */
export type JobFormat = 'goal' | 'cm' | 'chakra' | 'simai';
/** A file that is run as it is. */
export interface JobFile {
  readonly format: JobFormat;
  readonly file: string;
}

/** What a job says of its file. */
interface JobEntry extends JobFile, NcclSettings, Omit<ChakraEntry, 'file' | 'groups'> {
  readonly startUnit?: MatrixOptions['startUnit'];
  readonly failures?: MatrixOptions['failures'];
  readonly gpus?: number;
  readonly oneStage?: boolean;
  readonly groups?: string;
}

const NAME_MAX = 64;
const GPUS_MAX = 2 ** 20;

/** @param endless what becomes of flows without an end: they need the end of the run. */
type Read = (file: string, entry: JobEntry, endless: MatrixOptions['endless'] & string) => Promise<WorkloadGraph>;

const READERS: Readonly<Record<JobFormat, Read>> = {
  goal: (file, { file: name }) => readGoal(createReadStream(file), { name }),
  cm: (file, { file: name, startUnit = FILE_DEFAULTS.startUnit, failures = FILE_DEFAULTS.failures }, endless) =>
    readConnectionMatrix(createReadStream(file), { name, startUnit, failures, endless }),
  chakra: readChakraFiles,
  simai: (file, entry) => {
    const { file: name, gpus, oneStage = FILE_DEFAULTS.oneStage } = entry;
    const ranks = gpus === undefined ? {} : { ranks: gpus };
    return readSimai(createReadStream(file), { name, oneStage, ...ranks, ...ncclSettingsOf(entry) });
  },
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
  const endless = isRecord(spec) && spec['durationUs'] !== undefined ? 'sent' : 'rejected';
  for (const entry of jobEntries(spec)) {
    if (Object.hasOwn(graphs, entry.file)) continue;
    graphs[entry.file] = await READERS[entry.format](path.resolve(folder, entry.file), entry, endless);
  }
  return graphs;
}

/** Values with the form of a job; the scenario's check reports errors in others. */
function jobEntries(spec: unknown): JobEntry[] {
  const workload: unknown = isRecord(spec) ? spec['workload'] : undefined;
  const all: readonly unknown[] = Array.isArray(workload) ? workload : [workload];
  return all.filter((one) => isRecord(one) && one['kind'] === 'job').filter(isEntry);
}

function isEntry(one: unknown): one is JobEntry {
  if (!isRecord(one) || typeof one['file'] !== 'string' || typeof one['format'] !== 'string') return false;
  return Object.hasOwn(READERS, one['format']) &&
    Object.entries(ENTRY_VALUES).every(([key, isRight]) => one[key] === undefined || isRight(one[key]));
}

const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isSpeed = (value: unknown): boolean => typeof value === 'number' && value > 0 && value < Infinity;
const ENTRY_VALUES: Readonly<Record<string, (value: unknown) => boolean>> = {
  startUnit: (value) => value === 'ps' || value === 'us',
  failures: (value) => value === 'noted' || value === 'in-topology',
  gpus: (value) => Number.isSafeInteger(value) && Number(value) >= 2 && Number(value) <= GPUS_MAX,
  oneStage: isFlag,
  groups: (value) => typeof value === 'string',
  controlDependencies: isFlag,
  ...Object.fromEntries(NCCL_SETTINGS.map((name) => [name, (value: unknown) => isNcclValue(name, value)])),
  hostCommunication: (value) => value === 'noted' || value === 'sent',
  opsPerSecond: isSpeed,
  memoryBytesPerSecond: isSpeed,
};

interface FileScenario {
  readonly spec: unknown;
  readonly graphs: JobGraphs;
}

/** A scenario of one file; without a topology, of one switch with as many hosts as there are ranks. */
export async function fileScenario({ format, file }: JobFile, network: FileNetwork): Promise<FileScenario> {
  const name = scenarioName(file);
  if (format === 'simai') return { spec: await simaiFolderScenario(file, name, network), graphs: {} };
  const isFailing = format === 'cm' && network.topo !== undefined;
  const failures = isFailing ? { failures: 'in-topology' as const } : {};
  // Whether the run has an end is known when --until and --set are applied.
  const graph = await READERS[format](file, { format, file, ...failures }, 'sent');
  const read = network.topo === undefined ?
    undefined :
    await readTopologyFile(network.topo, graph.hostRanks, graph.failures);
  return {
    spec: {
      name,
      topology: read?.topology ?? network.topology?.topology ?? { kind: 'star', hosts: Math.max(2, graph.hostRanks) },
      workload: { kind: 'job', format, file, ...failures },
      ...(read === undefined || read.notes.length === 0 ? {} : { notes: read.notes }),
    },
    // What --set gives may be another reading of the others.
    graphs: format === 'goal' ? { [file]: graph } : {},
  };
}

/** Of a file or folder. */
function scenarioName(file: string): string {
  const name = path.basename(path.resolve(file)).replace(/\.gz$/, '').replace(/\.[^.]*$/, '');
  return name.replace(/[\s:]/g, '-').slice(0, NAME_MAX);
}
