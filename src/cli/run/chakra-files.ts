/** Reads a set of Chakra traces, named by folder, or by `FOLDER/PREFIX` if the folder has several sets. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { RoceError } from '../../errors.js';
import { FILE_DEFAULTS } from '../../workloads/file-defaults.js';
import { readChakra, type ChakraOptions } from '../../workloads/chakra/read-chakra.js';
import type { WorkloadGraph } from '../../workloads/index.js';
import { readText, SETTINGS_BYTES_MAX } from '../read-text.js';

const FILE_PATTERN = /^(.*)\.(?:0|[1-9]\d{0,6})\.(?:et|json)$/;
const GROUPS_FILE = 'comm_group.json';

/** A job's settings for reading its traces. */
export interface ChakraEntry
  extends Pick<ChakraOptions, 'controlDependencies' | 'hostCommunication' | 'opsPerSecond' | 'memoryBytesPerSecond'> {
  readonly file: string;
  /** Path of the communication groups. Default: comm_group.json next to the traces. */
  readonly groups?: string | undefined;
}

/** @param place resolved path of `entry.file`. @throws RoceError; system errors, which name the file. */
export async function readChakraFiles(place: string, entry: ChakraEntry): Promise<WorkloadGraph> {
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
