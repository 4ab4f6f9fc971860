/** docs/reference/workload-formats.md is what the readers' tables make of it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { workloadFormatsPage } from '../../scripts/workload-formats-page.js';

it('the page on formats of workloads is that of the tables', () => {
  expect(readFileSync(new URL('../../docs/reference/workload-formats.md', import.meta.url), 'utf8')).toBe(
    workloadFormatsPage(),
  );
});
