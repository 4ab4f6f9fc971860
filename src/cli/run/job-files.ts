/** Reads the files that jobs of a scenario name into graphs, and makes scenarios from such files alone. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { readdir, stat, open } from 'node:fs/promises';
import { RoceError } from '../../errors.js';
import { endlessOf, jobEntries, scenarioName, scenarioOfFile } from '../../sim/features/jobs/job-scenarios.js';
import { simaiScenario } from '../../sim/reference-files/simai-scenario.js';
import { readChakra, type ChakraOptions } from '../../workloads/chakra/read-chakra.js';
import { FILE_DEFAULTS } from '../../workloads/job-formats.js';
import { readHtsimTopology } from '../../workloads/htsim/read-topology.js';
import type { WorkloadGraph, LinkFailure, WorkloadTopology } from '../../workloads/index.js';
import { FILE_READERS, type Endless, type JobEntry, type JobFile } from '../../workloads/job-readers.js';
import { readNcclTopology } from '../../workloads/nccl-xml/read-nccl-topology.js';
import { ncclSettingsOfTopology } from '../../workloads/simai/nccl/nccl-settings.js';
import { readSimai } from '../../workloads/simai/read-simai.js';
import { readSimaiTopology, type SimaiTopology } from '../../workloads/simai/read-topology.js';
import { readText, SETTINGS_BYTES_MAX } from '../read-text.js';
import type { FileNetwork } from './scenario-options.js';

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

const FILE_PATTERN = /^(.*)\.(?:0|[1-9]\d{0,6})\.(?:et|json)$/;
const GROUPS_FILE = 'comm_group.json';

/** A job's settings for reading its traces. */
interface ChakraEntry
  extends Pick<ChakraOptions, 'controlDependencies' | 'hostCommunication' | 'opsPerSecond' | 'memoryBytesPerSecond'> {
  readonly file: string;
  /** Path of the communication groups. Default: comm_group.json next to the traces. */
  readonly groups?: string | undefined;
}

/**
 * Reads a set of Chakra traces, named by folder, or by `FOLDER/PREFIX` if the folder has several sets.
 *
 * @param place resolved path of `entry.file`.
 * @throws RoceError; system errors, which name the file.
 */
async function readChakraFiles(place: string, entry: ChakraEntry): Promise<WorkloadGraph> {
  const { folder, prefix } = await placeOf(place);
  const names = await readdir(folder);
  const files = names.filter((name) => FILE_PATTERN.exec(name)?.[1] !== undefined);
  const prefixes = [...new Set(files.map((name) => FILE_PATTERN.exec(name)?.[1] ?? ''))].sort();
  const wanted = prefix ?? onlyPrefix(prefixes, entry.file);
  const groupsFile = groupsPlace(entry, place, folder, names);
  return readChakra(files.filter((name) => FILE_PATTERN.exec(name)?.[1] === wanted)
    .map((name) => ({ name, source: createReadStream(path.join(folder, name)) })), {
    name: entry.file,
    ...settingsOf(entry),
    ...(groupsFile === undefined ? {} : { groups: await readGroups(groupsFile) }),
  });
}

/** The job's settings, with defaults. */
function settingsOf(entry: ChakraEntry): ChakraOptions {
  const { controlDependencies, hostCommunication } = { ...FILE_DEFAULTS, ...entry };
  const { opsPerSecond, memoryBytesPerSecond } = entry;
  return {
    controlDependencies,
    hostCommunication,
    ...(opsPerSecond === undefined ? {} : { opsPerSecond }),
    ...(memoryBytesPerSecond === undefined ? {} : { memoryBytesPerSecond }),
  };
}

async function placeOf(place: string): Promise<{ folder: string; prefix?: string }> {
  const isFolder = await stat(place).then((status) => status.isDirectory(), () => false);
  return isFolder ? { folder: place } : { folder: path.dirname(place), prefix: path.basename(place) };
}

function onlyPrefix(prefixes: readonly string[], where: string): string {
  const [first = '', ...others] = prefixes;
  if (others.length === 0) return first;
  const allowed = prefixes.map((prefix) => path.join(where, prefix));
  throw new RoceError('invalid-argument', { what: 'the set of traces', got: where, allowed, where });
}

function groupsPlace({ groups, file }: ChakraEntry, place: string, folder: string, names: readonly string[]): string
  | undefined {
  // Relative to the same folder as the path of the traces.
  if (groups !== undefined) return path.resolve(place.slice(0, place.length - file.length) || '.', groups);
  return names.includes(GROUPS_FILE) ? path.join(folder, GROUPS_FILE) : undefined;
}

async function readGroups(file: string): Promise<Record<string, number[]>> {
  const text = await readText(file, SETTINGS_BYTES_MAX);
  try {
    return JSON.parse(text) as Record<string, number[]>;
  } catch (error) {
    const fields = { what: 'the groups', problem: 'are not JSON', cause: error, where: file, fault: 'BAD_GROUPS' };
    throw new RoceError('invalid-workload', fields);
  }
}

const DEPTH_MAX = 6;
const FILES_MAX = 10_000;
const KINDS = {
  workload: /^\s*(?:HYBRID_[A-Z_]+|DATA|MODEL|MICRO|DISTRIBUTED_INFERENCE)\b[^\n]*\n\s*\d+\s*\n/,
  topology: /^\s*\d+(?:[ \t]+\d+){4}(?:[ \t]+\w+)?[ \t]*\r?\n/,
  config: /(?:^|\n)[ \t]*CC_MODE[ \t]+\d/,
} as const;
type Kind = keyof typeof KINDS;

/**
 * Reads a SimAI experiment, named by its folder or workload file. The folder contains one workload, one topology and
 * one SimAI.conf, at any depth, which are recognised by content. For a workload file, the other two are searched in its
 * folder.
 *
 * @throws RoceError; system errors, which name the file.
 */
async function simaiFolderScenario(place: string, name: string, network: FileNetwork): Promise<unknown> {
  const isFolder = (await stat(place)).isDirectory();
  const found = await filesByKind(isFolder ? place : path.dirname(place));
  const workload = isFolder ? onlyOne(found.workload, 'the workload', place) : place;
  if (workload === undefined) {
    const problem = 'has no workload of SimAI';
    throw new RoceError('invalid-argument', { what: 'the folder', problem, where: place });
  }
  const topologyFile = network.topo ??
    (network.topology === undefined ? onlyOne(found.topology, 'the topology', place, '--topo FILE') : undefined);
  const configFile = onlyOne(found.config, 'SimAI.conf', place);
  const topology = topologyFile === undefined ? undefined : await topologyOf(topologyFile, workload);
  const spec = simaiScenario({
    name,
    job: jobOf(workload, topology),
    ignoreUnknownKeys: network.ignoreUnknownKeys === true,
    ...(topology === undefined ? { gpus: await gpusOf(workload) } : { topology }),
    ...(configFile === undefined ?
      {} :
      { config: await readText(configFile, SETTINGS_BYTES_MAX), configName: configFile }),
  });
  return network.topology === undefined ? spec : { ...spec, topology: network.topology.topology };
}

/** Reads a topology of SimAI or NCCL. NCCL's describes one server, which is repeated for all GPUs of the workload. */
async function topologyOf(file: string, workload: string): Promise<SimaiTopology> {
  const source = createReadStream(file);
  return isNcclXml(await headOf(file)) ?
    readNcclTopology(source, { name: file, ranks: await gpusOf(workload) }) :
    readSimaiTopology(source, { name: file });
}

function jobOf(file: string, topology: SimaiTopology | undefined): Parameters<typeof simaiScenario>[0]['job'] {
  const ofTopology = topology === undefined ? {} : { gpus: topology.hosts, ...ncclSettingsOfTopology(topology) };
  return { kind: 'job', format: 'simai', file, ...ofTopology };
}

async function gpusOf(workload: string): Promise<number> {
  return (await readSimai(createReadStream(workload), { name: workload })).ranks;
}

function onlyOne(files: readonly string[], what: string, where: string, hint?: string): string | undefined {
  if (files.length < 2) return files[0];
  throw new RoceError('invalid-argument', {
    what,
    got: where,
    allowed: files,
    where,
    ...(hint === undefined ? {} : { hint }),
  });
}

async function filesByKind(folder: string): Promise<Readonly<Record<Kind, readonly string[]>>> {
  const found: Record<Kind, string[]> = { workload: [], topology: [], config: [] };
  for (const file of await filesIn(folder)) {
    const head = await headOf(file);
    const kind = (Object.keys(KINDS) as Kind[]).find((one) => KINDS[one].test(head));
    if (kind !== undefined) found[kind].push(file);
  }
  return found;
}

/** Files in alphabetical order, without hidden ones. */
async function filesIn(folder: string, depth = 0): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) =>
    !name.startsWith('.') && name !== 'node_modules'
  );
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => path.join(folder, name)).sort();
  const below = depth === DEPTH_MAX ? [] : entries.filter((entry) => entry.isDirectory());
  for (const { name } of below.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    files.push(...await filesIn(path.join(folder, name), depth + 1));
    if (files.length <= FILES_MAX) continue;
    const allowed = { max: FILES_MAX };
    throw new RoceError('invalid-argument', { what: 'the number of files', got: files.length, allowed, where: folder });
  }
  return files;
}

const HEAD_BYTES = 4096;

/**
 * Reads a topology file of another program, recognised by its first word: SimAI's begin with a number, NCCL's with a tag, htsim's with a key or a comment.
 *
 * @param ranks number of ranks. An NCCL file describes one server; the network has as many as the ranks need.
 * @throws RoceError; system errors, which name the file.
 */
export async function readTopologyFile(file: string, ranks: number, failures: readonly LinkFailure[] = []): Promise<
  WorkloadTopology | SimaiTopology
> {
  const head = await headOf(file);
  const source = createReadStream(file);
  if (isNcclXml(head)) return readNcclTopology(source, { name: file, ranks });
  const isSimai = failures.length === 0 && /^\s*\d/.test(head);
  return isSimai ? readSimaiTopology(source, { name: file }) : readHtsimTopology(source, { name: file, failures });
}

/** Whether a file with this beginning is an NCCL topology. */
function isNcclXml(head: string): boolean {
  return /^\s*</.test(head);
}

/** The first characters of a file. */
export async function headOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
