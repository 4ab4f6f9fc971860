/** Tables of records: offsets of fields, errors of the build, and the kernel's classes. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { kernelFile } from '../../scripts/build-records.mjs';
import { checkTable, recordFiles } from '../../scripts/records.mjs';
import { array, defineRecord, defineSlots, f64, free, i64, part, u16, u32, u8, wideU8, readArray, readField, readFields,
  writeArray, writeFields } from '../../src/abi/records/define-record.js';

const INNER = defineRecord('Inner', 4, { low: u16, high: u16 });
const OUTER = defineRecord('Outer', 40, {
  timePs: i64,
  share: f64,
  count: u32,
  kind: u8,
  flags: wideU8,
  free22: free(2),
  ring: array(u16, 2),
  inner: part(INNER),
  list: array(INNER, 2),
});

const FILES = await recordFiles();

describe('a table of a record', () => {
  it('places fields consecutively', () => {
    expect(OUTER.at).toStrictEqual({
      timePs: 0,
      share: 8,
      count: 16,
      kind: 20,
      flags: 21,
      free22: 22,
      ring: 24,
      inner: 28,
      list: 32,
    });
    expect(() => {
      checkTable(OUTER);
    }).not.toThrow();
  });

  it.each([
    [defineRecord('Short', 8, { a: u32 }), 'Short: its fields take 4 bytes, and it has 8'],
    [defineRecord('Askew', 12, { a: u32, b: f64 }), 'Askew.b: offset 4 is no multiple of 8'],
    [defineRecord('AskewPart', 7, { a: u8, b: u16, c: part(INNER) }), 'AskewPart.b: offset 1 is no multiple of 2'],
    [
      defineRecord('Apart', 12, { a: u32, b: u32, c: u32 }, { adjacent: [['a', 'c']] }),
      'Apart: a, c must follow each other',
    ],
    [
      defineRecord('Moved', 4, { high: u16, low: u16 }, { sameAs: [[INNER, ['low']]] }),
      'Moved.low: offset 2, in Inner 0',
    ],
  ])('fails the build if it is inconsistent, case %#', (table, message) => {
    expect(() => {
      checkTable(table);
    }).toThrow(message);
  });

  it('is read and written by field names', () => {
    const view = new DataView(new ArrayBuffer(64));
    writeFields(view, 16, OUTER, { timePs: -3, share: 0.5, kind: true, flags: 7 });
    expect(readFields(view, 16, OUTER, ['timePs', 'share', 'count', 'kind', 'flags']))
      .toStrictEqual({ timePs: -3, share: 0.5, count: 0, kind: 1, flags: 7 });
    writeFields(view, 16, OUTER, { count: 2 ** 32 - 1 });
    expect(readField(view, 16, OUTER, 'count')).toBe(2 ** 32 - 1);
    expect(readField(view, 16, OUTER, 'flags')).toBe(7);
    writeArray(view, 16, OUTER, 'ring', [1, 65535]);
    expect(readArray(view, 16, OUTER, 'ring')).toStrictEqual([1, 65535]);
    expect(readArray(view, 16, OUTER, 'ring', 1)).toStrictEqual([1]);
    const spread = { ...{ note: 1 }, count: 2 };
    expect(() => {
      writeFields(view, 16, OUTER, spread);
    }).toThrow('Outer has no field note');
  });

  it('numbers slots by their sizes', () => {
    const slots = defineSlots('RULE', f64, { seed: 1, kinds: 8, hops: 1 });
    expect([slots.index, slots.count]).toStrictEqual([{ seed: 0, kinds: 1, hops: 9 }, 10]);
  });
});

describe('the tables of src/abi/records', () => {
  it('have fields that are aligned, do not overlap and fill their record', () => {
    for (const { records } of FILES) {
      for (const { name, bytes, fields } of records.filter(({ base }) => base === undefined)) {
        const ends = fields.map(({ offset, bytes: own }) => offset + own);
        expect(fields.map(({ offset }) => offset), name).toStrictEqual([0, ...ends.slice(0, -1)]);
        expect(ends.at(-1), name).toBe(bytes);
      }
    }
  });

  it('have unique names', () => {
    const names = FILES.flatMap(({ records, slots }) => [
      ...records.flatMap(({ name, constant }) => [name, constant]),
      ...slots.map(({ name }) => name),
    ]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toStrictEqual([]);
  });

  it.each(FILES.map((file) => [file.file, file] as const))("match the kernel's classes: %s", (name, file) => {
    const path = fileURLToPath(new URL(`../../assembly/records/${name}.ts`, import.meta.url));
    expect(readFileSync(path, 'utf8')).toBe(kernelFile(file));
  });
});
