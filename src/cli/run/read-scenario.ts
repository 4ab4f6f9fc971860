/** A scenario's data by what the user calls it: a file, one that the package brings, a config of the reference simulator. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { RoceError } from '../../errors.js';
import { requirePlainJson, requireShallowText } from '../../config/json-limits.js';
import { readReferenceExperiment, type ReferenceExperiment } from '../../sim/reference-files/reference-scenario.js';
import { readText, readTextSync, SETTINGS_BYTES_MAX } from '../read-text.js';
import { inputFile, shippedNames } from '../shipped-files.js';
import { similarTo } from '../similar-name.js';
import type { JobFormat } from '../../workloads/job-formats.js';
import type { JobFile } from '../../workloads/job-readers.js';
import { fileScenario, type JobGraphs } from './job-files.js';
import { withConnections } from './connections-option.js';
import type { FileNetwork } from './topology-option.js';

const CAPTURE_PATTERN = /\.(?:pcap|pcapng|cap)(?:\.gz)?$/i;

/** How experiments of the reference simulator are read. */
export type ReferenceOptions = Pick<ReferenceExperiment, 'queues' | 'ignoreUnknownKeys'>;

/** What was read, and what it was called by. */
export interface ReadScenario {
  /** What the user called it by, for commands that run it again. */
  readonly source: string;
  readonly isReference: boolean;
  /** The format of a workload's file, where that is all there is. */
  readonly format?: JobFormat;
  readonly spec: unknown;
  /** Of the files that its jobs name, as far as they are read. */
  readonly graphs: JobGraphs;
  /** Where the files of its jobs are named from. */
  readonly folder: string;
}

/** @throws RoceError and errors of the system, which name the file. */
export async function readScenario(source: string): Promise<ReadScenario> {
  if (CAPTURE_PATTERN.test(source)) rejectCapture(source);
  const file = inputFile(source, 'scenario');
  if (!existsSync(file)) await rejectName(source);
  const spec = parseJson(await readText(file), source);
  return { source, isReference: false, spec, graphs: {}, folder: path.dirname(file) };
}

/** A workload's file alone, on the network of an option. @throws RoceError and errors of the system, which name the file. */
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

/** JSON of a scenario, or of what holds one. @throws RoceError `invalid-scenario`. */
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
 * An experiment of the reference simulator.
 *
 * @param options queues: whether its queues are looked at, as that simulator does for its file of queues.
 * @throws RoceError and errors of the system, which name the file.
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
 * Config files name others relative to the simulator's working folder, which is no longer known: searched next to the
 * config, in the folders above it, in the current folder, and finally by the bare name next to the config.
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

/** Of topologies and flows: 65,535 numbers of switches are half of that. More would be split into words for nothing. */
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
