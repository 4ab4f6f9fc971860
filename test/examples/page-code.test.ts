/**
 * The code on the pages runs as printed: each block is run here, or a comment after it names its test or the reason.
 * A text block after a command has lines of its output; the text after `console.log(…); //` is the output of the call.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks, followBlock, isCode, writeBlock } from './support/page-code.js';

const ROOT = new URL('../../', import.meta.url);
const markdown = (folder: string): string[] =>
  readdirSync(new URL(folder, ROOT)).filter((file) => file.endsWith('.md')).map((file) => `${folder}${file}`);
const PAGES = [
  ...['getting-started', 'guides', 'reference', 'internals'].flatMap((section) => markdown(`docs/${section}/`)),
  'examples/jobs/README.md',
].map((page) => [page, codeBlocks(readFileSync(new URL(page, ROOT), 'utf8'))] as const).filter(([, blocks]) =>
  blocks.some(isCode)
);

describe.each(PAGES)('%s', (_page, blocks) => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-page-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('has code with the output and exit codes that the page states', async () => {
    let output = '';
    for (const block of blocks) {
      const where = `line ${block.line}`;
      if (isCode(block) && block.mark === '') {
        const outcome = await followBlock(block, folder);
        const wanted = Number(/exit (\d)/.exec(block.head)?.[1] ?? 0);
        expect(outcome.exitCodes, `${where}: ${outcome.faults}`).toEqual(outcome.exitCodes.map(() => wanted));
        output = outcome.output;
        for (const promise of promisesOf(block.text)) expect(spaced(output), where).toContain(spaced(promise));
      } else if (block.language === 'text' && block.file === '') {
        for (const line of block.text.trim().split('\n')) expect(spaced(output), where).toContain(spaced(line));
      } else if (block.file.includes('.') && !isCode(block)) {
        writeBlock(block, folder);
      }
    }
  });
});

describe('the pages', () => {
  it('have more than 25 blocks that run here, and more than 3 stated outputs', () => {
    const run = PAGES.flatMap(([, blocks]) => blocks.filter((block) => isCode(block) && block.mark === ''));
    expect(run.length).toBeGreaterThan(25);
    expect(run.flatMap(({ text }) => promisesOf(text)).length).toBeGreaterThan(3);
  });

  it('name existing tests for blocks that are not run here', () => {
    const named = PAGES.flatMap(([, blocks]) =>
      blocks.flatMap(({ mark }) => /^<!-- run by: (\S+)/.exec(mark)?.[1] ?? [])
    );
    expect(named.length).toBeGreaterThan(0);
    for (const file of named) expect(() => readFileSync(new URL(file, ROOT))).not.toThrow();
  });
});

/** Outputs that a program states in comments. */
function promisesOf(code: string): string[] {
  return [...code.matchAll(/console\.log\(.*\); \/\/ (.+)$/gm)].map(([, text]) => text!);
}

/** Text with white space collapsed. */
function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
