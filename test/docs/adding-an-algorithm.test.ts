/** Follows docs/adding-an-algorithm.md to the letter, in a copy of the repository. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALGORITHMS } from '../../src/config/algorithms/registry.js';
import { applyDiff, pageBlocks, pageTable } from './support/page-blocks.js';
import { RepositoryCopy, REPOSITORY } from './support/repository-copy.js';
import { notUsedBy, TRANSITIONS } from './support/transitions-used.js';
import { BACKENDS } from '../support/backends.js';

const PAGE = readFileSync(path.join(REPOSITORY, 'docs', 'adding-an-algorithm.md'), 'utf8');
const BLOCKS = pageBlocks(PAGE);
const COMMANDS = BLOCKS.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trimEnd().split('\n'));
const OUTPUTS = BLOCKS.filter(({ language }) => language === 'text');
const STEPS = BLOCKS.filter(({ language, file }) => file !== '' && language !== 'text');
/** The whole repository is built, checked and linted, on machines that do other things besides. */
const SLOW_MS = 1_800_000;

describe('docs/adding-an-algorithm.md, followed to the letter', { timeout: SLOW_MS }, () => {
  const ran = new Map<string, string>();
  let copy: RepositoryCopy;
  beforeAll(() => {
    copy = new RepositoryCopy();
  });
  afterAll(() => {
    copy.remove();
  });

  it('has files to write and changes to make, each of which fits the sources of today', () => {
    for (const block of STEPS) copy.follow(block);
    copy.track();
  });

  it('names every file of the walk in its table, the example aside', () => {
    const named = pageTable(PAGE, 'where').map((row) => row['where']!.replaceAll('`', ''));
    expect([...named, 'examples/aimd.ts'].sort()).toEqual(STEPS.map(({ file }) => file).sort());
  });

  it.each(COMMANDS)('%s succeeds', async (command) => {
    const { status, output } = await copy.run(command);
    expect(status, output).toBe(0);
    ran.set(command, output);
  });

  it('runs the tests of the new algorithm, and the comparison of all algorithms', () => {
    const output = [...ran].filter(([command]) => command.startsWith('npx vitest')).map(([, text]) => text).at(-1);
    for (const file of ['engine/aimd', 'engine/algorithms-equivalence', 'config/parameter-records'])
      expect(output).toContain(`test/${file}.test.ts`);
    expect(output).toMatch(/^\d+ passed, 0 failed, 0 skipped$/m);
  });

  it('prints what the page says', () => {
    expect(OUTPUTS.length).toBeGreaterThan(0);
    for (const { file, text } of OUTPUTS) expect(ran.get(`npx tsx ${file}`)).toBe(text);
  });
});

describe('the table of transitions', () => {
  const rows = new Map(pageTable(PAGE, 'algorithm').map((row) => [row['algorithm']!.replaceAll('`', ''), row]));

  it('has a row for each algorithm', () => {
    expect([...rows.keys()]).toEqual(Object.keys(ALGORITHMS));
  });

  describe.each(BACKENDS)('tells what the engine uses (%s)', (_, backend) => {
    it.each(Object.keys(ALGORITHMS))('%s', (name) => {
      const row = rows.get(name)!;
      const dashes = TRANSITIONS.filter((transition) => row[transition] === '–');
      expect(dashes).toEqual(notUsedBy(name, backend));
    });
  });
});

describe('a diff block', () => {
  const text = 'a\nb\nc\nb\nd\n';

  it('inserts lines where its other lines are', () => {
    expect(applyDiff(text, ' a\n+x\n@@\n-c\n+y\n')).toBe('a\nx\nb\ny\nb\nd\n');
  });

  it.each([
    ['is not there', ' z\n+x\n', /found 0 times/],
    ['is there twice', ' b\n+x\n', /found 2 times/],
    ['comes before the last one', ' d\n+x\n@@\n a\n+y\n', /out of order/],
    ['is not told', '+x\n', /does not say where/],
    ['has a line of another kind', ' a\nx\n', /begins with a space/],
  ])('is rejected when its place %s', (_, diff, message) => {
    expect(() => applyDiff(text, diff)).toThrow(message);
  });
});
