/**
 * The files that commands read: text from files, pipes and devices, up to a limit that is checked before or while
 * reading; and files shipped with the package: examples, which a command takes by the path that the documentation uses
 * or by name, and files that the build makes.
 *
 * This file must stay in src/cli/: its relative paths must also be right from dist/cli.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RoceError } from '../errors.js';

/** Maximum length of a V8 string. */
export const FILE_BYTES_MAX = 512 * 1024 * 1024 - 64;
/** Limit for inputs of unknown length: pipes, devices, standard input. */
const STREAM_BYTES_MAX = 256 * 1024 * 1024;
/** Limit for settings and other short files, written by hand or by a driver. */
export const SETTINGS_BYTES_MAX = 1024 * 1024;
const READ_BYTES = 1024 * 1024;
const STANDARD_INPUT = '-';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLES = 'examples';
const EXTENSION = '.json';

/**
 * Reads a file, or a shipped one at `examples/…`; `-` is standard input. Drops a byte order mark.
 *
 * @param maxBytes limit for texts that are never long. Default: the limits above.
 * @throws RoceError `invalid-argument` if the text is too long; system errors, which name the file.
 */
export async function readText(file: string, maxBytes = Infinity): Promise<string> {
  return file === STANDARD_INPUT ? readStream(process.stdin, maxBytes) : readTextSync(inputFile(file), maxBytes);
}

/** Reads a file, synchronously. */
export function readTextSync(file: string, maxBytes = Infinity): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const status = fstatSync(descriptor);
    if (!status.isFile()) return decode([...readChunks(descriptor, file, maxBytes)]);
    const max = Math.min(FILE_BYTES_MAX, maxBytes);
    if (status.size > max) reject(file, max, status.size);
    // Files of /proc and /sys have a size of 0, but do have content.
    return status.size === 0 ?
      decode([...readChunks(descriptor, file, maxBytes)]) :
      withoutMark(readFileSync(descriptor, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && !('path' in error)) Object.assign(error, { path: file });
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function* readChunks(descriptor: number, file: string, maxBytes: number): Generator<Uint8Array> {
  const max = Math.min(STREAM_BYTES_MAX, maxBytes);
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(READ_BYTES);
    const count = readSync(descriptor, chunk);
    if (count === 0) return;
    total += count;
    if (total > max) reject(file, max);
    yield chunk.subarray(0, count);
  }
}

async function readStream(stream: AsyncIterable<Uint8Array | string>, maxBytes: number): Promise<string> {
  const max = Math.min(STREAM_BYTES_MAX, maxBytes);
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    total += bytes.length;
    if (total > max) reject('standard input', max);
    chunks.push(bytes);
  }
  return decode(chunks);
}

function decode(chunks: readonly Uint8Array[]): string {
  return withoutMark(Buffer.concat(chunks).toString('utf8'));
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function reject(where: string, max: number, got?: number): never {
  const allowed = { max, unit: 'bytes' };
  const problem = got === undefined ? { problem: 'is too long' } : { got };
  throw new RoceError('invalid-argument', { what: 'the length of the input', allowed, where, ...problem });
}

/** Folder of the built lab. */
export const labFolder = (): string => path.join(PACKAGE, 'dist', 'lab');

/** Kind of file that a command expects. */
export type ShippedKind = 'scenario' | 'sweep' | 'tune';

/** Folders in examples/, by the kind of their files. */
const FOLDERS: Readonly<Record<ShippedKind, readonly string[]>> = {
  scenario: ['scenarios', 'jobs'],
  sweep: ['figures', 'sweeps'],
  tune: ['tune'],
};

/** The scenarios that `roce-cc` compares by default: a shared long link under three kinds of congestion control. */
export const MAIN_JOB: readonly string[] = ['long-link', 'long-link-fast-cnp', 'long-link-hpcc'];

/**
 * Resolves a command's file argument: an existing file; otherwise a shipped file, by its path `examples/…` or, within a
 * kind, by its name. If there is none, the argument is returned unchanged.
 */
export function inputFile(given: string, kind?: ShippedKind): string {
  return existsSync(given) ? given : shippedPlaces(given, kind).find((place) => existsSync(place)) ?? given;
}

function shippedPlaces(given: string, kind: ShippedKind | undefined): readonly string[] {
  const inExamples = path.normalize(given);
  if (inExamples.startsWith(`${EXAMPLES}${path.sep}`)) return [path.join(PACKAGE, inExamples)];
  if (kind === undefined || given !== path.basename(given)) return [];
  return FOLDERS[kind].map((folder) => path.join(PACKAGE, EXAMPLES, folder, `${given}${EXTENSION}`));
}

/** Names of all shipped files of a kind, in order. */
export async function shippedNames(kind: ShippedKind): Promise<string[]> {
  const folders = FOLDERS[kind].map((folder) => path.join(PACKAGE, EXAMPLES, folder));
  const files = await Promise.all(folders.map((folder) => readdir(folder).catch((): string[] => [])));
  return files.flat().filter((file) => file.endsWith(EXTENSION)).map((file) => file.slice(0, -EXTENSION.length)).sort();
}

/** Paths of all shipped algorithms in JavaScript, as `inputFile` takes them, in order. */
export async function shippedAlgorithms(): Promise<string[]> {
  const folder = `${EXAMPLES}/algorithms`;
  const files = await readdir(path.join(PACKAGE, folder)).catch((): string[] => []);
  return files.filter((file) => file.endsWith('.js')).sort().map((file) => `${folder}/${file}`);
}

/**
 * The capture that `roce-cc replay` reads by default: a synthetic incast of 16 senders into one 100 Gb/s port, over
 * IPv6, with background flows that share its destination QPNs. See examples/data/README.md.
 */
export const BUNDLED_CAPTURE = fileURLToPath(new URL('../../examples/data/incast.pcap.gz', import.meta.url));
export const BUNDLED_FLOWS = fileURLToPath(new URL('../../examples/data/incast-flows.csv', import.meta.url));
/** JSON file with the offsets of HPCC++'s data in this capture's IOAM traces. */
export const BUNDLED_TELEMETRY = fileURLToPath(new URL('../../examples/data/incast-telemetry.json', import.meta.url));
/** The only switch that sends Fast CNPs in this capture. */
export const BUNDLED_SWITCH = '2001:db8:ffff::5';

let traceModule: WebAssembly.Module | undefined;

/** Loads the build of the simulator that traces rate changes. */
export function simTraceModule(): WebAssembly.Module {
  traceModule ??= new WebAssembly.Module(readFileSync(new URL('../../dist/sim-trace.wasm', import.meta.url)));
  return traceModule;
}

/** Path of the built worker of sweeps, also when the command line runs from its sources. */
export const SWEEP_WORKER_FILE = fileURLToPath(new URL('../../dist/cli/sweep-worker.js', import.meta.url));
