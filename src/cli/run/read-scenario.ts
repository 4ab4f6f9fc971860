/** Reads a scenario that the user names: a file, a shipped scenario, or a config of the reference simulator. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { closest, distance } from 'fastest-levenshtein';
import { requirePlainJson, requireShallowText } from '../../config/json-limits.js';
import { RoceError } from '../../errors.js';
import { readReferenceExperiment, type ReferenceExperiment } from '../../sim/reference-files/reference-scenario.js';
import type { JobFormat } from '../../workloads/job-formats.js';
import type { JobFile } from '../../workloads/job-readers.js';
import { readText, readTextSync, SETTINGS_BYTES_MAX } from '../read-text.js';
import { inputFile, shippedNames } from '../shipped-files.js';
import { withConnections, type FileNetwork } from './scenario-options.js';
import { fileScenario, type JobGraphs } from './job-files.js';

const CAPTURE_PATTERN = /\.(?:pcap|pcapng|cap)(?:\.gz)?$/i;

/** Options for reading experiments of the reference simulator. */
export type ReferenceOptions = Pick<ReferenceExperiment, 'queues' | 'ignoreUnknownKeys'>;

/** A scenario as read, and the name that the user gave. */
export interface ReadScenario {
  /** The name that the user gave, for commands that run it again. */
  readonly source: string;
  readonly isReference: boolean;
  /** Format of the workload file, if there is no scenario file. */
  readonly format?: JobFormat;
  readonly spec: unknown;
  /** Graphs of those job files that have already been read. */
  readonly graphs: JobGraphs;
  /** Folder to which its file names are relative. */
  readonly folder: string;
}

/** @throws RoceError and system errors, which name the file. */
export async function readScenario(source: string): Promise<ReadScenario> {
  if (CAPTURE_PATTERN.test(source)) rejectCapture(source);
  const file = inputFile(source, 'scenario');
  if (!existsSync(file)) await rejectName(source);
  const spec = parseJson(await readText(file), source);
  return { source, isReference: false, spec, graphs: {}, folder: path.dirname(file) };
}

/**
 * Makes a scenario from a workload file, on the network of an option.
 *
 * @throws RoceError and system errors, which name the file.
 */
export async function readWorkload(job: JobFile, network: FileNetwork): Promise<ReadScenario> {
  const { file: source, format } = job;
  const { spec, graphs } = await fileScenario(job, network);
  return { source, isReference: false, format, folder: '', spec: withConnections(spec, network.connections), graphs };
}

function rejectCapture(source: string): never {
  const allowed = 'a JSON file or a shipped scenario';
  const hint = `A capture is replayed with roce-cc replay ${source}`;
  throw new RoceError('invalid-argument', { what: 'the scenario', got: source, allowed, where: 'SCENARIO', hint });
}

async function rejectName(source: string): Promise<never> {
  const similar = similarTo(source, await shippedNames('scenario'));
  const allowed = 'a JSON file or a shipped scenario';
  const meant = similar === undefined ? '' : `Did you mean ${similar}? `;
  const hint = `${meant}roce-cc list has the scenarios, roce-cc --help the commands`;
  throw new RoceError('invalid-argument', { what: 'the scenario', got: source, allowed, where: 'SCENARIO', hint });
}

/** Parses the JSON of a scenario, or of a file that contains one. @throws RoceError `invalid-scenario`. */
export function parseJson(text: string, source: string): unknown {
  requireShallowText(text, 'invalid-scenario', source);
  let spec: unknown;
  try {
    spec = JSON.parse(text) as unknown;
  } catch (error) {
    const problem = 'is not JSON';
    throw new RoceError('invalid-scenario', { what: 'the scenario', problem, cause: error, where: source });
  }
  requirePlainJson(spec, 'invalid-scenario', source);
  return spec;
}

/**
 * Reads an experiment of the reference simulator.
 *
 * @param options `queues`: whether queues are sampled as that simulator does for its queue file.
 * @throws RoceError and system errors, which name the file.
 */
export async function readReference(source: string, options: ReferenceOptions = {}): Promise<ReadScenario> {
  const config = await readText(source, SETTINGS_BYTES_MAX);
  const spec = readReferenceExperiment({
    config,
    ...options,
    configName: path.basename(source),
    readFile: (name) => readNamedFile(source, name),
  });
  return { source, isReference: true, spec, graphs: {}, folder: path.dirname(source) };
}

/**
 * Reads a file that a config names relative to the simulator's working folder, which is unknown. Searches next to the
 * config, in the folders above it, in the current folder, and finally for the bare name next to the config.
 */
function readNamedFile(config: string, name: string): string {
  const folder = path.dirname(path.resolve(config));
  const folders = [...foldersUpFrom(folder), process.cwd()];
  const places = [...folders.map((place) => path.resolve(place, name)), path.join(folder, path.basename(name))];
  const found = places.find((place) => existsSync(place));
  if (found !== undefined) return withShortLines(readTextSync(found), found);
  const problem = `is in none of ${folder}, the folders above it, and ${process.cwd()}`;
  throw new RoceError('invalid-scenario', { what: `the file ${name}`, problem, where: config });
}

/**
 * Maximum line length of topology and flow files: twice that of 65,535 switch numbers. A longer line is invalid and not
 * worth splitting.
 */
const LINE_MAX = 1024 * 1024;

function withShortLines(text: string, file: string): string {
  let number = 1;
  for (let from = 0; from < text.length; number++) {
    const end = text.indexOf('\n', from);
    const next = end < 0 ? text.length : end + 1;
    if (next - from > LINE_MAX) {
      const allowed = { max: LINE_MAX, unit: 'characters' };
      const where = `${file}, line ${number}`;
      throw new RoceError('invalid-scenario', { what: 'the length of the line', got: next - from, allowed, where });
    }
    from = next;
  }
  return text;
}

function foldersUpFrom(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpFrom(parent)];
}

/** Maximum edits per character between similar names. */
const EDITS_SHARE = 0.4;

/** The most similar name; undefined if none is similar enough. */
function similarTo(given: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const name = closest(given, names);
  return distance(given, name) <= EDITS_SHARE * Math.max(given.length, name.length) ? name : undefined;
}
