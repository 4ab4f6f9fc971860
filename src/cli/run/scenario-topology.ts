/** Topologies of scenarios that are files of other programs: read, and put in their place link by link. */
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
/** What names a file. */
interface FileTopology {
  readonly format: typeof FORMATS[number];
  readonly file: string;
  readonly servers?: number;
}

/**
 * The scenario with the nodes and links of the file that its topology names; what the reader notes joins its notes.
 *
 * @param folder where the scenario is: its files are named from there.
 * @param graphs of its jobs: links that a connection matrix says fail are left out of a topology of htsim.
 * @throws RoceError `invalid-workload`; errors of the system, which name the file.
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

/** What has another form is for the scenario's own check. */
function isFileTopology(topology: unknown): topology is FileTopology {
  if (!isRecord(topology) || topology['kind'] !== 'file' || typeof topology['file'] !== 'string') return false;
  return FORMATS.some((format) => format === topology['format']);
}

function rejectServers(format: string, got: number): never {
  const problem = `is of nccl-xml, and the format is ${format}`;
  throw new RoceError('invalid-scenario', { what: 'topology.servers', problem, got, where: 'topology.servers' });
}

function listOf(notes: unknown): readonly unknown[] {
  return Array.isArray(notes) ? notes : [];
}
