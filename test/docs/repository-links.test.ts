/** Pages of the package link to the files of the repository that they name: the package does not ship these. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGES_OF_CLONES, withRepositoryLinks } from '../../scripts/repository-links.js';
import { shippedPages } from '../../scripts/shipped-pages.js';

const PAGES = shippedPages().filter((page) => !PAGES_OF_CLONES.includes(page));
const MAIN = 'https://github.com/roce-cc/roce-cc/blob/main';

describe('a page of the package', () => {
  it.each(PAGES)('links to the files that it names (npm run docs writes the links): %s', (name) => {
    const page = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
    expect(page).toBe(withRepositoryLinks(page));
  });

  it('has a link address for each path', () => {
    const page = 'See `src/index.ts`, `src/*-text.ts`, [units](../src/units.ts) and [numbers](../bench/RESULTS.md).\n';
    const linked = [
      `See [\`src/index.ts\`], [\`src/*-text.ts\`], [units](${MAIN}/src/units.ts) and [numbers](../bench/RESULTS.md).`,
      '',
      '[`src/*-text.ts`]: https://github.com/roce-cc/roce-cc/tree/main/src',
      `[\`src/index.ts\`]: ${MAIN}/src/index.ts`,
      '',
    ].join('\n');
    expect(withRepositoryLinks(page)).toBe(linked);
    expect(withRepositoryLinks(linked)).toBe(linked);
  });

  it('does not link the paths in commands and code', () => {
    const page = 'Run `npx vitest run test/docs`.\n\n```ts\nimport `src/index.ts`\n```\n';
    expect(withRepositoryLinks(page)).toBe(page);
  });

  it('has no link address for a path that it does not name', () => {
    expect(withRepositoryLinks(`Text.\n\n[\`src/index.ts\`]: ${MAIN}/src/index.ts\n`)).toBe('Text.\n');
  });
});
