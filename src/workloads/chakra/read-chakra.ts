/** Chakra execution traces to graphs: a file per rank, protobuf or JSON. */
import { FILE_DEFAULTS } from '../file-defaults.js';
import { checkField, checkRecord, oneOf, reject } from '../../config/field-rules.js';
import { readChunks, type WorkloadSource } from '../byte-source.js';
import { checkGraph } from '../graph/check-graph.js';
import type { WorkloadGraph } from '../graph/workload-graph.js';
import { rejectWorkload } from '../workload-error.js';
import type { ChakraTrace } from './chakra-node.js';
import { ChakraGraph, type ChakraGraphOptions } from './chakra-graph.js';
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
  /**
   * Sends, receives and collectives that have `is_cpu_op` true: calls on the host, which take their duration and are noted; or sent
   * as others are. Default `noted`.
   */
  readonly hostCommunication?: 'noted' | 'sent';
  /** Speed of computes that have `num_ops` and no duration, operations per second, above 0. Default: they take no time. */
  readonly opsPerSecond?: number;
  /** Speed of loads and stores that have `tensor_size` and no duration, bytes per second, above 0. Default: they take no time. */
  readonly memoryBytesPerSecond?: number;
}

const NAME_PATTERN = /\.(0|[1-9]\d{0,6})\.(et|json)$/;

/**
 * Reads the traces of all ranks, one file after the other.
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
  if (typeof name !== 'string') reject({ got: name, allowed: 'a text', where: 'options.name' });
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
