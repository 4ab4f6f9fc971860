/** C and C++ programs built against the library, and what they print. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ARCHIVE_FILE, NATIVE_TREE, ROOT } from './library.js';

/** Options of the sanitizers' build. */
export const SANITIZED = '-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all';
const WARNINGS = ['-Wall', '-Wextra', '-Werror'];

/** A temporary folder, which tests do not remove. */
export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `roce-cc-${name}-`));
}

/** Builds the library into a folder with the given make variables, and returns the path of its archive. */
export function buildLibrary(folder: string, variables: readonly string[], tree: string = NATIVE_TREE): string {
  mkdirSync(folder, { recursive: true });
  run('make', [
    '--no-print-directory',
    '-s',
    '-C',
    tree,
    '-j2',
    `OUT=${folder}`,
    ...variables,
    join(folder, 'libroce_cc.a'),
  ]);
  return join(folder, 'libroce_cc.a');
}

/** Compiles a program as C or C++ by its suffix, and returns its path. @param source from the project's root. */
export function buildProgram(source: string, folder: string, { archive = ARCHIVE_FILE, options = ['-O2'] }: {
  readonly archive?: string;
  readonly options?: readonly string[];
} = {}): string {
  const isC = source.endsWith('.c');
  const program = join(folder, basename(source).replace(/\.\w+$/, ''));
  const standard = isC ? '-std=c11' : '-std=c++11';
  run(isC ? 'cc' : 'c++', [
    standard,
    ...WARNINGS,
    ...options,
    '-I',
    join(ROOT, 'include'),
    join(ROOT, source),
    archive,
    '-lm',
    '-lpthread',
    '-o',
    program,
  ]);
  return program;
}

/** Runs a command and returns its output. @throws Error with its messages */
export function run(command: string, args: readonly string[], timeout = 600_000): string {
  return execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', timeout, stdio: ['ignore', 'pipe', 'pipe'] });
}
