/** The picture of docs/getting-started/teacher.md shows the current simulator; `npm run docs` draws it again. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { picture } from '../../scripts/picture.js';

it('the page for teachers shows the current runs', () => {
  expect(readFileSync(new URL('../../docs/images/four-flows.svg', import.meta.url), 'utf8')).toBe(picture());
}, 60_000);
