/** Loads scenarios from files, from the shipped ones, and from files of the reference simulator. */
import path from 'node:path';
import { createReadStream } from 'node:fs';
import { RoceError } from '../../errors.js';
import type { ConnectionsSpec } from '../../sim/scenario/spec.js';
import { readSizePoints } from '../../sim/workload/size-distributions.js';
import { FILE_DEFAULTS } from '../../workloads/job-formats.js';
import { readHtsimTopology } from '../../workloads/htsim/read-topology.js';
import type { WorkloadTopology } from '../../workloads/index.js';
import type { JobFile } from '../../workloads/job-readers.js';
import { readNcclTopology } from '../../workloads/nccl-xml/read-nccl-topology.js';
import { readSimaiTopology } from '../../workloads/simai/read-topology.js';
import { algorithmOfWord } from '../algorithms/load-algorithm.js';
import { underAlgorithm, withAlgorithms, type AlgorithmFiles,
  type ScenarioWithFiles } from '../algorithms/algorithms-of-scenario.js';
import { readText, SETTINGS_BYTES_MAX } from '../read-text.js';
import type { ReadSettings } from '../settings/read-settings.js';
import { readRunOfSweep } from '../sweep/load-sweep.js';
import { readJobFiles, type JobGraphs } from './job-files.js';
import { isRecord, type PlainRecord, type TopologyOption, applySetValues, type SetValue } from './scenario-options.js';
import { readReference, readScenario, readWorkload, type ReadScenario,
  type ReferenceOptions } from './read-scenario.js';
import { uniqueNames } from './run-names.js';
import { settingsChanges } from './settings-changes.js';

/** A scenario that has been read but not validated. */
export interface LoadedScenario extends Omit<ReadScenario, 'folder'> {
  /** Unique name of the run. */
  readonly name: string;
  /** The scenario's custom algorithms, by absolute path. */
  readonly algorithmFiles: AlgorithmFiles;
  /** The scenario's custom congestion points, by absolute path. */
  readonly congestionPointFiles: ScenarioWithFiles['congestionPointFiles'];
}

interface ScenarioSources {
  /** Files, names of shipped scenarios, or runs of sweeps, as `sweep.json#0123456789abcdef`. */
  readonly scenarios: readonly string[];
  /** Config files of the reference simulator. */
  readonly references: readonly string[];
  /** Files of workloads, and the topology that they run on. */
  readonly files?: readonly JobFile[];
  readonly topology?: TopologyOption | undefined;
  readonly topo?: string | undefined;
  /** QPs of the messages of workload files. */
  readonly connections?: ConnectionsSpec | undefined;
  readonly seed: number | undefined;
  readonly changes: readonly SetValue[];
  /** Vendors' settings; `changes` override them. */
  readonly settings?: readonly ReadSettings[];
  /** Presets and files that replace the algorithms of the scenarios, each in a separate run. Default: none. */
  readonly algorithms?: readonly string[];
  /** Options for reading `references`. */
  readonly ofReferences?: ReferenceOptions;
}

/**
 * Reads all scenarios and applies the command line's changes.
 *
 * @throws RoceError and system errors, which name the file.
 */
export async function loadScenarios(
  {
    scenarios,
    references,
    files = [],
    topology,
    topo,
    connections,
    seed,
    changes,
    settings = [],
    algorithms = [],
    ofReferences,
  }: ScenarioSources,
): Promise<LoadedScenario[]> {
  const read = [
    ...(await Promise.all(scenarios.map(async (source) => await readRunOfSweep(source) ?? readScenario(source)))),
    ...(await Promise.all(references.map((source) => readReference(source, ofReferences)))),
    ...(await Promise.all(
      files.map((file) =>
        readWorkload(file, { topology, topo, connections, ignoreUnknownKeys: ofReferences?.ignoreUnknownKeys })
      ),
    )),
  ];
  const allChanges = seed === undefined ? changes : [...changes, { text: `seed=${seed}`, path: ['seed'], value: seed }];
  const changed = await Promise.all(
    read.flatMap((one) => variantsOf(one, algorithms)).map(async ({ folder, variant, ...scenario }) => {
      const ofVendors = settingsChanges(settings, scenario.spec, scenario.source);
      const set = applySetValues(scenario.spec, [...ofVendors, ...allChanges]);
      const { spec: given, ...files } = await withAlgorithms(set, folder);
      const spec = await withSizeFiles(given, folder);
      const graphs = await readJobFiles(spec, folder, scenario.graphs);
      return { ...scenario, variant, spec: await withTopologyFile(spec, folder, graphs), graphs, ...files };
    }),
  );
  const names = uniqueNames(changed.map(({ spec, source, variant }) => {
    const name = nameOf(spec) ?? path.parse(source).name;
    return variant === undefined ? name : `${name}, under ${variant}`;
  }));
  return changed.map(({ variant, ...scenario }, index) => ({
    ...scenario,
    name: names[index] ?? variant ?? scenario.source,
  }));
}

/** The scenario with each of these algorithms; unchanged if there are none. */
function variantsOf(scenario: ReadScenario,
  algorithms: readonly string[]): (ReadScenario & { readonly variant: string | undefined })[] {
  if (algorithms.length === 0) return [{ ...scenario, variant: undefined }];
  return algorithms.map((algorithm) => ({
    ...scenario,
    spec: underAlgorithm(scenario.spec, algorithmOfWord(algorithm)),
    variant: path.parse(algorithm).name,
  }));
}

function nameOf(spec: unknown): string | undefined {
  const name = typeof spec === 'object' && spec !== null && 'name' in spec ? spec.name : undefined;
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}

const FORMATS = ['htsim', 'simai', 'nccl-xml'] as const;
/** A topology that is a file of another program. */
interface FileTopology {
  readonly format: typeof FORMATS[number];
  readonly file: string;
  readonly servers?: number;
}

/**
 * Puts the nodes and links of the topology's file into the scenario, and adds the reader's notes.
 *
 * @param folder of the scenario; its file names are relative to this. @param graphs of its jobs: an htsim topology
 * omits the links that fail according to a connection matrix.
 * @throws RoceError `invalid-workload`; system errors, which name the file.
 */
async function withTopologyFile(spec: unknown, folder: string, graphs: JobGraphs): Promise<unknown> {
  if (!isRecord(spec) || !isFileTopology(spec['topology'])) return spec;
  const { topology, notes } = await readFile(spec['topology'], folder, graphs);
  const known: unknown = spec['notes'];
  return notes.length === 0 ? { ...spec, topology } : { ...spec, topology, notes: [...listOf(known), ...notes] };
}

function readFile({ format, file, servers }: FileTopology, folder: string,
  graphs: JobGraphs): Promise<WorkloadTopology> {
  const source = createReadStream(path.resolve(folder, file));
  if (format === 'nccl-xml') return readNcclTopology(source, { name: file, servers: servers ?? FILE_DEFAULTS.servers });
  if (servers !== undefined) rejectServers(format, servers);
  if (format === 'simai') return readSimaiTopology(source, { name: file });
  const failures = Object.values(graphs).flatMap((graph) => graph.failures);
  return readHtsimTopology(source, { name: file, failures });
}

/** Whether a topology names a file. Anything invalid is left to the scenario's validation. */
function isFileTopology(topology: unknown): topology is FileTopology {
  if (!isRecord(topology) || topology['kind'] !== 'file' || typeof topology['file'] !== 'string') return false;
  return FORMATS.some((format) => format === topology['format']);
}

function rejectServers(format: string, got: number): never {
  const problem = `applies to the format nccl-xml only, not to ${format}`;
  throw new RoceError('invalid-scenario', { what: 'topology.servers', problem, got, where: 'topology.servers' });
}

function listOf(notes: unknown): readonly unknown[] {
  return Array.isArray(notes) ? notes : [];
}

/**
 * Reads the files of flow sizes that Poisson workloads name, and puts their points into the scenario.
 *
 * @param folder of the scenario; its file names are relative to this.
 * @throws RoceError `invalid-scenario`; system errors, which name the file.
 */
async function withSizeFiles(spec: unknown, folder: string): Promise<unknown> {
  if (!isRecord(spec)) return spec;
  const { workload } = spec;
  const all: readonly unknown[] = Array.isArray(workload) ? workload : [workload];
  if (!all.some(hasSizeFile)) return spec;
  const read = await Promise.all(all.map((one) => (hasSizeFile(one) ? withPoints(one, folder) : one)));
  return { ...spec, workload: Array.isArray(workload) ? read : read[0] };
}

type WithFile = PlainRecord & { readonly sizes: { readonly file: string } };

async function withPoints(workload: WithFile, folder: string): Promise<PlainRecord> {
  const { sizes: { file } } = workload;
  return { ...workload, sizes: readSizePoints(await readText(path.resolve(folder, file), SETTINGS_BYTES_MAX), file) };
}

/** Whether a workload names a file of sizes. Anything invalid is left to the scenario's validation. */
function hasSizeFile(workload: unknown): workload is WithFile {
  if (!isRecord(workload) || !isRecord(workload['sizes'])) return false;
  return Object.keys(workload['sizes']).length === 1 && typeof workload['sizes']['file'] === 'string';
}
