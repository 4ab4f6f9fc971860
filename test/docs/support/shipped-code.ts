/** The code blocks of all pages that the package ships, and how each is compiled. */
import { readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';
import { shippedPages } from '../../../scripts/shipped-pages.js';

/** `node`: a program of a user; `page`, `worker`: a script of a browser. */
export type CodeKind = 'node' | 'page' | 'worker';

export interface ShippedBlock {
  /** Page and line of its opening fence: `README.md:21`. */
  readonly where: string;
  readonly language: string;
  /** The content of the block. */
  readonly text: string;
  /** The text of the HTML comment directly after the block; empty when there is none. */
  readonly mark: string;
}

/** Languages of JavaScript and TypeScript modules: each of their blocks is compiled, as TypeScript. */
const CODE = new Set(['js', 'mjs', 'ts', 'mts']);
/** Languages that tsc does not read. Blocks of HTML are opened in browsers by test/browser. */
const OTHER = new Set(['', 'assemblyscript', 'c', 'console', 'html', 'json', 'python', 'sh', 'text']);

/** All fenced blocks of the shipped pages. */
export function shippedBlocks(): readonly ShippedBlock[] {
  return shippedPages().flatMap((page) =>
    blocksOf(page, readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8'))
  );
}

export function blocksOf(page: string, markdown: string): readonly ShippedBlock[] {
  const tokens = new MarkdownIt({ html: true }).parse(markdown, {});
  return tokens.flatMap((token, index) => {
    if (token.type !== 'fence') return [];
    const [language = ''] = token.info.trim().split(/\s+/);
    const behind = tokens[index + 1];
    const mark = behind?.type === 'html_block' ? /<!-- (.*?) -->/.exec(behind.content)?.[1] ?? '' : '';
    return [{ where: `${page}:${(token.map?.[0] ?? 0) + 1}`, language, text: token.content, mark }];
  });
}

/**
 * How a block is compiled; undefined when it is in another language.
 * @throws Error for a language that is neither.
 */
export function kindOf({ where, language, text, mark }: ShippedBlock): CodeKind | undefined {
  if (OTHER.has(language)) return undefined;
  if (!CODE.has(language)) throw new Error(`${where}: unknown language ${language} of a block`);
  if (!mark.startsWith('run by: test/browser/')) return 'node';
  return /\bimportScripts\(|\bself\.|^onmessage\b/m.test(text) ? 'worker' : 'page';
}
