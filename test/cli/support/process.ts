/** The built executable in a separate process, as a user starts it. */
import { spawn, spawnSync, type ChildProcess, type SpawnOptions, type SpawnSyncReturns } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

export interface StartOptions {
  readonly input?: Uint8Array | string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** Ends a command that hangs, as the timeout of a test does not run during a synchronous call. */
const LONGEST_MS = 300_000;

export function start(args: readonly string[], options: StartOptions = {}): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [MAIN, ...args], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    timeout: LONGEST_MS,
    ...options,
  });
}

/** The same with standard output redirected by a shell: `> /dev/full`, `| true`. The status is that of roce-cc. */
export function startWithOutput(args: readonly string[], behind: string): SpawnSyncReturns<string> {
  const words = [process.execPath, MAIN, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const command = `${words} ${behind}; exit \${PIPESTATUS[0]}`;
  return spawnSync('bash', ['-c', command], { cwd: REPOSITORY, encoding: 'utf8' });
}

export function startInBackground(args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { cwd: REPOSITORY, ...options });
}

/** The spare files that messages name. */
export function spareFilesIn(stderr: string): string[] {
  return [...stderr.matchAll(/kept in (\S+)/g)].map(([, file = '']) => file);
}

/** Removes the spare files with their folders. */
export function removeSpareFiles(stderr: string): void {
  for (const file of spareFilesIn(stderr)) rmSync(path.dirname(file), { recursive: true });
}
