/**
 * Runtimes as packages of the npm registry: test/runtimes/pinned.json names a version and its integrity for each.
 *
 * They are not dependencies of this package, since they have 600 MB in total: each is installed into build/runtimes
 * when first used. The pinned packages are those with the program for one platform; the packages `node`, `bun` and
 * `deno` download it in an install script, and install scripts are disabled here.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from '../package/npm-command.js';
import { runProgram } from './run-program.js';

export interface Pin {
  readonly package: string;
  readonly version: string;
  /** The hash of the package, as npm writes it. */
  readonly integrity: string;
  /** The path of the program in the package. */
  readonly binary: string;
}

/** The runtime is not available on this machine, which is no failure of the package. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

const CACHE = fileURLToPath(new URL('../../build/runtimes/', import.meta.url));
const INSTALL_MS = 180_000;
const PLATFORM = `${process.platform}-${process.arch}`;

/** Pins by runtime and platform. */
export const PINS = JSON.parse(readFileSync(new URL('pinned.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, Pin>>>
>;

/** Whether this Node is the one that the name denotes. */
export function isRunning(name: string): boolean {
  return name.startsWith('node') && PINS[name]?.[PLATFORM]?.version === process.versions.node;
}

/**
 * The path of a pinned program, which is installed if needed; that of the running Node if it is the same release.
 *
 * @throws UnavailableError with the reason if there is none; Error if the integrity differs from the pin.
 */
export async function pinnedProgram(name: string): Promise<string> {
  const platforms = PINS[name];
  if (platforms === undefined) throw new Error(`got ${name}, allowed: ${Object.keys(PINS).join(', ')}`);
  const pin = platforms[PLATFORM];
  if (pin === undefined) throw new UnavailableError(`pinned.json has no ${name} for ${PLATFORM}`);
  if (isRunning(name)) return process.execPath;
  const folder = path.join(CACHE, `${name}-${pin.version}`);
  const program = path.join(folder, 'node_modules', pin.package, pin.binary);
  if (!existsSync(program)) await install(pin, folder);
  return program;
}

/** Installs into a temporary folder, and renames it when complete, so that an interrupted installation is not used. */
async function install(pin: Pin, folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const unfinished = mkdtempSync(`${folder}-unfinished-`);
  try {
    writeProject(pin, unfinished);
    const { exitCode, stderr } = await runProgram(npmCommand(['ci', '--ignore-scripts']), {
      cwd: unfinished,
      timeoutMs: INSTALL_MS,
    });
    if (exitCode !== 0) throw failure(pin, stderr);
    rmSync(folder, { recursive: true, force: true });
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Writes a project whose lock file fixes the version and integrity. */
function writeProject({ package: name, version, integrity }: Pin, folder: string): void {
  const manifest = { name: 'runtime', version: '0.0.0', private: true, dependencies: { [name]: version } };
  const packages = { '': manifest, [`node_modules/${name}`]: { version, integrity } };
  const lock = { name: manifest.name, version: manifest.version, lockfileVersion: 3, requires: true, packages };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
}

function failure({ package: name, version }: Pin, stderr: string): Error {
  const text = `npm could not install ${name} ${version}: ${reasonOf(stderr)}`;
  return stderr.includes('EINTEGRITY') ? new Error(text) : new UnavailableError(text);
}

function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^npm (ERR!|error) /, '').trim());
  return lines.filter((line) => line !== '' && !line.startsWith('npm warn')).slice(0, 2).join(' ') || 'no reason given';
}
