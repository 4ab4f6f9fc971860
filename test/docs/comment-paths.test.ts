/** Every TypeScript file that a comment names exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMMENT = /\/\*\*[\s\S]*?\*\/|\/\/.*$/gm;
/** A file name that ends in .ts and is not part of a longer name, such as a URL. */
const NAMED = /(?<![\w./*{-])(?:\.\.?\/)*[\w-]+(?:\/[\w-]+)*\.ts(?![\w-]|\.\w)/g;

const FILES = ['assembly', 'src', 'test', 'scripts', 'studies', 'bench', 'site', 'web'].flatMap((folder) =>
  readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
);

/** Whether the named path exists relative to the root, to the file's folder, or to a folder above that. */
function isThere(named: string, file: string): boolean {
  const above = file.split('/').slice(0, -1).map((_, depth, parts) => parts.slice(0, depth + 1).join('/'));
  return ['.', ...above].some((folder) => existsSync(path.join(ROOT, folder, named)));
}

function missingIn(file: string): string[] {
  const comments = readFileSync(ROOT + file, 'utf8').match(COMMENT) ?? [];
  const named = comments.flatMap((comment) => comment.match(NAMED) ?? []);
  return named.filter((name) => !isThere(name, file)).map((name) => `${file}: ${name}`);
}

describe('comments', () => {
  it('name existing files', () => {
    expect(FILES.flatMap(missingIn)).toEqual([]);
  });
});
