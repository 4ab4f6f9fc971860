/**
 * Compiles the C and C++ variants with the compiler that is there: clang if possible, else gcc, no build system.
 *
 * The result is kept in bench/native/build, under a name made from sources, compiler and flags. Without a compiler or
 * Node's headers nothing is built, and the benchmarks say why.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface NativeBuild {
  /** Absolute path of the addon, undefined when it could not be built. */
  readonly engineFile: string | undefined;
  readonly tablesFile: string | undefined;
  /** Compiler and flags, for the report. */
  readonly compiler: string;
  /** The missing tool, and the reason. */
  readonly notes: readonly string[];
}

const FOLDER = path.dirname(fileURLToPath(import.meta.url));
const OUTPUT = path.join(FOLDER, 'build');
const ENGINE_SOURCES = ['addon.c', 'dcqcn.c', 'flows.c', 'packets.c'];
const TABLE_SOURCES = ['lookup.cc'];
/** AVX2 and BMI, which every server of the last ten years has; no fused multiply-add, which would change results. */
const FLAGS = ['-O3', ...(process.arch === 'x64' ? ['-march=x86-64-v3'] : []), '-ffp-contract=off', '-shared', '-fPIC'];
const ABSL_LIBRARIES = ['-labsl_raw_hash_set', '-labsl_hash', '-labsl_city', '-labsl_low_level_hash'];

/** Builds what can be built and lists the rest. */
export function buildNative(): NativeBuild {
  const notes: string[] = [];
  const headers = nodeHeaders();
  const c = firstCompiler('clang', 'gcc', 'cc');
  const cpp = firstCompiler('clang++', 'g++', 'c++');
  if (process.arch !== 'x64') notes.push(`C variants need x86-64 (SSE2), this is ${process.arch}`);
  else if (headers === undefined) notes.push("no C variants: Node's headers (node_api.h) were not found");
  else if (c === undefined) notes.push('no C variants: no C compiler was found');
  if (headers === undefined || c === undefined || process.arch !== 'x64') {
    return { engineFile: undefined, tablesFile: undefined, compiler: 'none', notes };
  }
  return {
    engineFile: compile('engine', c, ENGINE_SOURCES, [`-I${headers}`, '-lm'], notes),
    tablesFile: cpp === undefined ? undefined : compileTables(cpp, headers, notes),
    compiler: `${versionOf(c)}, ${FLAGS.filter((flag) => flag !== '-shared' && flag !== '-fPIC').join(' ')}`,
    notes,
  };
}

/** With absl::flat_hash_map where libabsl-dev is installed (or ABSL_PREFIX points at it), else std::unordered_map alone. */
function compileTables(cpp: string, headers: string, notes: string[]): string | undefined {
  const common = ['-std=c++17', `-I${headers}`];
  const prefix = process.env['ABSL_PREFIX'];
  const libraries = prefix === undefined ? [] : [`${prefix}/lib/x86_64-linux-gnu`, `${prefix}/lib`];
  const places = libraries.flatMap((folder) => [`-L${folder}`, `-Wl,-rpath,${folder}`]);
  if (prefix !== undefined) places.push(`-I${prefix}/include`);
  const probed: string[] = [];
  const withAbsl = compile('tables-absl', cpp, TABLE_SOURCES, [...common, ...places, '-DWITH_ABSL', ...ABSL_LIBRARIES],
    probed);
  if (withAbsl !== undefined) return withAbsl;
  notes.push('no absl::flat_hash_map: libabsl-dev was not found');
  return compile('tables', cpp, TABLE_SOURCES, common, notes);
}

function compile(name: string, compiler: string, sources: readonly string[], options: readonly string[],
  notes: string[]): string | undefined {
  const args = [...FLAGS, ...sources.map((source) => path.join(FOLDER, source)), ...options];
  const file = path.join(OUTPUT, `${name}-${fingerprint(compiler, args)}.node`);
  if (existsSync(file)) return file;
  mkdirSync(OUTPUT, { recursive: true });
  const done = spawnSync(compiler, [...args, '-o', file], { encoding: 'utf8' });
  if (done.status === 0) return file;
  notes.push(`${name}: ${compiler} failed: ${(done.stderr || String(done.error)).split('\n').slice(0, 5).join('\n')}`);
  return undefined;
}

function fingerprint(compiler: string, args: readonly string[]): string {
  const hash = createHash('sha256').update(versionOf(compiler)).update(args.join('\0')).update(
    process.versions.modules,
  );
  for (const source of readdirSync(FOLDER).filter((name) => /\.(c|cc|h)$/.test(name)).sort()) {
    hash.update(readFileSync(path.join(FOLDER, source)));
  }
  return hash.digest('hex').slice(0, 12);
}

function firstCompiler(...names: readonly string[]): string | undefined {
  return names.find((name) => spawnSync(name, ['--version']).status === 0);
}

function versionOf(compiler: string): string {
  return execFileSync(compiler, ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? compiler;
}

/** Headers come with Node's own archive; `npm_config_nodedir` is what node-gyp would look at. */
function nodeHeaders(): string | undefined {
  const nodedir = process.env['npm_config_nodedir'];
  const places = [
    path.resolve(process.execPath, '..', '..', 'include', 'node'),
    ...(nodedir === undefined ? [] : [path.join(nodedir, 'include', 'node')]),
    '/usr/include/node',
    '/usr/local/include/node',
  ];
  return places.find((place) => existsSync(path.join(place, 'node_api.h')));
}
