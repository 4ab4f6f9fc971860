/**
 * Every block of JavaScript and TypeScript on a page of the package compiles as TypeScript against the packed package,
 * with the strictest options that users may set. The kind of a block (test/docs/support/shipped-code.ts) selects the
 * global names.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REPOSITORY, installIntoProject } from '../package/installed-package.js';
import { blocksOf, kindOf, shippedBlocks, type CodeKind, type ShippedBlock } from './support/shipped-code.js';

const SLOW_MS = 300_000;
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  module: 'NodeNext',
  target: 'ES2022',
  noEmit: true,
};
const SCRIPTS = ['roce-cc/browser/roce-cc.js', 'roce-cc/browser/roce-cc-sim.js'];
const GLOBALS = {
  node: { lib: ['ES2023'], types: ['node'] },
  page: { lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'], types: SCRIPTS },
  worker: { lib: ['ES2023', 'WebWorker'], types: SCRIPTS },
};
type Compiled = keyof typeof GLOBALS;
const COMPILED = Object.keys(GLOBALS) as Compiled[];

const BLOCKS = shippedBlocks();
const blocksOfKind = (kind: CodeKind): readonly ShippedBlock[] => BLOCKS.filter((block) => kindOf(block) === kind);

let project: ReturnType<typeof installIntoProject>;
beforeAll(() => {
  project = installIntoProject();
  mkdirSync(path.join(project.projectDir, 'node_modules', '@types'));
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(path.join(REPOSITORY, 'node_modules', name), path.join(project.projectDir, 'node_modules', name));
  }
}, SLOW_MS);
afterAll(() => {
  project.remove();
});

describe('the code on the pages', { timeout: SLOW_MS }, () => {
  it.each(COMPILED)('compiles: programs of kind %s', (kind) => {
    const blocks = blocksOfKind(kind);
    expect(blocks.length).toBeGreaterThan(0);
    expect(compile(kind, kind, blocks)).toBe('');
  });

  it('is reported if it does not compile', () => {
    const page =
      "```js\nimport { runScenarioSync } from 'roce-cc/sim';\nrunScenarioSync({});\nconst list = [1];\nlist[0].toFixed();\n```\n";
    const faults = compile('node', 'wrong', blocksOf('wrong.md', page));
    expect([...faults.matchAll(/wrong\.md-1\.mts\((\d+),\d+\): error (TS\d+)/g)].map(([, line, code]) => [line, code]))
      .toEqual([['2', 'TS2345'], ['4', 'TS2532']]);
  });

  it.each(['jsx', 'typescript', 'cjs'])('is rejected if its language is unknown, such as %s', (language) => {
    const [block] = blocksOf('page.md', `- a list\n\n  \`\`\`${language}\n  x\n  \`\`\`\n`);
    expect(() => kindOf(block!)).toThrow(`page.md:3: unknown language ${language}`);
  });
});

/** Compiles the blocks, each as a module. @returns the errors of tsc; empty if there are none. */
function compile(kind: Compiled, folder: string, blocks: readonly ShippedBlock[]): string {
  const dir = path.join(project.projectDir, folder);
  mkdirSync(dir);
  for (const { where, text } of blocks) writeFileSync(path.join(dir, moduleName(where)), `${text}\nexport {};\n`);
  for (const name of bundledModules()) {
    writeFileSync(path.join(dir, name.replace('.mjs', '.d.mts')), `export * from 'roce-cc/browser/${name}';\n`);
  }
  const compilerOptions = { ...STRICT, ...GLOBALS[kind] };
  writeFileSync(path.join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }));
  const tsc = path.join(REPOSITORY, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = { cwd: project.projectDir, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [tsc, '--pretty', 'false', '-p', folder], options).stdout;
}

/** Modules of dist/browser, which pages import from their own folder. */
function bundledModules(): string[] {
  const folder = path.join(project.packageDir, 'dist', 'browser');
  return readdirSync(folder).filter((name) => name.endsWith('.mjs'));
}

/** `docs-wan.md-12.mts`, so that tsc names the page and the line of the block. */
function moduleName(where: string): string {
  return `${where.replaceAll(/[/:]/g, '-')}.mts`;
}
