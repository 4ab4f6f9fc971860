/** Replaces a scenario's topology that is a file of another program by its nodes and links. */
import path from 'node:path';
import { createReadStream } from 'node:fs';
import { RoceError } from '../../errors.js';
import { FILE_DEFAULTS } from '../../workloads/file-defaults.js';
import { readHtsimTopology } from '../../workloads/htsim/read-topology.js';
import { readNcclTopology } from '../../workloads/nccl-xml/read-nccl-topology.js';
import { readSimaiTopology } from '../../workloads/simai/read-topology.js';
import type { WorkloadTopology } from '../../workloads/index.js';
import type { JobGraphs } from './job-files.js';
import { isRecord } from './plain-record.js';

const FORMATS = ['htsim', 'simai', 'nccl-xml'] as const;
/** A topology that names a file. */
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
export async function withTopologyFile(spec: unknown, folder: string, graphs: JobGraphs): Promise<unknown> {
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
