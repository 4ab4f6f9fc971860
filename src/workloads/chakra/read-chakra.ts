/** Reads Chakra execution traces into a graph: one file per rank, protobuf or JSON. */
import { FILE_DEFAULTS } from '../job-formats.js';
import { checkField, checkRecord, oneOf, reject } from '../../config/field-rules.js';
import { readChunks, type WorkloadSource } from '../read-lines.js';
import { rejectWorkload } from '../workload-error.js';
import { checkGraph } from '../graph/check-graph.js';
import type { WorkloadGraph } from '../graph/workload-graph.js';
import type { ChakraTrace } from './chakra-node.js';
import { ChakraGraph, type ChakraGraphOptions } from './chakra-graph.js';
import { Groups } from './collective-instances.js';
import { readJsonTrace, TraceReader } from './trace-reader.js';

/** The trace file of one rank. */
export interface ChakraFile {
  /** File name `PREFIX.R.et` or `PREFIX.R.json`, in which R is the rank. */
  readonly name: string;
  /** Contents of the file; gzip is decompressed. */
  readonly source: WorkloadSource;
}

/** Options for reading Chakra traces. */
export interface ChakraOptions {
  /** Name of the set of traces in errors. Default `chakra`. */
  readonly name?: string;
  /** Groups of ranks by name, as in comm_group.json. Default: only the group of all ranks. */
  readonly groups?: Readonly<Record<string, readonly number[]>>;
  /** Whether dependencies on the host's call tree are treated as dependencies on the ends of nodes. Default false. */
  readonly controlDependencies?: boolean;
  /** Whether unknown versions are accepted. Default false. */
  readonly anyVersion?: boolean;
  /**
   * How sends, receives and collectives with `is_cpu_op` true, which are calls on the host, are treated: `noted` takes
   * their duration and reports them; `sent` sends them like others. Default `noted`.
   */
  readonly hostCommunication?: 'noted' | 'sent';
  /**
   * Speed of compute nodes that have `num_ops` but no duration, operations per second, above 0. Default: they take no
   * time.
   */
  readonly opsPerSecond?: number;
  /**
   * Speed of loads and stores that have `tensor_size` but no duration, bytes per second, above 0. Default: they take no
   * time.
   */
  readonly memoryBytesPerSecond?: number;
}

const NAME_PATTERN = /\.(0|[1-9]\d{0,6})\.(et|json)$/;

/**
 * Reads the traces of all ranks, one file after another.
 *
 * @throws RoceError `invalid-workload`, with the fault, the file and the node or record.
 */
export async function readChakra(files: readonly ChakraFile[], options: ChakraOptions = {}): Promise<WorkloadGraph> {
  const { name, groups, anyVersion, ...settings } = checkedOptions(options);
  const byRank = filesByRank(files, name);
  const graph = new ChakraGraph(byRank.length, new Groups(byRank.length, groups, name), { name, ...settings });
  let nodeCount = 0;
  for (const [rank, file] of byRank.entries()) {
    const read = await readTrace(file, anyVersion);
    nodeCount += read.nodes.length;
    graph.add({ rank, name: file.name, ...read });
  }
  if (nodeCount === 0) rejectWorkload('NO_NODES', { what: 'the traces', problem: 'have no nodes', where: name });
  return checkGraph(graph.finish());
}

interface CheckedOptions extends ChakraGraphOptions {
  readonly groups: Readonly<Record<string, readonly number[]>>;
  readonly anyVersion: boolean;
}

function checkedOptions(options: ChakraOptions): CheckedOptions {
  checkRecord(options, 'options');
  const { name = 'chakra', groups = {}, anyVersion = false, opsPerSecond, memoryBytesPerSecond } = options;
  const { controlDependencies, hostCommunication } = { ...FILE_DEFAULTS, ...options };
  if (typeof name !== 'string') reject({ got: name, allowed: 'a string', where: 'options.name' });
  for (const [where, got] of Object.entries({ controlDependencies, anyVersion })) {
    if (typeof got !== 'boolean') reject({ got, allowed: [true, false], where: `options.${where}` });
  }
  checkField(hostCommunication, oneOf('noted', 'sent'), 'options.hostCommunication');
  for (const [where, got] of Object.entries({ opsPerSecond, memoryBytesPerSecond })) {
    if (got === undefined || (typeof got === 'number' && got > 0 && got < Infinity)) continue;
    reject({ got, allowed: { above: 0 }, where: `options.${where}` });
  }
  return { name, groups, controlDependencies, anyVersion, hostCommunication, opsPerSecond, memoryBytesPerSecond };
}

/** Orders the files by rank; ranks must start at 0 without gaps. */
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
  if (byRank.size === 0) rejectWorkload('NO_NODES', { what: 'the list of files', problem: 'is empty', where: name });
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

async function readTrace({ name, source }: ChakraFile,
  anyVersion: boolean): Promise<Pick<ChakraTrace, 'nodes' | 'stated'>> {
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
