/**
 * The modules of examples/algorithms, built with the commands in their header comments: AssemblyScript with the
 * package's own compiler, C if clang and wasm-ld are installed, Rust if a rustc has the target.
 */
import asc from 'assemblyscript/asc';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foreignTool, foreignToolThat, runTool } from '../../support/foreign-tools.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXAMPLES = join(ROOT, 'examples/algorithms');
const RUST_TARGET = 'wasm32-unknown-unknown';

/** Language of an example. */
export type Language = 'assemblyscript' | 'c' | 'rust';

/** Why a language cannot be built here; undefined if it can. */
export const MISSING: Readonly<Record<Language, string | undefined>> = {
  assemblyscript: undefined,
  c: missingTools(['clang', 'wasm-ld', 'make']),
  rust: rustc() === undefined ? `no rustc has the target ${RUST_TARGET}` : undefined,
};

const built = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** The bytes of `examples/algorithms/<language>/<name>`, built once per test file. */
export function buildModule(language: Language, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = `${language}/${name}`;
  const bytes = built.get(key) ?? build(language, name);
  built.set(key, bytes);
  return bytes;
}

/** The same, compiled. */
export async function compileModule(language: Language, name: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await buildModule(language, name));
}

async function build(language: Language, name: string): Promise<Uint8Array<ArrayBuffer>> {
  if (language === 'assemblyscript') return buildAssemblyScript(`examples/algorithms/assemblyscript/${name}.ts`);
  const folder = mkdtempSync(join(tmpdir(), 'roce-cc-module-'));
  try {
    const file = join(folder, `${name}.wasm`);
    if (language === 'c') runTool(foreignTool('make')!, ['-s', '-C', join(EXAMPLES, 'c'), `OUT=${folder}`, file]);
    else buildRust(name, file);
    return Uint8Array.from(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function buildAssemblyScript(entry: string): Promise<Uint8Array<ArrayBuffer>> {
  return compileAssemblyScript(entry, commandOf(join(ROOT, entry), /npx asc \S+ (.*) -o \S+/));
}

/** @param entry a path from the project's root. @param source its text; default: that of the file. */
export async function compileAssemblyScript(entry: string, options: readonly string[],
  source?: string): Promise<Uint8Array<ArrayBuffer>> {
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main([entry, ...options, '-o', 'module.wasm'], {
    readFile: (name: string) => {
      if (name === entry && source !== undefined) return source;
      // As if the package were installed.
      const file = join(ROOT, name.replace(/^node_modules\/roce-cc\//, ''));
      return existsSync(file) && !name.endsWith('asconfig.json') ? readFileSync(file, 'utf8') : null;
    },
    writeFile: (_name: string, contents: Uint8Array | string) => {
      if (typeof contents !== 'string') binary = contents;
    },
    listFiles: () => [],
  });
  if (error || !binary) throw new Error(`${entry} does not compile: ${stderr.toString()}`);
  return Uint8Array.from(binary);
}

function buildRust(name: string, file: string): void {
  const source = join(EXAMPLES, 'rust', `${name}.rs`);
  const options = commandOf(source, /rustc ([^]*?) \S+\.rs -o \S+/);
  runTool(rustc()!, [...options, source, '-o', file]);
}

/** The options of the build command at the head of a file. */
function commandOf(source: string, command: RegExp): string[] {
  const head = readFileSync(source, 'utf8').replaceAll(/\\\n\/\/!/g, ' ');
  return command.exec(head)![1]!.split(/\s+/);
}

function missingTools(names: readonly string[]): string | undefined {
  const missing = names.filter((name) => foreignTool(name) === undefined);
  return missing.length > 0 ? `${missing.join(', ')} not installed` : undefined;
}

function rustc(): string | undefined {
  return foreignToolThat('rustc', (path) => existsSync(targetFolder(path)));
}

function targetFolder(path: string): string {
  const options = ['--print', 'target-libdir', '--target', RUST_TARGET];
  return execFileSync(path, options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
