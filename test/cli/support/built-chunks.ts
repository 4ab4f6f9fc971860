/** The files of dist/cli, with their imports and sources. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = path.join(REPOSITORY, 'dist', 'cli');

export interface BuiltChunks {
  /** The file that a source is in. */
  fileOf(source: string): string;
  /** These files and all their static imports. */
  closure(...files: readonly string[]): readonly string[];
  /** Sources in files, such as `src/cli/main.ts`, as their source maps name them. */
  sources(files: readonly string[]): readonly string[];
  /** Bytes of files. */
  bytes(files: readonly string[]): number;
}

export async function readBuiltChunks(): Promise<BuiltChunks> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
  const { metafile } = await build({
    entryPoints: names.map((name) => path.join(FOLDER, name)),
    absWorkingDir: FOLDER,
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
  const importsOf = (name: string) =>
    metafile.inputs[name]!.imports.filter(({ kind, external }) => kind === 'import-statement' && external !== true)
      .map((imported) => imported.path);
  const sourcesOf = new Map(names.map((name) => [name, readSources(name)]));
  const closure = (...files: readonly string[]): readonly string[] => {
    const seen = new Set<string>();
    const visit = (name: string): void => {
      if (seen.has(name)) return;
      seen.add(name);
      importsOf(name).forEach(visit);
    };
    files.forEach(visit);
    return [...seen];
  };
  return {
    fileOf: (source) => {
      const file = names.find((name) => sourcesOf.get(name)!.includes(source));
      if (file === undefined) throw new Error(`no file of dist/cli has ${source}`);
      return file;
    },
    closure,
    sources: (files) => files.flatMap((name) => sourcesOf.get(name)!),
    bytes: (files) => files.reduce((total, name) => total + statSync(path.join(FOLDER, name)).size, 0),
  };
}

function readSources(name: string): readonly string[] {
  const { sources } = JSON.parse(readFileSync(path.join(FOLDER, `${name}.map`), 'utf8')) as { sources: string[] };
  return sources.map((source) => path.relative(REPOSITORY, path.resolve(FOLDER, source)).replaceAll(path.sep, '/'));
}
