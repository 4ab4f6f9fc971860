/** Chakra execution traces to graphs: a file per rank, protobuf or JSON. */
import { FILE_DEFAULTS } from '../file-defaults.js';
import { checkRecord, reject } from '../../config/field-rules.js';
import { readChunks, type WorkloadSource } from '../byte-source.js';
import { checkGraph } from '../graph/check-graph.js';
import type { WorkloadGraph } from '../graph/workload-graph.js';
import { rejectWorkload } from '../workload-error.js';
import type { ChakraNode } from './chakra-node.js';
import { ChakraGraph } from './chakra-graph.js';
import { Groups } from './groups.js';
import { readJsonTrace } from './json-trace.js';
import { TraceReader } from './trace-reader.js';

/** One rank's file. */
export interface ChakraFile {
  /** `PREFIX.R.et`, or `PREFIX.R.json`: R is the rank. */
  readonly name: string;
  /** Its bytes; gzip is unpacked. */
  readonly source: WorkloadSource;
}

/** Options for reading traces. */
export interface ChakraOptions {
  /** Name of all of them in errors. Default `chakra`. */
  readonly name?: string;
  /** Groups of ranks by name, as comm_group.json has them. Default: none but that of all ranks. */
  readonly groups?: Readonly<Record<string, readonly number[]>>;
  /** Whether dependencies on the host's call tree are taken as dependencies on ends. Default false. */
  readonly controlDependencies?: boolean;
  /** Whether unknown versions are accepted. Default false. */
  readonly anyVersion?: boolean;
}

const NAME_PATTERN = /\.(0|[1-9]\d{0,6})\.(et|json)$/;

/**
 * Reads the traces of all ranks, one file after the other.
 *
 * @throws RoceError `invalid-workload`, with the fault, the file and the node or record.
 */
export async function readChakra(files: readonly ChakraFile[], options: ChakraOptions = {}): Promise<WorkloadGraph> {
  const { name, groups, controlDependencies, anyVersion } = checkedOptions(options);
  const byRank = filesByRank(files, name);
  const graph = new ChakraGraph(byRank.length, new Groups(byRank.length, groups, name), { name, controlDependencies });
  let nodeCount = 0;
  for (const [rank, file] of byRank.entries()) {
    const nodes = await readNodes(file, anyVersion);
    nodeCount += nodes.length;
    graph.add({ rank, name: file.name, nodes });
  }
  if (nodeCount === 0) rejectWorkload('NO_NODES', { what: 'the traces', problem: 'have no nodes', where: name });
  return checkGraph(graph.finish());
}

function checkedOptions(options: ChakraOptions): Required<ChakraOptions> {
  checkRecord(options, 'options');
  const { name = 'chakra', groups = {}, controlDependencies = FILE_DEFAULTS.controlDependencies, anyVersion = false } =
    options;
  if (typeof name !== 'string') reject({ got: name, allowed: 'a text', where: 'options.name' });
  for (const [where, got] of Object.entries({ controlDependencies, anyVersion })) {
    if (typeof got !== 'boolean') reject({ got, allowed: [true, false], where: `options.${where}` });
  }
  return { name, groups, controlDependencies, anyVersion };
}

/** A set without gaps, from rank 0 on. */
function filesByRank(files: readonly ChakraFile[], name: string): ChakraFile[] {
  if (!Array.isArray(files)) reject({ got: files, allowed: 'a list of files', where: 'files' });
  const byRank = new Map<number, ChakraFile>();
  for (const [place, file] of (files as readonly ChakraFile[]).entries()) {
    const checked: unknown = checkRecord(file, `files[${place}]`)['name'];
    const found = typeof checked === 'string' ? NAME_PATTERN.exec(checked) : null;
    if (found === null) reject({ got: checked, allowed: 'a name such as trace.0.et', where: `files[${place}].name` });
    const rank = Number(found[1]);
    if (byRank.has(rank))
      rejectWorkload('DUPLICATE_RANK', { what: `rank ${rank}`, problem: 'has two files', where: name });
    byRank.set(rank, file);
  }
  if (byRank.size === 0) rejectWorkload('NO_NODES', { what: 'files', problem: 'are none', where: name });
  return Array.from({ length: byRank.size }, (_, rank) => {
    const file = byRank.get(rank);
    if (file !== undefined) return file;
    const last = Math.max(...byRank.keys());
    return rejectWorkload('MISSING_RANK', {
      what: `the trace of rank ${rank}`,
      problem: `is missing; the last one is of rank ${last}`,
      where: name,
    });
  });
}

async function readNodes({ name, source }: ChakraFile, anyVersion: boolean): Promise<ChakraNode[]> {
  if (name.endsWith('.json')) return readJsonTrace(await readText(source, name), name);
  const reader = new TraceReader({ name, anyVersion });
  await readChunks(source, name, (chunk) => {
    reader.push(chunk);
  });
  return reader.finish();
}

const JSON_MAX_BYTES = 256 * 1024 * 1024;

async function readText(source: WorkloadSource, where: string): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  await readChunks(source, where, (chunk) => {
    bytes += chunk.length;
    if (bytes > JSON_MAX_BYTES) {
      const allowed = { max: JSON_MAX_BYTES, unit: 'bytes' };
      rejectWorkload('TOO_LARGE', { what: 'the trace', problem: 'is too long', allowed, where });
    }
    parts.push(decoder.decode(chunk, { stream: true }));
  });
  return parts.join('') + decoder.decode();
}
