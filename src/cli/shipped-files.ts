/**
 * Files shipped with the package: examples, for commands that take a file by the path that the documentation uses or
 * by name, and files that the build makes.
 *
 * This file must stay in src/cli/: its relative paths must also be right from dist/cli.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const EXAMPLES = 'examples';
const EXTENSION = '.json';

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
