/** The tables of records in docs/guides/your-own-algorithm.md have the offsets of the engine: every field of the C header, once. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OFFSETS } from '../algorithm/support/record-offsets.js';

const PAGE = readFileSync(new URL('../../docs/guides/your-own-algorithm.md', import.meta.url), 'utf8');
/** A row: offset, type, name in C. */
const ROW = /^\| (\d+) \| (?:f64|u32|u8|hop)(?:\[\d*\])? \| `(\w+)` \|/gm;

it('has every offset of the records', () => {
  const rows = [...PAGE.matchAll(ROW)].map(([, offset, name]) => `${name} ${offset}`);
  const fields = Object.entries(OFFSETS).map(([field, offset]) => `${field.split('.')[1]} ${offset}`);
  expect(rows.sort()).toStrictEqual(fields.sort());
});
