/** docs/guides/uet-reference.md has every option that is read, and every column that is written. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withUetOptions } from '../../scripts/uet-options-table.js';
import { UET_FLOW_COLUMNS } from '../../src/uet/index.js';

const PAGE = readFileSync(new URL('../../docs/guides/uet-reference.md', import.meta.url), 'utf8');
/** Columns that the page includes only in a range of names. */
const IN_RANGE = new Set(['prop_inc', 'fast_inc']);

describe('docs/guides/uet-reference.md', () => {
  it('has the table of options as npm run docs writes it', () => {
    expect(withUetOptions(PAGE)).toBe(PAGE);
    expect(PAGE).toContain('| `-sleek` |');
  });

  it('explains all columns', () => {
    expect(UET_FLOW_COLUMNS.filter((name) => !IN_RANGE.has(name) && !PAGE.includes(`\`${name}\``))).toEqual([]);
  });
});
