/** docs/reference/workload-formats.md is generated from the tables of the readers. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { workloadFormatsPage } from '../../scripts/workload-formats-page.js';

it('docs/reference/workload-formats.md matches the tables of the readers', () => {
  expect(readFileSync(new URL('../../docs/reference/workload-formats.md', import.meta.url), 'utf8')).toBe(
    workloadFormatsPage(),
  );
});
