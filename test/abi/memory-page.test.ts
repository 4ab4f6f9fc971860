import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { memoryPage } from '../../scripts/memory-page.js';

it('docs/internals/memory.md matches the page generated from the tables (npm run docs)', async () => {
  expect(readFileSync(new URL('../../docs/internals/memory.md', import.meta.url), 'utf8')).toBe(await memoryPage());
});
