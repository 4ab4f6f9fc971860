/** docs/internals/adding-an-algorithm.md matches each built-in algorithm. */

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALGORITHMS, type AlgorithmName } from '../../src/config/algorithms/registry.js';
import { pageTable } from './support/page-blocks.js';
import { notUsedBy, TRANSITIONS } from './support/transitions-used.js';
import { BACKENDS } from '../support/backends.js';

const placeOf = (file: string): URL => new URL(`../../${file}`, import.meta.url);
const textOf = (file: string): string => readFileSync(placeOf(file), 'utf8');
const PAGE = textOf('docs/internals/adding-an-algorithm.md');
const NAMES = Object.keys(ALGORITHMS) as AlgorithmName[];
const ROWS = pageTable(PAGE, 'where');
const PLACES = ROWS.map((row) => row['where']!.replaceAll('`', ''));

describe('the table of places', () => {
  const folders = PLACES.filter((place) => place.includes('NAME'));
  const tables = PLACES.filter((place) => !place.includes('NAME'));
  const lacking = (file: string): readonly string[] =>
    ROWS.find((row) => row['where'] === `\`${file}\``)!['what']!.startsWith('of all but DCQCN') ? ['dcqcn'] : [];

  it('has folders of algorithms and tables', () => {
    expect([folders.length, tables.length]).toEqual([3, 11]);
  });

  it.each(NAMES)('names the files of %s', (name) => {
    const files = folders.map((place) => place.replace('NAME', name));
    expect(files.filter((file) => !existsSync(placeOf(file)))).toEqual([]);
  });

  it.each(tables)('%s names each algorithm', (file) => {
    const words = textOf(file).toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    expect(NAMES.filter((name) => !words.includes(name.replaceAll('-', '')))).toEqual(lacking(file));
  });
});

describe('the table of transitions', () => {
  const rows = new Map(pageTable(PAGE, 'algorithm').map((row) => [row['algorithm']!.replaceAll('`', ''), row]));

  it('has a row for each algorithm', () => {
    expect([...rows.keys()]).toEqual(NAMES);
  });

  describe.each(BACKENDS)('matches the transitions that the engine uses (%s)', (_, backend) => {
    it.each(NAMES)('%s', (name) => {
      const row = rows.get(name)!;
      const dashes = TRANSITIONS.filter((transition) => row[transition] === '–');
      expect(dashes).toEqual(notUsedBy(name, backend));
    });
  });
});
