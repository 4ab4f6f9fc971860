/** Who measures renews bench/RESULTS.md by `npm run bench -- --write`, which takes what people wrote from bench/NOTES.md. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withRepositoryLinks } from '../../scripts/repository-links.js';

const read = (file: string): string => readFileSync(new URL(`../../bench/${file}`, import.meta.url), 'utf8');

it('the notes of RESULTS.md are those of NOTES.md', () => {
  const results = read('RESULTS.md');
  const before = results.slice(0, results.indexOf('## Notes'));
  expect(results).toBe(withRepositoryLinks(`${before}${read('NOTES.md')}`));
});
