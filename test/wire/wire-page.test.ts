import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { drawing, wirePage } from '../../scripts/wire-page.js';
import { LAYOUT_CHAPTERS } from '../../src/wire/layouts.js';
import { Bth } from '../../src/wire/roce/bth.js';
import { Ethernet } from '../../src/wire/link/ethernet.js';

describe('docs/reference/wire.md', () => {
  it('is up to date with the code (npm run docs)', () => {
    expect(readFileSync(new URL('../../docs/reference/wire.md', import.meta.url), 'utf8')).toBe(wirePage());
  });

  it('draws fields in rows of 32 bits', () => {
    expect(drawing(Bth)).toBe(`\
 0                   1                   2                   3
 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|    opcode     |s|m|pad|transpo|             pKey              |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|f|b| reserved6 |                    destQpn                    |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|a|  reserved7  |                      psn                      |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+`);
  });

  it('draws a field that spans parts of several rows as one box', () => {
    expect(drawing(Ethernet)).toBe(`\
 0                   1                   2                   3
 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|                          destination                          |
+                                -+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|                               |                               |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+                               +
|                            source                             |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|           etherType           |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+`);
  });

  it('has one drawing of each header, with a source', () => {
    const layouts = LAYOUT_CHAPTERS.flatMap(({ headers }) => headers);
    expect(new Set(layouts.map(({ title }) => title)).size).toBe(layouts.length);
    for (const { title, source } of layouts) expect(source, title).not.toBe('');
  });
});
