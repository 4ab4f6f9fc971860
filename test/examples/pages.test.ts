/** The tests, files and pages that the pages refer to exist. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const TEST_FILES = readdirSync(new URL('test/', ROOT), { recursive: true, encoding: 'utf8' })
  .map((file) => `test/${file}`)
  .filter((file) => file.endsWith('.test.ts'));
/** Folders whose files the pages name by path. */
const PATH = /^(?:src|test|assembly|docs|bench|scripts)\/[\w./-]*\w$/;
/** Placeholder for the name of any algorithm. */
const ANY_NAME = /\bNAME\b/;

const PAGES = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  ...['docs', 'test', 'examples', 'bench'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md')).map((file) => `${folder}/${file}`)
  ),
].map((name) => [name, readFileSync(new URL(name, ROOT), 'utf8')] as const);

/** Paths of the tests in the commands of a page. */
function testsToRun(page: string): string[] {
  const runs = [...page.matchAll(/`npx vitest run ([^`]*)`/g)].flatMap(([, args]) => args!.split(' '));
  return runs.filter((arg) => arg.startsWith('test/'));
}

/** Targets of its links within the repository. */
function localLinks(page: string): string[] {
  const targets = [...page.matchAll(/\]\(([^)#]+)[)#]|^\[[^\]]+\]: ([^#\s]+)/gm)];
  return targets.map(([, inline, defined]) => (inline ?? defined)!).filter((path) => !path.includes(':'));
}

describe.each(PAGES)('%s', (name, page) => {
  it('names only tests that exist', () => {
    expect(testsToRun(page).filter((path) => !TEST_FILES.some((file) => file.includes(path)))).toEqual([]);
  });

  it('links only to files that exist', () => {
    expect(localLinks(page).filter((path) => !existsSync(new URL(path, new URL(name, ROOT))))).toEqual([]);
  });

  it('names only files that exist', () => {
    const paths = [...page.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!).filter((text) => PATH.test(text));
    const isThere = (path: string) => ['', '.ts', '.test.ts'].some((end) => existsSync(new URL(path + end, ROOT)));
    expect(paths.filter((path) => !isThere(path) && !ANY_NAME.test(path))).toEqual([]);
  });
});

describe('the pages', () => {
  it('contain enough references for these tests to be meaningful', () => {
    const all = PAGES.map(([, page]) => page).join('\n');
    expect(testsToRun(all).length).toBeGreaterThan(15);
    expect(localLinks(all).length).toBeGreaterThan(4);
    expect(all.match(/`src\//g)!.length).toBeGreaterThan(10);
  });
});
